package prompt

import (
	"fmt"
	"strconv"
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
