package play

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/wikinav/wikinav/artifacts/whole"
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
	gameRun = runFile[schemas.GameRun]{
		read: trace.ReadGameRun,
		told: func(r *schemas.GameRun) (string, string, *string) { return r.Run, r.Tool, &r.CreatedAt },
		logs: []string{trace.StepsFile, trace.GamesFile, trace.RepliesFile, trace.InfraFile},
	}
	luminaRun = runFile[schemas.Run]{
		read: trace.ReadRun,
		told: func(r *schemas.Run) (string, string, *string) { return r.Run, r.Tool, &r.CreatedAt },
		logs: []string{episodesFile, trace.InfraFile},
	}
)

// join makes dir the directory of run if it is not that already, and opens it for the items whose keys are given in the order of play;
// check looks at what the logs hold. A directory with another run, or with a log without one, is refused.
func (f runFile[R]) join(dir string, run R, now func() time.Time, l logs, keys []string, check func(*journal) error) (*journal, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	j := &journal{logs: l, dir: dir, lock: lock, place: map[string]int{}}
	for i, key := range keys {
		j.place[key] = i
	}
	if err := f.enter(j, run, now, check); err != nil {
		return nil, errors.Join(err, j.close())
	}
	return j, nil
}

func (f runFile[R]) enter(j *journal, run R, now func() time.Time, check func(*journal) error) (err error) {
	if err := waitFor(j.lock); err != nil {
		return err
	}
	if trace.HasRun(j.dir) {
		err = f.compare(j.dir, run)
	} else {
		err = f.write(j.dir, run, now)
	}
	if err == nil {
		err = j.open(func() error { return check(j) })
	}
	return errors.Join(err, release(j.lock))
}

// write comes before any log, so that logs without a run.json are never ours.
func (f runFile[R]) write(dir string, run R, now func() time.Time) error {
	for _, name := range f.logs {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fault.New(fault.Usage, "a log without a %s", trace.RunFile).At(filepath.Join(dir, name), "").Hint("name another directory")
		}
	}
	_, _, createdAt := f.told(&run)
	*createdAt = Stamp(now())
	return whole.WriteFile(dir, trace.RunFile, append(canon.MustMarshal(run), '\n'))
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
