// Package links is the game of links as a family of instances: what families of such games, with a
// ban or without, have in common.
//
// A family embeds Rules, which read its options and say in which words its games are put to
// players, and opens a Set over the release (Of) with the splits that it publishes. An Episode is
// one game: it knows all forms of replies, numbers, titles, words and calls of tools, and keeps the
// record of its turns. The rules of a game are package game's, its prompts package render's, the
// reading of words package reply's, and the score of a log package replay's.
//
// It promises that a game depends on its instance, its options and the replies alone, however it is
// played.
package links

import (
	"slices"
	"sync"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Info is what is told of an instance before it is played: no distance, no witness, no feature.
type Info struct {
	ID       string    `json:"id"`
	Split    string    `json:"split"`
	Source   game.Page `json:"source"`
	Target   game.Page `json:"target"`
	MaxSteps int       `json:"max_steps"`
	MaxLinks int       `json:"max_links"`
}

// InfoOf describes a task; the limits are those that are published with it.
func InfoOf(t game.Task, split string, maxSteps, maxLinks int) Info {
	return Info{t.ID, split, pageOf(t.Source), pageOf(t.Target), maxSteps, maxLinks}
}

func pageOf(p schemas.PageRef) game.Page { return game.Page{PageID: p.PageID, Title: p.Title} }

// CheckPages refuses pages that are not the graph's: a game would be about others than its record.
func CheckPages(w game.World, pages ...schemas.PageRef) *fault.Error {
	for _, p := range pages {
		if int64(p.Node) >= int64(w.Len()) || w.PageID(p.Node) != p.PageID || w.Title(p.Node) != p.Title {
			return fault.New(fault.Mismatch, "node %d is not page %d, %s", p.Node, p.PageID, fault.Quote(p.Title))
		}
	}
	return nil
}

// Seen is the split of each instance that was read. Games are found by the ids of their instances,
// over all splits.
type Seen map[string]string

// Add refuses an id that stands already.
func (s Seen) Add(id, split string) *fault.Error {
	if first, twice := s[id]; twice {
		return fault.New(fault.Malformed, "instance %s stands in %s already", fault.Quote(id), first)
	}
	s[id] = split
	return nil
}

// Set is the games of a release. It is safe for concurrent use.
type Set struct {
	of     replay.Release
	tasks  map[string][]family.Task // by split
	games  map[string]*game.Task    // by id
	fences fences
}

var (
	_ family.Set     = (*Set)(nil)
	_ family.Charted = (*Set)(nil)
	_ family.Keyed   = (*Set)(nil)
)

// New returns the set of a release's games; info describes a task of a split, and is asked once for
// each, in their order.
func New(of replay.Release, info func(t game.Task, split string) Info) *Set {
	s := &Set{of: of, tasks: map[string][]family.Task{}, games: map[string]*game.Task{}}
	s.fences.tasks = map[string]func() (game.Task, error){}
	for _, split := range of.Splits {
		s.tasks[split.Name] = make([]family.Task, 0, len(split.Tasks))
		for i, t := range split.Tasks {
			s.games[t.ID] = &split.Tasks[i]
			s.tasks[split.Name] = append(s.tasks[split.Name], family.Task{
				ID: t.ID, Instance: t.ID, Split: split.Name, Info: s.listed(t, info(t, split.Name)),
			})
		}
	}
	return s
}

// listed returns what a list says of a task, which names pages as the games do.
func (s *Set) listed(t game.Task, info Info) Info {
	if name := s.of.Pseudonym; name != nil {
		info.Source = game.Page{Title: name(t.Source.Node)}
		info.Target = game.Page{Title: name(t.Target.Node)}
	}
	return info
}

func (s *Set) Release() replay.Release { return s.of }

func (s *Set) Splits() []family.Split {
	list := make([]family.Split, len(s.of.Splits))
	for i, split := range s.of.Splits {
		list[i] = split.Split
	}
	return list
}

func (s *Set) Tasks(split string, most int) ([]family.Task, error) {
	return family.First(s.tasks[split], most), nil
}

// Start begins a game. Pairs without a path are played where NO_PATH may be answered alone.
func (s *Set) Start(t family.Task, o family.Options, m family.Manner) (family.Episode, error) {
	opts := rulesOf(o)
	found, err := s.find(t)
	if err != nil {
		return nil, err
	}
	task := *found
	if task.Barred() && opts.NoPath != game.NoPathOn {
		return nil, fault.New(fault.Usage, "pairs without a path are played where NO_PATH may be answered").Hint("add --option no_path=on")
	}
	reader, err := readerOf(opts, m)
	if err != nil {
		return nil, err
	}
	w, err := s.of.World(opts)
	if err != nil {
		return nil, err
	}
	if t.Posed == nil {
		task, err = s.fences.of(w, task)
	}
	if err != nil {
		return nil, err
	}
	if task.Attempt = t.Attempt; opts.Reshuffle == game.ReshuffleAttempt && m.Hosted() {
		return nil, fault.New(fault.Usage, "reshuffle=%s is not served: which attempt a game is, is known at its end", opts.Reshuffle).
			Hint("leave the option out, or let play play")
	}
	g, err := game.Start(w, task, opts)
	if err != nil {
		return nil, err
	}
	return &Episode{
		resolve: s.of.Resolve, task: task, opts: opts, manner: m, world: w, game: g, name: t.ID,
		reader: reader, dialogue: render.New(opts, m.Prompt),
	}, nil
}

func (s *Set) Chart() (family.Chart, error) {
	w, err := s.of.World(s.of.Defaults)
	if err != nil {
		return nil, err
	}
	chart, ok := w.(family.Chart)
	if !ok {
		return nil, fault.New(fault.NotFound, "the pages of this world have no ids to be found by")
	}
	return chart, nil
}

func (s *Set) Finder() (func(title string) (uint32, bool), error) { return s.of.Resolve(true) }

// Key returns the title of the target.
func (s *Set) Key(t family.Task) (family.Key, error) {
	found, err := s.find(t)
	if err != nil {
		return family.Key{}, err
	}
	return family.Key{Target: found.Target.Title}, nil
}

// find returns the game of a task, of the release or posed.
func (s *Set) find(t family.Task) (*game.Task, error) {
	if posed, ok := t.Posed.(*game.Task); ok {
		return posed, nil
	}
	if found, ok := s.games[t.ID]; ok {
		return found, nil
	}
	return nil, noInstance(t.ID)
}

func noInstance(id string) error {
	return fault.New(fault.NotFound, "no instance %s", fault.Quote(id))
}

func (s *Set) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	if err := family.NoChoice("the game of links", req.Options); err != nil {
		return nil, err
	}
	return replay.Score(s.of, log, req)
}

// fences keeps what bans make of the world for the tasks that were played last: it takes a search
// each, and is as large as the graph. Games of one task share it.
type fences struct {
	mu    sync.Mutex
	tasks map[string]func() (game.Task, error)
	order []string // ids, the oldest first
}

// Fences are kept up to so many bytes, but at least so many.
const (
	fenceBytes = 1 << 30
	fewFences  = 64
)

func (f *fences) of(w game.World, t game.Task) (game.Task, error) {
	if t.Ban == nil {
		return t, nil
	}
	return f.get(w, t)()
}

func (f *fences) get(w game.World, t game.Task) func() (game.Task, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if kept := f.tasks[t.ID]; kept != nil {
		return kept
	}
	if len(f.order) >= max(fewFences, fenceBytes/max(1, 3*w.Len())) {
		delete(f.tasks, f.order[0])
		f.order = slices.Delete(f.order, 0, 1)
	}
	kept := sync.OnceValues(func() (game.Task, error) { return t.Fenced(w) })
	f.tasks[t.ID], f.order = kept, append(f.order, t.ID)
	return kept
}
