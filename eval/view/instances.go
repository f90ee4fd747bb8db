package view

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// row is an instance in a list.
type row struct {
	Task     string            `json:"task"`
	Instance string            `json:"instance"`
	Variant  string            `json:"variant,omitempty"`
	Info     any               `json:"info"`
	Length   *int              `json:"length"`
	Features map[string]string `json:"features"`
	Playing  bool              `json:"playing,omitempty"`

	words string // what a search looks in
}

// index keeps the lists of the splits that were looked at, and the tasks of all once one was.
type index struct {
	mu    sync.Mutex
	lists map[string]*listed
	tasks map[string]family.Task
}

type listed struct {
	rows   []row
	called string // what lengths are called
	names  []string
}

func (o *Opened) list(split string) (*listed, error) {
	o.index.mu.Lock()
	defer o.index.mu.Unlock()
	if l := o.index.lists[split]; l != nil {
		return l, nil
	}
	tasks, err := o.Set.Tasks(split, 0)
	if err != nil {
		return nil, err
	}
	if tasks == nil {
		return nil, fault.New(fault.NotFound, "there is no split %s", fault.Quote(split))
	}
	l := &listed{}
	for _, t := range tasks {
		l.add(o.Set, t)
	}
	if o.index.lists == nil {
		o.index.lists = map[string]*listed{}
	}
	o.index.lists[split] = l
	return l, nil
}

func (l *listed) add(set family.Set, t family.Task) {
	info := canon.MustMarshal(t.Info)
	r := row{
		Task: t.ID, Instance: t.Instance, Variant: t.Variant, Info: t.Info,
		Features: map[string]string{},
	}
	r.words = strings.ToLower(t.ID + " " + string(info))
	if d, ok := set.(family.Described); ok {
		if known, is := d.Difficulty(t.Instance); is {
			r.Length, l.called = &known.Length, known.Called
			for _, f := range known.Features {
				r.Features[f.Name] = f.Value
				if !slices.Contains(l.names, f.Name) {
					l.names = append(l.names, f.Name)
				}
			}
		}
	}
	l.rows = append(l.rows, r)
}

// Columns that a list is sorted by besides features.
const (
	byTask   = "task"
	byLength = "length"
)

const (
	pageDefault = 50
	pageMost    = 500
)

func (s *Server) list(r *http.Request) (any, error) {
	o, err := s.family(r.FormValue("family"))
	if err != nil {
		return nil, err
	}
	l, err := o.list(r.FormValue("split"))
	if err != nil {
		return nil, err
	}
	offset, err := number(r, "offset", 0)
	if err != nil {
		return nil, err
	}
	limit, err := number(r, "limit", pageDefault)
	if err != nil {
		return nil, err
	}
	found := l.find(r.FormValue("q"))
	l.sort(found, r.FormValue("sort"), r.FormValue("desc") == "1")
	from := min(offset, len(found))
	shown := slices.Clone(found[from:min(from+min(limit, pageMost), len(found))])
	for i, x := range shown {
		if o.Games.Plays(x.Instance) {
			shown[i].Playing, shown[i].Length, shown[i].Features = true, nil, nil
		}
	}
	return map[string]any{"total": len(found), "called": l.called, "features": l.names, "rows": shown},
		nil
}

// find lists the rows that hold all words of a search.
func (l *listed) find(text string) []row {
	wanted := strings.Fields(strings.ToLower(text))
	return slices.DeleteFunc(slices.Clone(l.rows), func(r row) bool {
		return slices.ContainsFunc(wanted, func(w string) bool { return !strings.Contains(r.words, w) })
	})
}

// sort orders rows by a column, numbers by their value and those without one last.
func (l *listed) sort(rows []row, column string, down bool) {
	if column == "" {
		return
	}
	order.Sort(rows, func(a, b row) int {
		x, y := a.value(column), b.value(column)
		n := compare(x, y)
		if down && x != "" && y != "" {
			n = -n
		}
		return n
	})
}

func (r row) value(column string) string {
	switch {
	case column == byTask:
		return r.Task
	case column == byLength && r.Length != nil:
		return strconv.Itoa(*r.Length)
	}
	return r.Features[column]
}

func compare(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case a == "" || b == "":
		return cmp.Compare(b, a)
	case errX == nil && errY == nil:
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

// find returns a task by its id, over all splits.
func (o *Opened) find(id string) (t family.Task, ok bool, err error) {
	o.index.mu.Lock()
	defer o.index.mu.Unlock()
	if o.index.tasks == nil {
		if o.index.tasks, err = family.TasksByID(o.Set); err != nil {
			return t, false, err
		}
	}
	t, ok = o.index.tasks[id]
	return t, ok, nil
}

// chosen is a task with its family, whose name the request need not say.
type chosen struct {
	family.Task
	*Opened
	name string
}

func (s *Server) requested(r *http.Request) (chosen, error) {
	id := r.FormValue("task")
	for _, f := range s.Families {
		o, err := f.Open()
		if err != nil {
			continue // the release has nothing of it
		}
		if t, ok, err := o.find(id); ok || err != nil {
			return chosen{t, o, f.Name}, err
		}
	}
	return chosen{}, fault.New(fault.NotFound, "there is no instance %s", fault.Quote(id))
}

// task tells what a player may know before the game, choices that the question lists included.
func (s *Server) task(r *http.Request) (any, error) {
	t, err := s.requested(r)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"family": t.name, "task": t.ID, "split": t.Split, "info": t.Info}
	if keyed, ok := t.Set.(family.Keyed); ok {
		if k, err := keyed.Key(t.Task); err == nil && len(k.Choices) > 0 {
			out["choices"] = k.Choices
		}
	}
	return out, nil
}

func (s *Server) instance(r *http.Request) (any, error) {
	t, err := s.requested(r)
	if err != nil {
		return nil, err
	}
	out := map[string]any{
		"family": t.name, "task": t.ID, "instance": t.Instance, "variant": t.Variant, "split": t.Split,
		"info": t.Info,
	}
	if t.Games.Plays(t.Instance) {
		out["playing"] = true
		return out, nil
	}
	if d, ok := t.Set.(family.Described); ok {
		if known, is := d.Difficulty(t.Instance); is {
			out["difficulty"] = map[string]any{
				"length": known.Length, "called": known.Called,
				"features": known.Features,
			}
		}
	}
	if keyed, ok := t.Set.(family.Keyed); ok {
		if k, err := keyed.Key(t.Task); err == nil {
			out["key"] = cmp.Or(strings.Join(k.Targets, "\n"), k.Target)
		}
	}
	t.draw(t.Task, out)
	if e, err := t.Set.Start(t.Task, t.Options,
		family.Manner{Interface: schemas.InterfaceChat}); err == nil {
		out["messages"] = e.Messages()
	}
	out["games"], err = s.Runs.games(t.name, t.Task)
	return out, err
}

// draw adds the drawing of a task, where its family draws.
func (o *Opened) draw(t family.Task, to map[string]any) {
	d, ok := o.Set.(family.Drawn)
	if !ok {
		return
	}
	drawing, err := d.Drawing(t)
	if err != nil {
		to["undrawn"] = err.Error()
		return
	}
	to["drawing"], to["legend"] = drawing, append([]dag.Meaning{}, drawing.Legend()...)
}
