package lock

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// dirFile is locked in place of its directory, which cannot be locked on Windows. It is empty, and
// stays.
const dirFile = ".wikinav-lock"

// OpenDir opens what Wait and Release lock.
func OpenDir(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, dirFile), os.O_CREATE|os.O_RDWR, 0o644)
}

// Wait locks what OpenDir opened; it is for locks that nobody holds for long.
func Wait(dir *os.File) error { return lockByte(dir, windows.LOCKFILE_EXCLUSIVE_LOCK, 0) }

// Release ends the lock of Wait.
func Release(dir *os.File) error { return ReleaseByte(dir, 0) }

func try(dir *os.File) (bool, error) { return TryByte(dir, 0) }

// TryByte locks the byte at an offset of f, or reports that another holds its lock.
func TryByte(f *os.File, at int64) (bool, error) {
	err := lockByte(f, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// ReleaseByte ends the lock of TryByte.
func ReleaseByte(f *os.File, at int64) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, place(at))
}

func lockByte(f *os.File, how uint32, at int64) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, place(at))
}

func place(at int64) *windows.Overlapped {
	return &windows.Overlapped{Offset: uint32(at), OffsetHigh: uint32(at >> 32)}
}
