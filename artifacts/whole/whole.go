// Package whole writes files whole or not at all: whoever opens a file under its final name, after
// a crash or a full disk too, finds the old bytes or the new ones and nothing between.
//
// Order of operations, which must not change: a temporary file in the same folder is filled and
// synced, closed, and renamed over the name; then the folder is synced. Until the rename nothing is
// visible under the name, and a failure removes the temporary file. Names that begin with
// TempPrefix are unfinished; their owner may delete them.
//
// A name has one writer at a time: two would share the temporary file. Callers hold a lock on the
// folder, or own it.
package whole

import (
	"bufio"
	"errors"
	"io"
	iofs "io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/wikinav/wikinav/artifacts/digest"
)

// TempPrefix marks unfinished files.
const TempPrefix = ".tmp-"

// WriteFile replaces folder/name by data. It makes the folder if it is not there.
func WriteFile(folder, name string, data []byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	_, err := Write(OS{}, folder, name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	return err
}

// Write replaces folder/name by what fill writes, and returns its digest.
func Write(fs FS, folder, name string, fill func(io.Writer) error) (digest.Digest, error) {
	temp := filepath.Join(folder, TempPrefix+name)
	sum, err := writeTemp(fs, temp, fill)
	if err == nil {
		err = fs.Rename(temp, filepath.Join(folder, name))
	}
	if err != nil {
		return digest.Digest{}, errors.Join(err, Remove(fs, temp))
	}
	if err := fs.SyncDir(folder); err != nil {
		return digest.Digest{}, err
	}
	return sum, nil
}

func writeTemp(fs FS, temp string, fill func(io.Writer) error) (digest.Digest, error) {
	f, err := fs.Create(temp)
	if err != nil {
		return digest.Digest{}, err
	}
	return Fill(f, fill)
}

// Fill writes what fill writes to f through a buffer, makes it durable, closes f in any case, and
// returns the digest.
func Fill(f File, fill func(io.Writer) error) (digest.Digest, error) {
	h := digest.NewHash()
	buf := bufio.NewWriterSize(io.MultiWriter(f, h), 1<<20)
	err := fill(buf)
	if err == nil {
		err = buf.Flush()
	}
	if err == nil {
		err = synced(f.Sync())
	}
	return h.Sum(), errors.Join(err, f.Close()) // before a rename: some systems do not move open files
}

// Remove deletes a file or an empty directory. That there is none is not an error.
func Remove(fs FS, path string) error {
	if err := fs.Remove(path); err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncDir makes the entries of a directory durable.
func SyncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(synced(d.Sync()), d.Close())
}

// synced forgives file systems that cannot sync, as some network and user-space ones: they have no
// more to offer, and the errors with which they say so are not those of a failing disk.
func synced(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTTY) {
		return nil
	}
	return err
}
