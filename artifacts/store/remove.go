package store

import (
	"path/filepath"
)

// removeInOrder deletes the receipts, makes that durable, and only then deletes the rest: at no moment is there a
// receipt whose outputs are gone.
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
		if err := removeQuietly(fs, filepath.Join(folder, name)); err != nil {
			return inFile(name, err)
		}
	}
	return nil
}
