package worlds

import "slices"

// Board is a grid with its goal and holes. NewBoard makes it; it is not changed afterwards.
type Board struct {
	N        int
	Goal     Cell
	HoleCost int
	OOBCost  int
	hole     []bool // row-major, as the two below
	cost     []int
	moves    []int
}

// NewBoard computes for each cell the least cost to the goal, and the fewest moves at that cost. Holes can be entered, so every cell
// has a way. A move costs what the cell that is entered costs: 1, or 1 + holeCost.
//
// Dial's algorithm from the goal over reversed moves: cells wait in a queue per cost. O(n*n) time for a fixed holeCost.
// Dial 1969, https://doi.org/10.1145/363269.363610
func NewBoard(n int, goal Cell, holes []Cell, holeCost, oobCost int) *Board {
	b := &Board{
		N: n, Goal: goal, HoleCost: holeCost, OOBCost: oobCost,
		hole: make([]bool, n*n), cost: slices.Repeat([]int{-1}, n*n), moves: make([]int, n*n),
	}
	for _, h := range holes {
		b.hole[b.at(h)] = true
	}
	waiting := [][]Cell{{goal}}
	for d := 0; d < len(waiting); d++ {
		for _, q := range waiting[d] {
			if b.cost[b.at(q)] < 0 {
				b.settle(q, d)
				waiting = b.push(waiting, q, d)
			}
		}
	}
	return b
}

// settle fixes the cost of q. Every cell on the way from q is settled already, because each move costs something.
func (b *Board) settle(q Cell, d int) {
	b.cost[b.at(q)] = d
	if q == b.Goal {
		return
	}
	fewest := -1
	for _, m := range moves {
		r, ok := b.step(q, m.by)
		if ok && b.Cost(r) >= 0 && b.enter(r)+b.Cost(r) == d && (fewest < 0 || b.Moves(r) < fewest) {
			fewest = b.Moves(r)
		}
	}
	b.moves[b.at(q)] = fewest + 1
}

// push queues the neighbours of q: entering q from any of them costs the same.
func (b *Board) push(waiting [][]Cell, q Cell, d int) [][]Cell {
	d += b.enter(q)
	for len(waiting) <= d {
		waiting = append(waiting, nil)
	}
	for _, m := range moves {
		if p, ok := b.step(q, m.by); ok && b.Cost(p) < 0 {
			waiting[d] = append(waiting[d], p)
		}
	}
	return waiting
}

func (b *Board) at(c Cell) int { return c[0]*b.N + c[1] }

// step gives the cell beside c; ok is false off the board.
func (b *Board) step(c, by Cell) (q Cell, ok bool) {
	q = Cell{c[0] + by[0], c[1] + by[1]}
	return q, b.on(q)
}

func (b *Board) on(c Cell) bool { return c[0] >= 0 && c[0] < b.N && c[1] >= 0 && c[1] < b.N }

// enter is what a move into c costs.
func (b *Board) enter(c Cell) int {
	if b.hole[b.at(c)] {
		return 1 + b.HoleCost
	}
	return 1
}

func (b *Board) Hole(c Cell) bool { return b.hole[b.at(c)] }

// Cost is the least cost from c to the goal.
func (b *Board) Cost(c Cell) int { return b.cost[b.at(c)] }

// Moves is the fewest moves of a least-cost way from c to the goal.
func (b *Board) Moves(c Cell) int { return b.moves[b.at(c)] }

// Holes lists the holes in row-major order.
func (b *Board) Holes() []Cell {
	out := []Cell{}
	for i, hole := range b.hole {
		if hole {
			out = append(out, Cell{i / b.N, i % b.N})
		}
	}
	return out
}
