package prompt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// GridView is all that there is to know of a GridWorld, and the moment. Cells are row and column.
type GridView struct {
	N         int
	Pos       [2]int
	Goal      [2]int
	Holes     [][2]int // row-major
	HoleCost  int      // on top of a move's 1
	OOBCost   int
	Remaining int
}

// Task returns the board, with the position as start and what remains as budget.
func (v GridView) Task() string {
	holes := make([]string, len(v.Holes))
	for i, h := range v.Holes {
		holes[i] = Cell(h)
	}
	return fill("grid.task", "n", strconv.Itoa(v.N), "start", Cell(v.Pos), "goal", Cell(v.Goal), "holes", orNone(holes),
		"hole_cost", strconv.Itoa(1+v.HoleCost), "oob_cost", strconv.Itoa(v.OOBCost), "budget", strconv.Itoa(v.Remaining))
}

func (v GridView) State() string {
	return fill("grid.state", "pos", Cell(v.Pos), "remaining", strconv.Itoa(v.Remaining),
		"down", strconv.Itoa(v.Goal[0]-v.Pos[0]), "right", strconv.Itoa(v.Goal[1]-v.Pos[1]))
}

func Cell(c [2]int) string { return fmt.Sprintf("(%d, %d)", c[0], c[1]) }

// steps are rows and columns that the moves go.
var steps = map[string][2]int{"up": {-1, 0}, "down": {1, 0}, "left": {0, -1}, "right": {0, 1}}

// Why says where the goal lies, and what the move enters.
func (v GridView) Why(c Call) string {
	step, moves := steps[c.Name]
	if !moves {
		return fmt.Sprintf("the position %s is the goal, so the task can be ended.", Cell(v.Pos))
	}
	to, what := [2]int{v.Pos[0] + step[0], v.Pos[1] + step[1]}, "which is free and on a cheapest way"
	if slices.Contains(v.Holes, to) {
		what = fmt.Sprintf("a hole, which costs %d, but no way around it is cheaper", 1+v.HoleCost)
	}
	return fmt.Sprintf("from %s the goal %s lies %s. The move %s enters %s, %s.",
		Cell(v.Pos), Cell(v.Goal), v.offset(), c.Name, Cell(to), what)
}

// offset says how far the goal is, in words.
func (v GridView) offset() string {
	var parts []string
	for axis, words := range [2][3]string{{"row", "down", "up"}, {"column", "right", "left"}} {
		n, way := v.Goal[axis]-v.Pos[axis], words[1]
		if n < 0 {
			n, way = -n, words[2]
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s(s) %s", n, words[0], way))
		}
	}
	return strings.Join(parts, " and ")
}
