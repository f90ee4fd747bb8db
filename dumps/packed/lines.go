package packed

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Line is one line of a text, without its end.
type Line struct {
	Number  int64 // from 1
	Text    string
	TooLong bool // Text is its beginning
}

// Blank reports whether the line has nothing but blanks.
func (l Line) Blank() bool { return strings.Trim(l.Text, " \t") == "" }

// Comment reports whether the line begins with #.
func (l Line) Comment() bool { return strings.HasPrefix(l.Text, "#") }

// Lines visits the lines of a file.
func Lines(ctx context.Context, path string, most int, visit func(Line) error) error {
	return InFile(ctx, path, func(text io.Reader) (int64, error) { return Scan(ctx, text, most, visit) })
}

// InFile lets read go through the text of a file in any packing, and places its error in the line that read gives.
func InFile(ctx context.Context, path string, read func(text io.Reader) (line int64, err error)) error {
	f, err := os.Open(path)
	if err != nil {
		return fault.Opening(path, err)
	}
	defer f.Close()
	text, err := Reader(f)
	if err != nil {
		return fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	at, err := read(text)
	if err != nil && ctx.Err() == nil {
		return Placed(path, at, err)
	}
	return err
}

// Scan visits the lines of a text, LF or CR LF, in bounded memory: a line of more than most bytes is read over. It returns the number
// of the line at which it stopped.
func Scan(ctx context.Context, r io.Reader, most int, visit func(Line) error) (int64, error) {
	in := bufio.NewReaderSize(r, most+2) // a line of the greatest length with its end
	for number := int64(1); ; number++ {
		if number&0xfff == 1 && ctx.Err() != nil {
			return number, ctx.Err()
		}
		raw, err := in.ReadSlice('\n')
		l := Line{Number: number, Text: strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")}
		l.TooLong = err == bufio.ErrBufferFull || len(l.Text) > most
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

// Placed says where an error happened, unless it knows its place or is none of the file.
func Placed(path string, number int64, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		if known.File == "" {
			known.File = path
		}
		return err
	}
	return fault.New(fault.Malformed, "%w", err).At(path, "line "+strconv.FormatInt(number, 10))
}

// Malformed is the error of one line of a file.
func Malformed(path string, number int64, format string, args ...any) *fault.Error {
	return fault.New(fault.Malformed, format, args...).At(path, "line "+strconv.FormatInt(number, 10))
}
