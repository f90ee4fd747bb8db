package view

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/retell"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Runs are the run directories that are looked at: those that were named, and those in which the
// games of the page are kept. A run has the number of the order in which it was first seen.
type Runs struct {
	Named []string // run directories, or folders of them
	Log   string   // folder of the games that are played here
	// Read opens a run directory with the set of its rules. It is asked by one goroutine at a time.
	Read func(dir string) (*retell.Run, error)

	mu   sync.Mutex
	seen []*seenRun
}

type seenRun struct {
	dir   string
	at    stamp
	run   *retell.Run
	games []retell.Game
}

// stamp is of all files of a run directory: the log that was read has another than one that grew.
type stamp struct {
	size int64
	time time.Time
}

// RunEntry is a run in a list.
type RunEntry struct {
	N      int    `json:"n"`
	Run    string `json:"run"`
	Dir    string `json:"dir"`
	Family string `json:"family"`
	Player string `json:"player"`
	Kind   string `json:"kind"`
	Error  string `json:"error,omitempty"` // why it cannot be read
}

// look finds run directories that were not there before.
func (r *Runs) look() error {
	for _, dir := range append(slices.Clone(r.Named), r.Log) {
		if dir == "" {
			continue
		}
		if trace.HasRun(dir) {
			r.add(dir)
			continue
		}
		list, err := os.ReadDir(dir)
		if err != nil && !(errors.Is(err, fs.ErrNotExist) && dir == r.Log) {
			return err
		}
		for _, e := range list {
			if sub := filepath.Join(dir, e.Name()); trace.HasRun(sub) {
				r.add(sub)
			}
		}
	}
	return nil
}

func (r *Runs) add(dir string) {
	if !slices.ContainsFunc(r.seen, func(s *seenRun) bool { return s.dir == dir }) {
		r.seen = append(r.seen, &seenRun{dir: dir})
	}
}

func (r *Runs) list() ([]RunEntry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.look(); err != nil {
		return nil, err
	}
	list := []RunEntry{}
	for n, s := range r.seen {
		list = append(list, entryOf(n, s.dir))
	}
	return list, nil
}

func entryOf(n int, dir string) RunEntry {
	run, err := trace.ReadRun(dir)
	if err != nil {
		return RunEntry{N: n, Dir: dir, Error: err.Error()}
	}
	return RunEntry{N: n, Run: run.Run, Dir: dir, Family: run.Family, Player: run.Model.Name, Kind: run.Model.Kind}
}

// get returns a run as read does.
func (r *Runs) get(n int) (*seenRun, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.look(); err != nil {
		return nil, err
	}
	if n >= len(r.seen) {
		return nil, fault.New(fault.NotFound, "there is no run %d", n)
	}
	return r.read(n)
}

// read returns a run with its games told, read anew if its files have changed. It is never changed.
func (r *Runs) read(n int) (*seenRun, error) {
	s := r.seen[n]
	now, err := stampOf(s.dir) // first: what is written while the run is read is seen the next time
	if err != nil {
		return nil, err
	}
	if s.run != nil && now == s.at {
		return s, nil
	}
	fresh := &seenRun{dir: s.dir, at: now}
	if fresh.run, err = r.Read(s.dir); err != nil {
		return nil, err
	}
	if fresh.games, err = fresh.run.Games(); err != nil {
		return nil, err
	}
	r.seen[n] = fresh
	return fresh, nil
}

func stampOf(dir string) (s stamp, err error) {
	list, err := os.ReadDir(dir)
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			continue // it was gone meanwhile
		}
		s.size += info.Size()
		if info.ModTime().After(s.time) {
			s.time = info.ModTime()
		}
	}
	return s, err
}

// gameOf is a game of a task in some run.
type gameOf struct {
	RunEntry
	retell.Game
	kept time.Time // when the log last grew
}

// games lists what runs of a family have of a task. A run that cannot be read has nothing.
func (r *Runs) games(name string, t family.Task) ([]gameOf, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.look(); err != nil {
		return nil, err
	}
	list := []gameOf{}
	for n, seen := range r.seen {
		e := entryOf(n, seen.dir)
		if e.Family != name {
			continue
		}
		s, err := r.read(n)
		if err != nil {
			continue
		}
		for _, g := range s.games {
			if g.Task == t.ID {
				list = append(list, gameOf{e, g, s.at.time})
			}
		}
	}
	return list, nil
}

// requestedRun returns the run that a request names, the family that it is of, and its entry.
func (s *Server) requestedRun(r *http.Request) (*seenRun, *Opened, RunEntry, error) {
	n, err := number(r, "n", 0)
	if err != nil {
		return nil, nil, RunEntry{}, err
	}
	run, err := s.Runs.get(n)
	if err != nil {
		return nil, nil, RunEntry{}, err
	}
	entry := entryOf(n, run.dir)
	o, err := s.family(entry.Family)
	return run, o, entry, err
}

// scored is a row of a score as the page shows it.
type scored struct {
	Split   string         `json:"split"`
	By      []family.Group `json:"by"`
	N       int            `json:"n"`
	Missing int            `json:"missing"`
	Flags   []string       `json:"flags"`
	Values  []string       `json:"values"`
}

func (s *Server) run(r *http.Request) (any, error) {
	run, o, entry, err := s.requestedRun(r)
	if err != nil {
		return nil, err
	}
	games, playing := shown(run, o)
	headings, rows := []string{}, []scored{}
	columns := slices.DeleteFunc(run.run.Family.Columns(),
		func(c family.Column) bool { return c.Detail })
	for _, c := range columns {
		headings = append(headings, c.Heading)
	}
	for _, x := range run.run.Scores.Rows {
		if playing && len(x.By) > 0 { // a group such as a distance may have one game alone
			continue
		}
		out := scored{Split: x.Split, By: x.By, N: x.N, Missing: x.Missing, Flags: x.Flags}
		for _, c := range columns {
			value := "–"
			if m, has := x.Metrics[c.Metric]; has && m.Value != nil {
				value = *m.Value
			}
			out.Values = append(out.Values, value)
		}
		rows = append(rows, out)
	}
	out := map[string]any{
		"run": entry, "headings": headings, "rows": rows, "games": games,
		"rules": run.run.Log.Run.Rules,
	}
	if run.run.Wrong != nil {
		out["wrong"] = run.run.Wrong.Error()
	}
	return out, nil
}

// shown lists the games of a run, without what is known of those whose instance is being played.
func shown(run *seenRun, o *Opened) (games []retell.Game, playing bool) {
	games = slices.Clone(run.games)
	for i, g := range games {
		if o.Games.Plays(g.Instance) {
			playing = true
			games[i] = retell.Game{
				Item: g.Item, Task: g.Task, Instance: g.Instance, Split: g.Split, Attempt: g.Attempt,
				Outcome: "hidden",
			}
		}
	}
	return games, playing
}

func (s *Server) game(r *http.Request) (any, error) {
	run, o, entry, err := s.requestedRun(r)
	if err != nil {
		return nil, err
	}
	told, err := run.run.Tell(r.FormValue("item"))
	if err != nil {
		return nil, err
	}
	if o.Games.Plays(told.Instance) {
		return nil, errPlaying
	}
	out := map[string]any{"run": entry, "game": told}
	t, ok, err := o.find(told.Task)
	if err != nil || !ok { // played by other rules than those of the page, or no instance
		return out, err
	}
	out["info"] = t.Info
	if best, err := run.run.Best(t); err == nil {
		out["best"] = best
	}
	o.draw(t, out)
	return out, nil
}

// played finds the game that has just been kept: that of its name, or the last one of its task
// where games are named by their tasks.
func (s *Server) played(r *http.Request) (any, error) {
	t, err := s.requested(r)
	if err != nil {
		return nil, err
	}
	if t.Games.Plays(t.Instance) {
		return nil, errPlaying
	}
	list, err := s.Runs.games(t.name, t.Task)
	if err != nil {
		return nil, err
	}
	here := slices.DeleteFunc(list, func(g gameOf) bool {
		return filepath.Dir(g.Dir) != filepath.Clean(s.Runs.Log)
	})
	if len(here) == 0 {
		return nil, fault.New(fault.NotFound, "the game is not in the log")
	}
	if i := slices.IndexFunc(here,
		func(g gameOf) bool { return g.Item == r.FormValue("game") }); i >= 0 {
		return here[i], nil
	}
	return slices.MaxFunc(here, func(a, b gameOf) int { return a.kept.Compare(b.kept) }), nil
}

// Check returns why a named directory is neither a run nor a folder that holds one.
func (r *Runs) Check() error {
	for _, dir := range r.Named {
		one := &Runs{Named: []string{dir}}
		if err := one.look(); err != nil {
			return fault.Opening(dir, err)
		}
		if len(one.seen) == 0 {
			return fault.New(fault.NotFound, "holds no %s, and no folder that does", trace.RunFile).At(dir,
				"").
				Hint("name the folder that play wrote with --out")
		}
	}
	return nil
}
