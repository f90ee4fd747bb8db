package dbpedia

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/dumps/packed"
	"github.com/wikinav/wikinav/schemas/fault"
)

// maxLine bounds a line. A longer one is read over and handed on as tooLong.
const maxLine = 64 << 10

// line is one line of a file, without its end.
type line struct {
	number  int64 // from 1
	text    string
	tooLong bool // text is its beginning
}

func (l line) blank() bool   { return strings.Trim(l.text, blanks) == "" }
func (l line) comment() bool { return strings.HasPrefix(l.text, "#") }

// eachLine visits the lines of a file.
func eachLine(ctx context.Context, path string, visit func(line) error) error {
	return inFile(ctx, path, func(text io.Reader) (int64, error) { return scanLines(ctx, text, visit) })
}

// inFile lets read go through the text of a file in any packing, and places its error in the line that read gives.
func inFile(ctx context.Context, path string, read func(text io.Reader) (line int64, err error)) error {
	f, err := os.Open(path)
	if err != nil {
		return fault.New(fault.NotFound, "no such file").At(path, "")
	}
	defer f.Close()
	text, err := packed.Reader(f)
	if err != nil {
		return fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	at, err := read(text)
	if err != nil && ctx.Err() == nil {
		return placed(path, at, err)
	}
	return err
}

// scanLines visits the lines of a text, LF or CR LF, in bounded memory. It gives the number of the line at which it stopped.
func scanLines(ctx context.Context, r io.Reader, visit func(line) error) (int64, error) {
	in := bufio.NewReaderSize(r, maxLine+2) // a line of the greatest length with its end
	for number := int64(1); ; number++ {
		if number&0xfff == 0 && ctx.Err() != nil {
			return number, ctx.Err()
		}
		raw, err := in.ReadSlice('\n')
		l := line{number: number, text: strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")}
		l.tooLong = err == bufio.ErrBufferFull || len(l.text) > maxLine
		for err == bufio.ErrBufferFull {
			_, err = in.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return number, err
		}
		if len(raw) > 0 {
			if err := visit(l); err != nil {
				return number, err
			}
		}
		if err == io.EOF {
			return number, nil
		}
	}
}

// placed says where an error happened, unless it knows its place or is none of the file.
func placed(path string, number int64, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		if known.File == "" {
			known.File = path
		}
		return err
	}
	return fault.New(fault.Malformed, "%w", err).At(path, "line "+strconv.FormatInt(number, 10))
}

func malformed(path string, number int64, format string, args ...any) *fault.Error {
	return fault.New(fault.Malformed, format, args...).At(path, "line "+strconv.FormatInt(number, 10))
}
