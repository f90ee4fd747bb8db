package play

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/internal/lock"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// join makes dir the directory of run if it is not that already, and opens it; note, unless nil,
// sees each finished item, whoever wrote it. A directory with another run, or with a log without
// one, is refused.
func join(
	dir string, run schemas.Run, prompt *wording.Template, l trace.Layout, now func() time.Time,
	note func(line []byte) error,
) (*journal, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	held, err := lock.OpenDir(dir)
	if err != nil {
		return nil, err
	}
	j := &journal{layout: l, dir: dir, lock: held, note: note, place: map[string]int{}}
	if err := j.enter(run, prompt, now); err != nil {
		return nil, errors.Join(err, j.close())
	}
	return j, nil
}

func (j *journal) enter(run schemas.Run, prompt *wording.Template, now func() time.Time) (err error) {
	if err := lock.Wait(j.lock); err != nil {
		return err
	}
	if trace.HasRun(j.dir) {
		err = compare(j.dir, run)
	} else {
		err = j.begin(run, prompt, now)
	}
	if err == nil {
		err = j.open()
	}
	return errors.Join(err, lock.Release(j.lock))
}

// begin writes run.json before any log, so that logs without a run.json are never ours; and before
// run.json the user's own prompt, without which the run would not be whole.
func (j *journal) begin(run schemas.Run, prompt *wording.Template, now func() time.Time) error {
	for _, name := range append(j.names(), trace.InfraFile) {
		if _, err := os.Lstat(j.path(name)); err == nil {
			return fault.New(fault.Usage, "a log without a %s", trace.RunFile).At(j.path(name), "").Hint("name another directory")
		}
	}
	if prompt != nil {
		if err := whole.WriteFile(j.dir, trace.PromptFile, []byte(prompt.Text())); err != nil {
			return err
		}
	}
	run.CreatedAt = Stamp(now())
	return whole.WriteFile(j.dir, trace.RunFile, append(canon.MustMarshal(run), '\n'))
}

// compare refuses a directory with another run than this one, begun whenever.
func compare(dir string, run schemas.Run) error {
	old, err := trace.ReadRun(dir)
	if err != nil {
		return err
	}
	run.CreatedAt = old.CreatedAt
	if !bytes.Equal(canon.MustMarshal(run), canon.MustMarshal(old)) {
		return fault.New(fault.Usage, "directory holds another run, %s by %s", old.Run, fault.Quote(old.Tool)).
			At(filepath.Join(dir, trace.RunFile), "").Hint("this one is %s by %q; give it a directory of its own", run.Run, run.Tool)
	}
	return nil
}
