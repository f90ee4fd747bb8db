package play

import (
	"os"
	"path/filepath"
	"time"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Dir is the directory of a run whose episodes are played elsewhere, at a server: nobody knows
// beforehand which there will be. Several processes may hold it open, and none loses what it adds.
type Dir struct {
	journal  *journal
	attempts int             // of a task at most
	taken    map[string]bool // names of attempts that the directory holds, as Layout.Item has them
}

// OpenDir starts the run in dir, or goes on with it there. Another run's directory is fault.Usage.
// The prompt is kept beside the run, nil for the family's own.
func OpenDir(
	dir string, run schemas.Run, prompt *wording.Template, l trace.Layout, now func() time.Time,
) (*Dir, error) {
	d := &Dir{attempts: run.Attempts, taken: map[string]bool{}}
	var err error
	d.journal, err = join(dir, run, prompt, l, now, func(line []byte) error {
		e, err := l.Entry(line)
		d.taken[l.Item(e.Instance, e.Attempt)] = true
		return err
	})
	return d, err
}

// Holds reports whether the directory holds the item, whoever wrote it there.
func (d *Dir) Holds(item string) (bool, error) { return d.journal.holds(item) }

// Finished is an episode that has ended. Record returns its name and its lines as an attempt at its task;
// the name may depend on the attempt.
type Finished struct {
	Task   string
	Record func(attempt int) (item string, r family.Record)

	wanted int
	lines  finished
}

// Write lays the lines out as those of an attempt, which is what takes time. Add does so again if
// another process has played that attempt meanwhile.
func (f *Finished) Write(attempt int) {
	item, r := f.Record(attempt)
	f.wanted, f.lines = attempt, lines(item, r)
}

// Add appends episodes as the first attempts at their tasks that nobody has played, not below those
// they were written as. They are on disk once it returns, but for those that it returns as left: their
// tasks have all the attempts that the run has.
func (d *Dir) Add(episodes ...*Finished) (left []*Finished, err error) {
	err = d.journal.alone(func() error {
		var add []finished
		for _, f := range episodes {
			switch {
			case d.kept(f):
			case d.place(f):
				add = append(add, f.lines)
			default:
				left = append(left, f)
			}
		}
		return d.journal.appendAlone(add)
	})
	return left, err
}

// kept reports whether the directory holds an episode with a name of its own, which whoever asked for did not
// hear of. Where attempts give the names, an equal one is that of another episode.
func (d *Dir) kept(f *Finished) bool {
	name := f.lines.key
	return name != d.journal.layout.Item(f.Task, f.wanted) && d.journal.done[name]
}

// place settles which attempt an episode is, unless the run has all attempts at its task.
func (d *Dir) place(f *Finished) bool {
	for attempt := max(1, f.wanted); attempt <= d.attempts; attempt++ {
		name := d.journal.layout.Item(f.Task, attempt)
		if d.taken[name] || d.journal.done[name] {
			continue
		}
		if attempt != f.wanted {
			f.Write(attempt)
		}
		d.taken[name] = true
		return true
	}
	return false
}

// Close leaves the directory to others.
func (d *Dir) Close() error { return d.journal.close() }

// WriteImport makes a run directory of games played elsewhere; one that holds a run is fault.Usage.
func WriteImport(dir string, l trace.Layout, im *family.Imported) error {
	if trace.HasRun(dir) {
		return fault.New(fault.Usage, "the directory holds a run already").At(filepath.Join(dir, trace.RunFile), "").Hint("name another directory")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var side, main []byte
	for _, r := range im.Records {
		side, main = appendLines(side, r.Side...), appendLines(main, r.Main)
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{l.Side, side},
		{l.Main, main},
		{trace.ImportFile, appendLines(nil, im.Import)},
		{trace.RunFile, appendLines(nil, im.Run)}, // last: it makes the others a run
	} {
		if f.name == "" {
			continue
		}
		if err := whole.WriteFile(dir, f.name, f.data); err != nil {
			return err
		}
	}
	return nil
}
