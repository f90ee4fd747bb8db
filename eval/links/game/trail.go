package game

import (
	"maps"
	"slices"
)

type Trail struct {
	path   []uint32
	stack  []uint32 // the pages that back returns to, the current one on top
	visits map[uint32]int
}

func NewTrail(source uint32) Trail {
	t := Trail{visits: map[uint32]int{}}
	t.Push(source)
	return t
}

// Push follows a link to u: back will return from there.
func (t *Trail) Push(u uint32) {
	t.stack = append(t.stack, u)
	t.visit(u)
}

// Back returns to the page that the current one was reached from, false if there is none.
func (t *Trail) Back() bool {
	if t.Depth() == 0 {
		return false
	}
	t.stack = t.stack[:t.Depth()]
	t.visit(t.Page())
	return true
}

func (t *Trail) visit(u uint32) {
	t.path = append(t.path, u)
	t.visits[u]++
}

func (t *Trail) Page() uint32 { return t.stack[len(t.stack)-1] }

// Path lists the pages visited so far, source first. The slice belongs to the trail.
func (t *Trail) Path() []uint32 { return t.path }

// Moves counts the links followed and the ways back.
func (t *Trail) Moves() int { return len(t.path) - 1 }

// Depth counts the links from the source to the current page once the ways back are resolved.
func (t *Trail) Depth() int { return len(t.stack) - 1 }

// MaxVisits is the largest number of visits to one page, the start included.
func (t *Trail) MaxVisits() int { return slices.Max(slices.Collect(maps.Values(t.visits))) }
