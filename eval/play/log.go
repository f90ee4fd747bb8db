package play

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/schemas/canon"
)

// openLog opens a log for more lines, and removes what an interruption left after the last whole one.
func openLog(dir, name string) (*os.File, error) {
	f, err := appendTo(dir, name)
	if err != nil {
		return nil, err
	}
	if err := cutTornLine(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func appendTo(dir, name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
}

func cutTornLine(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, int64(bytes.LastIndexByte(data, '\n')+1))
}

func appendLines[T any](dst []byte, records ...T) []byte {
	for _, r := range records {
		dst = append(append(dst, canon.MustMarshal(r)...), '\n')
	}
	return dst
}

func appendSynced(f *os.File, data []byte) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// closeAll closes what is open of files.
func closeAll(files ...*os.File) error {
	var errs []error
	for _, f := range files {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}
