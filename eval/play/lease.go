package play

import (
	"github.com/wikinav/wikinav/eval/internal/lock"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/fault"
)

// The directory's lock is for moments: to look at the logs, or to append to them. A lease is for
// the length of a game: the lock of one byte of run.json, far beyond its end, whose number is the
// game's place in the order of play.

const firstLease = 1 << 40 // no run.json is as long

// lease takes the lease of the n-th item, or reports that another holds it.
func (j *journal) lease(n int) (bool, error) {
	mine, err := lock.TryByte(j.leases, firstLease+int64(n))
	if err != nil {
		err = fault.New(fault.Failure, "cannot lock a game: %w", err).At(j.path(trace.RunFile), "").
			Hint("play in a directory of a local file system")
	}
	return mine, err
}

func (j *journal) unlease(n int) error { return lock.ReleaseByte(j.leases, firstLease+int64(n)) }
