package fetch

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"github.com/wikinav/wikinav/schemas/fault"
)

// freeSpace tells how many bytes an ordinary user can still write into a folder.
func freeSpace(folder string) (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(folder, &st); err != nil {
		return 0, fault.New(fault.Failure, "free space: %w", err).At(folder, "")
	}
	return int64(st.Bavail) * st.Bsize, nil
}

// lock keeps a second fetch out of the folder. The lock is on the folder itself and dies with the process.
func lock(folder string) (unlock func(), err error) {
	d, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return func() { d.Close() }, nil
	}
	d.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fault.New(fault.Locked, "another fetch is at work in this folder").At(folder, "").Hint("wait for it, or name another with --out")
	}
	return nil, fault.New(fault.Failure, "lock: %w", err).At(folder, "")
}

func syncDir(folder string) error {
	d, err := os.Open(filepath.Clean(folder))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
