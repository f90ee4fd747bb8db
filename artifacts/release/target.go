package release

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas/fault"
)

// target is a release directory that comes into being: written under a temporary name beside its place, so that one rename
// publishes it and nobody ever sees half of it.
type target struct {
	dir, temp string
	root      *os.Root
}

// newTarget makes the temporary directory for dir, which must not exist or be empty. What an earlier attempt left under
// the temporary name is removed.
func newTarget(dir string) (*target, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := checkVacant(dir); err != nil {
		return nil, err
	}
	t := &target{dir: dir, temp: filepath.Join(filepath.Dir(dir), ".tmp-"+filepath.Base(dir))}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(t.temp); err != nil {
		return nil, err
	}
	if err := os.Mkdir(t.temp, 0o755); err != nil {
		return nil, err
	}
	if t.root, err = os.OpenRoot(t.temp); err != nil {
		return nil, errors.Join(err, os.RemoveAll(t.temp))
	}
	return t, nil
}

// checkVacant refuses a place that holds anything: a published release is never changed.
func checkVacant(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fault.New(fault.Failure, "is no directory").At(dir, "")
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fault.New(fault.Failure, "directory is not empty").At(dir, "").Hint("name another directory; a release is never changed")
	}
	return err
}

// move gives the release another place in the same folder.
func (t *target) move(dir string) (err error) {
	if t.dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	return checkVacant(t.dir)
}

// commit makes everything durable and moves the directory to its place.
func (t *target) commit() error {
	if err := t.syncDirs(); err != nil {
		return err
	}
	// Rename replaces no directory, not even an empty one; Remove refuses one that was filled meanwhile.
	if err := os.Remove(t.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(t.temp, t.dir); err != nil {
		return err
	}
	return whole.SyncDir(filepath.Dir(t.dir))
}

// close gives the directory handle back and removes the temporary directory if there still is one.
func (t *target) close() error { return errors.Join(t.root.Close(), os.RemoveAll(t.temp)) }

func (t *target) syncDirs() error {
	return filepath.WalkDir(t.temp, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return whole.SyncDir(path)
	})
}
