package game

import "github.com/wikinav/wikinav/schemas"

// Task is what a game asks for, whatever the family of its record.
type Task struct {
	ID     string
	Source schemas.PageRef
	Target schemas.PageRef
	Seed   int64 // of the menus
	// Attempt counts the games of a player on the task from 1, as does 0: under reshuffle it
	// changes the menus' order.
	Attempt int
	Length  int  // links of a shortest path, under a ban of a shortest allowed one; schemas.Unreached for none
	Ban     *Ban // nil for none

	fence *fence // nil until Fenced
}

// Barred reports whether the ban of the task leaves no path.
func (t Task) Barred() bool { return t.Ban != nil && t.Length == int(schemas.Unreached) }

// Fenced returns the task with what its ban makes of w worked out: games of it in w then share what
// is large and takes a search. A task without a ban is given back as it is.
func (t Task) Fenced(w World) (Task, error) {
	if t.Ban == nil || t.fence != nil {
		return t, nil
	}
	var err error
	t.fence, err = t.encloses(w)
	return t, err
}

// Measured returns the task with the length that w has for it, whatever it says: schemas.Unreached
// where the ban leaves no path, or there is none.
func (t Task) Measured(w World) (Task, error) {
	if t.Ban == nil {
		column, err := w.Column(t.Target.Node)
		if err == nil {
			t.Length = int(column[t.Source.Node])
		}
		return t, err
	}
	t, err := t.Fenced(w)
	if err == nil {
		t.Length = int(t.fence.distance[t.Source.Node])
	}
	return t, err
}
