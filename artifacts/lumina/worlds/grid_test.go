package worlds

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

// hand is the worked example of the specification, 5.2.
func hand() Grid {
	b := NewBoard(4, Cell{3, 1}, []Cell{{0, 0}, {2, 2}, {3, 2}}, 3, 1)
	return Grid{b, Cell{0, 3}, 12}
}

func TestHandExampleOfAGrid(t *testing.T) {
	g := hand()
	if got, want := fmt.Sprint(g.Board.cost), "[4 3 4 5 3 2 3 4 2 1 2 5 1 0 1 5]"; got != want {
		t.Errorf("costs: got %s, want %s", got, want)
	}
	for pos, want := range map[Cell]string{{0, 3}: "[down() left()]", {3, 3}: "[left()]", {3, 1}: "[done()]"} {
		if got := fmt.Sprint(Grid{g.Board, pos, 12}.Optimal()); got != want {
			t.Errorf("at %v: got %s, want %s", pos, got, want)
		}
	}
}

func TestGridRules(t *testing.T) {
	b := hand().Board
	for _, c := range []struct {
		pos       Cell
		remaining int
		call      string
		event     Event
		outcome   string
		want      string
	}{
		{Cell{0, 3}, 5, Down, EventMoved, "", "[1 3] 4"},
		{Cell{0, 1}, 5, Left, EventHole, "", "[0 0] 1"},
		{Cell{0, 1}, 4, Left, EventHole, schemas.OutcomeBudget, "[0 0] 0"},
		{Cell{0, 1}, 3, Left, EventHole, schemas.OutcomeBudget, "[0 0] -1"},
		{Cell{0, 3}, 5, Up, EventOffBoard, "", "[0 3] 4"},
		{Cell{0, 3}, 1, Up, EventOffBoard, schemas.OutcomeBudget, "[0 3] 0"},
		{Cell{2, 1}, 1, Down, EventMoved, "", "[3 1] 0"}, // at the goal with nothing left: done is free
		{Cell{3, 1}, 0, Done, EventTerminal, schemas.OutcomeSuccess, "[3 1] 0"},
		{Cell{3, 1}, 0, Up, EventMoved, schemas.OutcomeBudget, "[2 1] -1"},
		{Cell{0, 3}, 5, Done, EventTerminal, schemas.OutcomeWrongTerminal, "[0 3] 5"},
	} {
		next, e := Grid{b, c.pos, c.remaining}.Apply(Call{Name: c.call})
		g := next.(Grid)
		if got := fmt.Sprint(g.Pos, g.Remaining); e.Event != c.event || e.Outcome != c.outcome || got != c.want {
			t.Errorf("%s at %v with %d: got event %d, outcome %q, %s; want %d, %q, %s", c.call, c.pos, c.remaining, e.Event, e.Outcome, got, c.event, c.outcome, c.want)
		}
	}
}

func TestAGridIsDeadWhenTheBudgetDoesNotReach(t *testing.T) {
	g := hand()
	for remaining, want := range map[int]bool{4: true, 5: false} {
		if got := (Grid{g.Board, g.Pos, remaining}).Dead(); got != want {
			t.Errorf("%d moves left, 5 needed: dead %t, want %t", remaining, got, want)
		}
	}
}

// simplePath gives the least cost over all simple paths, by walking every one of them.
func simplePath(n int, hole func(Cell) bool, from, goal Cell, been map[Cell]bool) int {
	if from == goal {
		return 0
	}
	best := 1 << 30
	been[from] = true
	for _, q := range []Cell{{from[0] - 1, from[1]}, {from[0] + 1, from[1]}, {from[0], from[1] - 1}, {from[0], from[1] + 1}} {
		if q[0] < 0 || q[1] < 0 || q[0] >= n || q[1] >= n || been[q] {
			continue
		}
		cost := 1
		if hole(q) {
			cost = 4
		}
		best = min(best, cost+simplePath(n, hole, q, goal, been))
	}
	delete(been, from)
	return best
}

func TestEverySmallBoardAgreesWithAllSimplePaths(t *testing.T) {
	var boards, cells, several, intoHole int
	for mask := range 1 << 9 {
		if bits.OnesCount(uint(mask)) > 4 {
			continue
		}
		hole := func(c Cell) bool { return mask>>(3*c[0]+c[1])&1 == 1 }
		for goal := range 9 {
			to := Cell{goal / 3, goal % 3}
			if hole(to) {
				continue
			}
			boards++
			b := NewBoard(3, to, holesOf(3, hole), 3, 1)
			for i := range 9 {
				from := Cell{i / 3, i % 3}
				if want := simplePath(3, hole, from, to, map[Cell]bool{}); b.Cost(from) != want {
					t.Fatalf("holes %b, from %v to %v: cost %d, want %d", mask, from, to, b.Cost(from), want)
				}
				if from == to {
					continue
				}
				cells++
				best := Grid{b, from, 99}.Optimal()
				if len(best) > 1 {
					several++
				}
				if entersHole(b, from, best) {
					intoHole++
				}
			}
		}
	}
	got, want := []int{boards, cells, several, intoHole}, []int{1467, 11736, 2596, 1472}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("boards, cells, several, into a hole: got %v, want %v", got, want)
	}
	t.Logf("boards, cells, several, into a hole: %v", got)
}

func holesOf(n int, hole func(Cell) bool) []Cell {
	var out []Cell
	for i := range n * n {
		if c := (Cell{i / n, i % n}); hole(c) {
			out = append(out, c)
		}
	}
	return out
}

func entersHole(b *Board, from Cell, calls []Call) bool {
	for _, c := range calls {
		if _, e := (Grid{b, from, 99}).Apply(c); e.Event == EventHole {
			return true
		}
	}
	return false
}

func TestRandomBoardsAgreeWithBellmanFord(t *testing.T) {
	cells := 0
	for seed := 0; cells < 175_000; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		n := 3 + r.IntN(10)
		holes := map[Cell]bool{}
		for i := range n * n {
			holes[Cell{i / n, i % n}] = r.IntN(100) < 40
		}
		goal := Cell{r.IntN(n), r.IntN(n)}
		holes[goal] = false
		hole := func(c Cell) bool { return holes[c] }
		b := NewBoard(n, goal, holesOf(n, hole), 3, 1)
		for c, want := range bellmanFord(n, hole, goal) {
			cells++
			if got := [2]int{b.Cost(c), b.Moves(c)}; got != want {
				t.Fatalf("seed %d, %v: cost and moves %v, want %v", seed, c, got, want)
			}
		}
	}
	t.Logf("%d cells", cells)
}

// bellmanFord relaxes every move until nothing changes; costs first, then moves.
func bellmanFord(n int, hole func(Cell) bool, goal Cell) map[Cell][2]int {
	d := map[Cell][2]int{}
	for i := range n * n {
		d[Cell{i / n, i % n}] = [2]int{1 << 29, 0}
	}
	d[goal] = [2]int{}
	for changed := true; changed; {
		changed = false
		for i := range n * n {
			p := Cell{i / n, i % n}
			for _, q := range []Cell{{p[0] - 1, p[1]}, {p[0] + 1, p[1]}, {p[0], p[1] - 1}, {p[0], p[1] + 1}} {
				at, ok := d[q]
				if !ok {
					continue
				}
				way := [2]int{at[0] + 1, at[1] + 1}
				if hole(q) {
					way[0] += 3
				}
				if way[0] < d[p][0] || way[0] == d[p][0] && way[1] < d[p][1] {
					d[p], changed = way, true
				}
			}
		}
	}
	return d
}
