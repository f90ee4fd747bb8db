package play

import (
	"errors"
	"io"
	"os"
	"runtime"
	"syscall"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Two kinds of advisory locks, neither of which leaves a file behind or outlives its process. The directory's lock is for moments: to
// look at the logs, or to append to them. A lease is for the length of a game: the lock of one byte of run.json, far beyond
// its end, whose number is the game's place in the order of play. Leases are those of open files, not of processes (F_OFD_SETLK), so
// that two runs in one process keep out of each other's way, too.

const firstLease = 1 << 40 // no run.json is as long

// ofdSetLock is F_OFD_SETLK, for which package syscall has no name.
func ofdSetLock() int {
	if runtime.GOOS == "darwin" {
		return 90
	}
	return 37 // Linux
}

// waitFor locks the directory; nobody holds that lock for long.
func waitFor(dir *os.File) error {
	for {
		err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func release(dir *os.File) error { return syscall.Flock(int(dir.Fd()), syscall.LOCK_UN) }

// lease takes the lease of the n-th item, or tells that another holds it.
func (j *journal) lease(n int) (bool, error) {
	err := j.setLease(syscall.F_WRLCK, n)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return false, nil
	}
	if err != nil {
		err = fault.New(fault.Failure, "cannot lock a game: %w", err).At(j.path(trace.RunFile), "").Hint("play in a directory of a local file system")
	}
	return err == nil, err
}

func (j *journal) unlease(n int) error { return j.setLease(syscall.F_UNLCK, n) }

func (j *journal) setLease(kind int16, n int) error {
	lock := syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: firstLease + int64(n), Len: 1}
	return syscall.FcntlFlock(j.leases.Fd(), ofdSetLock(), &lock)
}
