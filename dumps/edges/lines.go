package edges

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/packed"
	"github.com/wikinav/wikinav/schemas/fault"
)

// maxLine bounds a line, so that a file without line ends does not fill memory.
const maxLine = 1 << 20

// eachLine visits the lines of a file that hold something, split at tabs; numbers count all lines from 1.
func eachLine(ctx context.Context, path string, visit func(number int, fields []string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fault.New(fault.NotFound, "no such file").At(path, "")
	}
	defer f.Close()
	text, err := packed.Reader(f)
	if err != nil {
		return fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, maxLine)
	number := 0
	for lines.Scan() {
		number++
		if err := ctx.Err(); err != nil {
			return err
		}
		line := lines.Bytes()
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if !utf8.Valid(line) {
			return malformed(path, number, "invalid UTF-8")
		}
		if len(bytes.TrimSpace(line)) == 0 || line[0] == '#' {
			continue
		}
		if err := visit(number, strings.Split(string(line), "\t")); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return malformed(path, number+1, "longer than %d bytes", maxLine)
	}
	if lines.Err() != nil {
		return malformed(path, number+1, "%v", lines.Err())
	}
	return nil
}
