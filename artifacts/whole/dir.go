package whole

import (
	"errors"
	iofs "io/fs"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Dir is a directory that comes into being: written under a temporary name beside its place, so
// that one rename publishes it and nobody ever sees half of it.
type Dir struct {
	Root      *os.Root // of the temporary directory, whose path is Temp
	Temp      string
	dir       string
	replacing bool

	mayReplace func(dir string) error
}

// MakeDir makes the directory that fill writes. mayReplace is asked of one that holds something,
// and allows with nil that it is replaced. Where fill fails, the place holds what it held before.
func MakeDir(dir string, mayReplace func(dir string) error, fill func(*Dir) error) error {
	t, err := newDir(dir, mayReplace)
	if err != nil {
		return err
	}
	if err = fill(t); err == nil {
		err = t.commit()
	}
	return errors.Join(err, t.close())
}

// newDir makes the temporary directory for dir. What an earlier attempt left under the temporary
// name is removed.
func newDir(dir string, mayReplace func(dir string) error) (*Dir, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	vacant, err := isVacant(dir)
	if err == nil && !vacant {
		err = mayReplace(dir)
	}
	if err != nil {
		return nil, err
	}
	t := &Dir{dir: dir, Temp: nextTo(dir, TempPrefix), replacing: !vacant, mayReplace: mayReplace}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(t.Temp); err != nil {
		return nil, err
	}
	if err := os.Mkdir(t.Temp, 0o755); err != nil {
		return nil, err
	}
	if t.Root, err = os.OpenRoot(t.Temp); err != nil {
		return nil, errors.Join(err, os.RemoveAll(t.Temp))
	}
	return t, nil
}

func nextTo(dir, prefix string) string {
	return filepath.Join(filepath.Dir(dir), prefix+filepath.Base(dir))
}

// isVacant reports whether dir does not exist or is an empty directory.
func isVacant(dir string) (bool, error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, fault.New(fault.Failure, "is not a directory").At(dir, "")
	}
	entries, err := os.ReadDir(dir)
	return len(entries) == 0, err
}

// Move has the directory take another place in the folder of its first one.
func (t *Dir) Move(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	vacant, err := isVacant(dir)
	if err == nil && !vacant {
		err = t.mayReplace(dir)
	}
	t.dir, t.replacing = dir, !vacant
	return err
}

// commit makes everything durable and moves the directory to its place.
func (t *Dir) commit() error {
	if err := t.syncDirs(); err != nil {
		return err
	}
	if t.replacing {
		return t.replace()
	}
	// Rename replaces no directory, not even an empty one; Remove refuses one that was filled
	// meanwhile.
	if err := os.Remove(t.dir); err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return err
	}
	if err := os.Rename(t.Temp, t.dir); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(t.dir))
}

// replace moves the old directory out of the way until the new one has its place.
func (t *Dir) replace() error {
	old := nextTo(t.dir, TempPrefix+"old-")
	if err := errors.Join(os.RemoveAll(old), os.Rename(t.dir, old)); err != nil {
		return err
	}
	if err := os.Rename(t.Temp, t.dir); err != nil {
		return errors.Join(err, os.Rename(old, t.dir))
	}
	return errors.Join(SyncDir(filepath.Dir(t.dir)), os.RemoveAll(old))
}

// close closes the directory handle and removes the temporary directory if there still is one.
func (t *Dir) close() error { return errors.Join(t.Root.Close(), os.RemoveAll(t.Temp)) }

func (t *Dir) syncDirs() error {
	return filepath.WalkDir(t.Temp, func(path string, d iofs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return SyncDir(path)
	})
}
