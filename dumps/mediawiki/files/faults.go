package files

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/wikinav/wikinav/dumps/mediawiki/guard"
	"github.com/wikinav/wikinav/dumps/mediawiki/streams"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Place makes err a *fault.Error with its file and place. What err already says of them stands.
func Place(err error, file, where string) *fault.Error {
	var f *fault.Error
	if !errors.As(err, &f) {
		f = fault.New(kindOf(err), "%w", nameless(err))
	}
	if f.File == "" {
		f.File = file
	}
	if f.Where == "" {
		f.Where = where
	}
	return f
}

// kindOf tells damage of the dump from trouble with the machine.
func kindOf(err error) *fault.Kind {
	var (
		syntax  *guard.SyntaxError
		stream  *streams.Damage
		deflate flate.CorruptInputError
	)
	switch {
	case errors.As(err, &syntax), errors.As(err, &stream), errors.As(err, &deflate),
		errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF):
		return fault.Malformed
	case errors.Is(err, fs.ErrNotExist):
		return fault.NotFound
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fault.Interrupted
	}
	return fault.KindOf(err)
}

// nameless drops the path from an error of the file system: the fault names the file already.
func nameless(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Op, p.Err)
	}
	return err
}
