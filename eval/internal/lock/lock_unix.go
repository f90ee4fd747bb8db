//go:build unix

package lock

import (
	"errors"
	"io"
	"os"
	"runtime"
	"syscall"
)

// OpenDir opens what Wait and Release lock: the directory itself, so that no lock file is left in
// it.
func OpenDir(dir string) (*os.File, error) { return os.Open(dir) }

// Wait locks what OpenDir opened; it is for locks that nobody holds for long.
func Wait(dir *os.File) error {
	for {
		err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// Release ends the lock of Wait.
func Release(dir *os.File) error { return syscall.Flock(int(dir.Fd()), syscall.LOCK_UN) }

func try(dir *os.File) (bool, error) {
	err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// TryByte locks the byte at an offset of f, or reports that another holds its lock.
func TryByte(f *os.File, at int64) (bool, error) {
	err := setByte(f, syscall.F_WRLCK, at)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return false, nil
	}
	return err == nil, err
}

// ReleaseByte ends the lock of TryByte.
func ReleaseByte(f *os.File, at int64) error { return setByte(f, syscall.F_UNLCK, at) }

func setByte(f *os.File, kind int16, at int64) error {
	lock := syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: at, Len: 1}
	return syscall.FcntlFlock(f.Fd(), ofdSetLock(), &lock)
}

// ofdSetLock is F_OFD_SETLK, for which package syscall has no name.
func ofdSetLock() int {
	if runtime.GOOS == "darwin" {
		return 90
	}
	return 37 // Linux
}
