package play

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// runFile is the run.json of a family.
type runFile[R any] struct {
	read func(dir string) (*R, error)
	// told gives the parts that messages name, and the only one in which two starts of a run differ.
	told func(*R) (run, tool string, createdAt *string)
	logs []string // which never stand without a run.json
}

var (
	gameRun = runFile[schemas.Run]{
		read: trace.ReadRun,
		told: func(r *schemas.Run) (string, string, *string) { return r.Run, r.Tool, &r.CreatedAt },
		logs: []string{trace.StepsFile, trace.GamesFile, trace.RepliesFile},
	}
	luminaRun = runFile[schemas.LuminaRun]{
		read: trace.ReadLuminaRun,
		told: func(r *schemas.LuminaRun) (string, string, *string) { return r.Run, r.Tool, &r.CreatedAt },
		logs: []string{trace.EpisodesFile},
	}
)

// claim makes dir the directory of run if it is not that already, and locks it until the returned file is closed.
// A directory with another run, or with a log without one, is refused.
func (f runFile[R]) claim(dir string, run R, now func() time.Time) (lock *os.File, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if lock, err = lockDir(dir); err != nil {
		return nil, err
	}
	if trace.HasRun(dir) {
		err = f.compare(dir, run)
	} else {
		err = f.write(dir, run, now)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// write comes before any log, so that logs without a run.json are never ours.
func (f runFile[R]) write(dir string, run R, now func() time.Time) error {
	for _, name := range f.logs {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fault.New(fault.Usage, "a log without a %s", trace.RunFile).At(filepath.Join(dir, name), "").Hint("name another directory")
		}
	}
	_, _, createdAt := f.told(&run)
	*createdAt = stamp(now())
	return trace.WriteFile(dir, trace.RunFile, append(canon.MustMarshal(run), '\n'))
}

func (f runFile[R]) compare(dir string, run R) error {
	old, err := f.read(dir)
	if err != nil {
		return err
	}
	oldRun, oldTool, began := f.told(old)
	newRun, newTool, createdAt := f.told(&run)
	*createdAt = *began
	if !bytes.Equal(canon.MustMarshal(run), canon.MustMarshal(old)) {
		return fault.New(fault.Usage, "directory holds another run, %s by %s", oldRun, fault.Quote(oldTool)).
			At(filepath.Join(dir, trace.RunFile), "").Hint("this one is %s by %q; give it a directory of its own", newRun, newTool)
	}
	return nil
}

// lockDir locks the directory itself, so that no lock file is left in it and the lock dies with the process.
func lockDir(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fault.New(fault.Locked, "another wikinav-eval plays in this directory").At(dir, "")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
