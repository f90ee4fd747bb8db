package worlds

import "github.com/wikinav/wikinav/schemas"

// Cell is a row and a column, from (0,0) at the top left.
type Cell = [2]int

// Grid is a state of GridWorld.
type Grid struct {
	Board     *Board
	Pos       Cell
	Remaining int // moves left in the budget
}

// moves are the steps over a board, in the order of the plan oracle.
var moves = []struct {
	name string
	by   Cell
}{{Up, Cell{-1, 0}}, {Down, Cell{1, 0}}, {Left, Cell{0, -1}}, {Right, Cell{0, 1}}}

// Optimal gives done at the goal, else every move on a least-cost path. The best way may lead through a hole.
func (g Grid) Optimal() []Call {
	if g.Pos == g.Board.Goal {
		return []Call{{Name: Done}}
	}
	var out []Call
	for _, m := range moves {
		if q, ok := g.Board.step(g.Pos, m.by); ok && g.Board.enter(q)+g.Board.Cost(q) == g.Board.Cost(g.Pos) {
			out = append(out, Call{Name: m.name})
		}
	}
	return out
}

// Legal lists the moves that stay on the board, and done.
func (g Grid) Legal() []Call {
	var out []Call
	for _, m := range moves {
		if _, ok := g.Board.step(g.Pos, m.by); ok {
			out = append(out, Call{Name: m.name})
		}
	}
	return append(out, Call{Name: Done})
}

// Dead tells that the budget does not reach the goal.
func (g Grid) Dead() bool { return g.Board.Cost(g.Pos) > g.Remaining }

// Apply moves or ends. A move off the board costs, too, and so may end the episode.
func (g Grid) Apply(c Call) (State, Effect) {
	if c.Name == Done {
		return g, Effect{Event: EventTerminal, Outcome: terminal(g.Pos == g.Board.Goal)}
	}
	e := Effect{Event: EventOffBoard}
	if q, ok := g.Board.step(g.Pos, direction(c.Name)); ok {
		e.Event = EventMoved
		if g.Board.Hole(q) {
			e.Event = EventHole
		}
		g.Pos = q
		g.Remaining -= g.Board.enter(q)
	} else {
		g.Remaining -= g.Board.OOBCost
	}
	if g.Remaining < 0 || g.Remaining == 0 && g.Pos != g.Board.Goal {
		e.Outcome = schemas.OutcomeBudget
	}
	return g, e
}

func direction(name string) Cell {
	for _, m := range moves {
		if m.name == name {
			return m.by
		}
	}
	panic("worlds: no move is called " + name)
}

// AppendCanonical appends {pos, remaining}.
func (g Grid) AppendCanonical(dst []byte) []byte {
	dst = appendInts(append(dst, `{"pos":`...), g.Pos[:]...)
	return append(appendInt(append(dst, `,"remaining":`...), g.Remaining), '}')
}
