package store

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// FS is the file system of a work directory; OS is the real one.
type (
	FS = whole.FS
	OS = whole.OS
)

// commit writes the file called name into folder, whole or not at all.
func commit(fs FS, folder, name string, write func(io.Writer) error) (digest.Digest, error) {
	sum, err := whole.Write(fs, folder, name, write)
	if err != nil {
		return digest.Digest{}, inFile(name, err)
	}
	return sum, nil
}

// commitJSON commits v as one canonical line.
func commitJSON(fs FS, folder, name string, v any) error {
	data, err := canon.Marshal(v)
	if err != nil {
		return err
	}
	_, err = commit(fs, folder, name, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
	return err
}

// removeInOrder deletes the receipts, makes that durable, and only then deletes the rest: at no
// moment is there a receipt whose outputs are gone.
func removeInOrder(fs FS, folder string, receipts, rest []string) error {
	if err := removeAll(fs, folder, receipts); err != nil {
		return err
	}
	if len(receipts) > 0 {
		if err := fs.SyncDir(folder); err != nil {
			return err
		}
	}
	return removeAll(fs, folder, rest)
}

func removeAll(fs FS, folder string, names []string) error {
	for _, name := range names {
		if err := whole.Remove(fs, filepath.Join(folder, name)); err != nil {
			return inFile(name, err)
		}
	}
	return nil
}

// inFile places an error that does not say yet in which file it happened.
func inFile(name string, err error) error {
	var placed *fault.Error
	if errors.As(err, &placed) {
		return err
	}
	return fault.New(fault.KindOf(err), "cannot be written: %w", err).At(name, "")
}
