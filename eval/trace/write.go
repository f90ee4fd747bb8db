package trace

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile puts data into dir/name whole or not at all: a temporary file, synced, then renamed over the old one.
func WriteFile(dir, name string, data []byte) error {
	temp := filepath.Join(dir, ".tmp-"+name)
	if err := writeSynced(temp, data); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	if err := os.Rename(temp, filepath.Join(dir, name)); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return syncDir(dir)
}

// WriteFileIn is WriteFile into a directory that need not exist.
func WriteFileIn(dir, name string, data []byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return WriteFile(dir, name, data)
}

func writeSynced(path string, data []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
