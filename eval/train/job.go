package train

import (
	"context"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Job is the data of one family that is to be made.
type Job struct {
	Lesson
	N      int // walks of each kind; with Tasks, 0 for all
	Seed   int64
	Wrong  int // wrong moves in a row of Recovery
	Span   Distances
	Tasks  bool // tasks are those of the set, and none are posed
	Frozen []*Frozen
	Ends   func(u uint32) bool // pages that may be ends of a posed pair
	Tell   func(done int64)    // told of walks as they are made
}

// Sink takes what is made, in its order.
type Sink interface {
	Walk(w *Walk) error
	Row(r *Row) error
}

// Made says what came of a kind.
type Made struct {
	Family    string         `json:"family"`
	Kind      string         `json:"kind"`
	Asked     int            `json:"asked"` // walks; 0 for all that there are
	Walks     int            `json:"walks"`
	Rows      int            `json:"rows"`
	Learnt    int            `json:"learnt"`   // replies to be learnt
	Lengths   map[int]int    `json:"lengths"`  // walks by the turns of an optimal player
	Left      map[string]int `json:"left_out"` // tasks and pairs that came to nothing, by why
	Overlap   map[string]int `json:"overlap"`  // walks that share what is not forbidden, by kind
	Forbidden map[string]int `json:"excluded"` // tasks left out for what they share, by kind
}

// Short reports whether there are fewer walks than were asked for.
func (m *Made) Short() bool { return m.Walks < m.Asked }

// Make makes the walks of a kind, and says what came of it.
func (j *Job) Make(ctx context.Context, kind string, sink Sink) (*Made, error) {
	m := &Made{
		Family: j.Family.Name(), Kind: kind, Asked: j.N, Lengths: map[int]int{}, Left: map[string]int{},
		Overlap: map[string]int{}, Forbidden: map[string]int{},
	}
	w := writer{j, sink, m}
	if j.Tasks {
		return m, w.taken(ctx)
	}
	return m, w.posed(ctx)
}

// writer makes the walks of one kind.
type writer struct {
	*Job
	sink Sink
	made *Made
}

// stream returns the random stream of a drawn thing.
func (w *writer) stream(parts ...string) *rng.Stream {
	name := append([]string{"train", w.Family.Name(), w.made.Kind}, parts...)
	return rng.New(uint64(w.Seed), name...)
}

// id names the n-th walk.
func (w *writer) id() string {
	return fmt.Sprintf("tr-%s-%s-%06d", w.Family.Name(), w.made.Kind, w.made.Walks+1)
}

// posed makes walks between pages of the graph that nothing frozen has.
func (w *writer) posed(ctx context.Context) error {
	posing := w.Set.(family.Posing)
	chart, err := posing.Chart()
	if err != nil {
		return err
	}
	ref := func(u uint32) *schemas.PageRef {
		return &schemas.PageRef{Node: u, PageID: chart.PageID(u), Title: chart.Title(u)}
	}
	d := &drawer{
		chart: chart, ends: w.Ends, span: w.Span, stream: w.stream,
		barred: func(u uint32) bool { return w.frozenTarget(*ref(u)) },
	}
	return d.draw(ctx, w.N, func(source, target uint32, _ int) (bool, error) {
		m := family.Marks{Source: ref(source), Target: ref(target)}
		if w.excluded(m) {
			return false, nil
		}
		drawn := w.stream("seed", rng.Part(m.Source.PageID), rng.Part(m.Target.PageID))
		seed := int64(drawn.Below(1 << 31))
		t, ok, err := posing.Pose(family.Ends{ID: w.id(), Source: source, Target: target, Seed: seed})
		if err != nil {
			return false, err
		}
		if !ok {
			w.made.Left[noPose]++
			return false, nil
		}
		return w.walk(t, seed)
	})
}

func (w *writer) frozenTarget(p schemas.PageRef) bool {
	return slices.ContainsFunc(w.Frozen, func(f *Frozen) bool { return f.targets[f.page(p)] })
}

// excluded counts a task that shares what is forbidden.
func (w *writer) excluded(m family.Marks) bool {
	for _, f := range w.Frozen {
		if kind := forbids(f.Shares(w.Family.Name(), m)); kind != "" {
			w.made.Forbidden[kind]++
			return true
		}
	}
	return false
}

// taken makes walks of the tasks of the set, in an order drawn.
func (w *writer) taken(ctx context.Context) error {
	marked, ok := w.Set.(family.Marked)
	if !ok {
		return fault.New(fault.Usage, "family %s does not say what its tasks share with others",
			fault.Quote(w.Family.Name()))
	}
	tasks, err := openTasks(w.Set)
	if err != nil {
		return err
	}
	rng.Shuffled(w.stream("tasks"), tasks)
	for _, t := range tasks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.N > 0 && w.made.Walks == w.N {
			break
		}
		m, err := marked.Marks(t)
		if err != nil {
			return err
		}
		if w.excluded(m) {
			continue
		}
		if _, err := w.walk(t, 0); err != nil {
			return err
		}
	}
	return nil
}

// openTasks lists the tasks that are played without being named.
func openTasks(set family.Set) (list []family.Task, err error) {
	splits, err := family.Choose(set, nil)
	if err != nil {
		return nil, err
	}
	for _, split := range splits {
		tasks, err := set.Tasks(split.Name, 0)
		if err != nil {
			return nil, err
		}
		list = append(list, tasks...)
	}
	return list, nil
}

// tries is how often a walk is begun anew where it comes to nothing.
const tries = 8

// walk makes the walk of a task and reports whether there is one.
func (w *writer) walk(t family.Task, seed int64) (bool, error) {
	why := ""
	for try := range tries {
		c := course{w.made.Kind, w.Wrong, w.stream("walk", t.ID, rng.Part(try))}
		walk, rows, reason, err := w.play(t, w.id(), c)
		if err != nil {
			return false, err
		}
		if reason == "" {
			return true, w.keep(t, seed, walk, rows)
		}
		if why = reason; c.kind != Recovery {
			break
		}
	}
	w.made.Left[why]++
	return false, nil
}

func (w *writer) keep(t family.Task, seed int64, walk *Walk, rows []Row) error {
	m, err := w.Set.(family.Marked).Marks(t)
	if err != nil {
		return err
	}
	walk.Source, walk.Target, walk.Under = m.Source, m.Target, m.Under
	walk.Instance, walk.Seed = m.Instance, seed
	walk.Parts = append(walk.Parts, m.Parts...)
	if t.Posed == nil {
		walk.Task = t.ID
	}
	made, shared := w.made, map[string]bool{} // with any of the releases
	for _, f := range w.Frozen {
		kinds := f.Shares(w.Family.Name(), m)
		if kind := forbids(kinds); kind != "" {
			return fmt.Errorf("%s shares what it must not with %s: %s", walk.ID, f.ManifestID, kind)
		}
		for _, kind := range kinds {
			shared[kind] = true
		}
	}
	for kind := range shared { // each by itself
		made.Overlap[kind]++
	}
	made.Walks++
	made.Lengths[walk.Left]++
	if err := w.sink.Walk(walk); err != nil {
		return err
	}
	for i := range rows {
		made.Rows++
		for _, learnt := range rows[i].Train {
			if learnt {
				made.Learnt++
			}
		}
		if err := w.sink.Row(&rows[i]); err != nil {
			return err
		}
	}
	if w.Tell != nil {
		w.Tell(int64(made.Walks))
	}
	return nil
}

// Open opens what a release has of a family, to make data of it.
func Open(fam family.Family, r *open.Release, options []string) (Lesson, error) {
	set, o, err := openSet(fam, r, options)
	return Lesson{fam, set, o}, err
}

// Can says why a family makes no data from the tasks of its set, or from pairs of its own; nil if
// it does.
func (l Lesson) Can(fromTasks bool) error {
	name := fault.Quote(l.Family.Name())
	if _, marked := l.Set.(family.Marked); !marked {
		return fault.New(fault.Usage, "family %s does not say what its tasks share with others", name)
	}
	if _, poses := l.Set.(family.Posing); !poses && !fromTasks {
		return fault.New(fault.Usage, "family %s has no tasks but those of a build", name).
			Hint("build a release of the same dump with another --seed, and name it with --tasks")
	}
	e, err := l.sample()
	if e == nil || err != nil {
		return err
	}
	if _, ok := e.(family.Taught); !ok {
		return fault.New(fault.Usage, "family %s does not say how it is played well", name)
	}
	return nil
}

// sample returns an episode of the set, nil where it has no task.
func (l Lesson) sample() (family.Episode, error) {
	for _, split := range l.Set.Splits() {
		tasks, err := l.Set.Tasks(split.Name, 1)
		if err != nil {
			return nil, err
		}
		if len(tasks) > 0 && !split.Closed {
			return l.Set.Start(tasks[0], l.Options, chat)
		}
	}
	return nil, nil
}

// Kinds returns the kinds that a family has, of those that are named, or of all. A question is one
// turn: it has single moves alone.
func (l Lesson) Kinds(named []string) ([]string, error) {
	has := KindNames
	e, err := l.sample()
	if err != nil {
		return nil, err
	}
	if _, measured := e.(family.Measured); !measured && e != nil {
		has = []string{Step}
	}
	if len(named) == 0 {
		return has, nil
	}
	for _, kind := range named {
		if !slices.Contains(has, kind) {
			return nil, fault.New(fault.Usage, "--kind %s: family %s asks single questions",
				fault.Quote(kind), fault.Quote(l.Family.Name())).Hint("choose --kind %s", Step)
		}
	}
	return named, nil
}

// Rules are the rules by which a model would be evaluated on what the rows say.
func (l Lesson) Rules() (schemas.Rules, error) {
	words, err := l.Family.Words(l.Options, chat)
	return schemas.Rules{
		Options: l.Options.JSON, Interface: chat.Interface, Prompt: words.Prompt, Parser: words.Parser,
	}, err
}
