package play

import (
	"bytes"
	"errors"
	"os"
)

// cutTornLine removes what stands after the last line end.
func cutTornLine(path string) error {
	return cutTail(path, func(f *os.File, size int64) (int64, error) {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil || last[0] == '\n' {
			return size, err
		}
		return lineStart(f, size)
	})
}

// cutLoose removes lines from the end for as long as they are loose.
func cutLoose(path string, loose func(line []byte) bool) error {
	return cutTail(path, func(f *os.File, size int64) (int64, error) {
		for end := size; ; {
			if end == 0 {
				return 0, nil
			}
			start, err := lineStart(f, end-1)
			if err != nil {
				return 0, err
			}
			line := make([]byte, end-start)
			if _, err := f.ReadAt(line, start); err != nil {
				return 0, err
			}
			if !loose(line) {
				return end, nil
			}
			end = start
		}
	})
}

// cutTail cuts a file that is not empty to the length that keep gives.
func cutTail(path string, keep func(f *os.File, size int64) (int64, error)) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return errors.Join(err, f.Close())
	}
	n, err := keep(f, info.Size())
	if err == nil && n < info.Size() {
		err = errors.Join(f.Truncate(n), f.Sync())
	}
	return errors.Join(err, f.Close())
}

// lineStart gives the place after the last line end before end, or 0.
func lineStart(f *os.File, end int64) (int64, error) {
	for end > 0 {
		from := max(0, end-1<<12)
		part := make([]byte, end-from)
		if _, err := f.ReadAt(part, from); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		end = from
	}
	return 0, nil
}
