package family

import (
	"github.com/wikinav/wikinav/schemas"
)

// Taught is an Episode that knows how it is played well: what is written to train on follows from
// it.
type Taught interface {
	// Lesson returns what may be replied to the turn at hand of a running episode.
	Lesson() (Lesson, error)
}

// Lesson is the replies to a turn, as a model at the episode's interface writes them.
type Lesson struct {
	Right []Reply // each begins a shortest way to success; none where no way is left
	Wrong []Reply // each is understood and allowed, leads no nearer, and leaves a way to success
}

// Posing is a Set that poses tasks which nobody has drawn: pairs of pages of its graph.
type Posing interface {
	Charted
	// Pose returns the task of a pair, which Start begins as it begins those of the release; false
	// for a pair of which the family makes no task.
	Pose(p Ends) (Task, bool, error)
}

// Ends are what a task is posed of. What the task needs besides is drawn from Seed.
type Ends struct {
	ID             string // of the task, and of the menus that it shows
	Source, Target uint32
	Seed           int64
}

// Marked is a Set that says of a task what no other may share with it if one of the two is trained
// on and the other is scored.
type Marked interface {
	Marks(t Task) (Marks, error)
}

// Marks name what a task is about. The names are the same in every release of a wiki.
type Marks struct {
	Source, Target *schemas.PageRef // of a pair of pages; nil for tasks of another kind
	Under          string           // what is asked of the pair besides
	Instance       string           // the whole of what is asked; "" for a pair of pages
	Parts          []string         // what it is made of, such as pages
}
