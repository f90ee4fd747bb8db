package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// ScanLines calls visit with each line of the file and its number, from 1. A last line without a
// line end is visited if it is whole by definition (keepLast), else it is reported as torn. The
// slice is only valid during the call.
func ScanLines(path string, keepLast bool, visit func(n int, line []byte) error) (torn bool, err error) {
	f, err := open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	for n := 1; ; n++ {
		line, err := readLine(r)
		switch {
		case err == io.EOF && len(line) == 0:
			return false, nil
		case err == io.EOF && !keepLast:
			return true, nil
		case err != nil && err != io.EOF:
			return false, LineFault(path, n, err)
		}
		if err := visit(n, bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return false, LineFault(path, n, err)
		}
	}
}

// errLong is a line that no record of ours needs; reading on would only fill memory.
var errLong = fmt.Errorf("line is longer than %d bytes", canon.MaxLine)

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > canon.MaxLine+1 {
			return nil, errLong
		}
		if err == nil && line == nil {
			return part, nil
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// Places names lines as messages do.
func Places(lines []int) []string {
	var places []string
	for _, n := range lines {
		places = append(places, fmt.Sprintf("line %d", n))
	}
	return places
}

func LineFault(path string, n int, err error) error {
	return fault.New(fault.Malformed, "%w", err).At(path, fmt.Sprintf("line %d", n))
}

func open(path string) (*os.File, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault.Missing(path)
	case err == nil && isDir(path):
		_ = f.Close()
		return nil, fault.New(fault.NotFound, "a folder that holds no %s", RunFile).At(path, "").
			Hint("name the folder that play wrote with --out, or a file of JSON lines")
	}
	return f, err
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
