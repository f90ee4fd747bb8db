package lumina

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Level 3: every instance drawn anew from its name, and its golden answer, costs and numbers of
// calls found by plain solvers. Level 2 computes what follows from a draw by package worlds, the
// stage's own code.
//
// Result:    what the lumina specification, 3 to 5 and 10, says in words. Encoding:  a list is
// numbers, a tree its nodes by number, a board its cells; -1 is what is not known yet. Reference: a
// list by its table of what is left of both lists, a tree by asking every question that tells
// something, a board by relaxing every cell until none gets cheaper. Nothing is taken from package
// worlds or its draws.

// Prove holds every instance to its draw and its solver.
func (part) Prove(c *release.Check) {
	var params provenParams
	if !c.Params(&params) {
		return
	}
	for _, split := range schemas.LuminaSplits {
		proveSet(c, params, schemas.LuminaList, split, schemas.LuminaListSchema, proveList)
		proveSet(c, params, schemas.LuminaTree, split, schemas.LuminaTreeSchema, proveTree)
		proveSet(c, params, schemas.LuminaGrid, split, schemas.LuminaGridSchema, proveGrid)
	}
}

// provenParams is what draws need of the stage's parameters.
type provenParams struct {
	Seed int64    `json:"seed"`
	Test int      `json:"test"`
	Dev  int      `json:"dev"`
	List []string `json:"list"`
	Tree []string `json:"tree"`
	Grid []string `json:"grid"`
}

// places lists the levels and indices of a set of so many at most.
func (p provenParams) places(env, split string, most int) map[string]bool {
	out := map[string]bool{}
	levels := map[string][]string{schemas.LuminaList: p.List, schemas.LuminaTree: p.Tree, schemas.LuminaGrid: p.Grid}[env]
	n := map[string]int{schemas.LuminaTest: p.Test, schemas.LuminaDev: p.Dev}[split]
	for _, level := range levels {
		for i := range min(n, most+1) { // one more is one missing
			out[fmt.Sprint(level, ", ", i)] = true
		}
	}
	if split == schemas.LuminaFewshot {
		for _, place := range map[string][]string{
			schemas.LuminaList: {"k03, 0", "k03, 1"}, schemas.LuminaTree: {"n007, 0", "n007, 8"}, schemas.LuminaGrid: {"n05, 0", "n05, 1"},
		}[env] {
			out[place] = true
		}
	}
	return out
}

// drawn is what a draw starts from: the stream of an instance, and the letters and numbers of its
// level.
type drawn struct {
	*rng.Stream
	knobs map[string]int
	index int
}

// knob returns the number after a letter of the level.
func (d drawn) knob(letter string, otherwise int) int {
	if n, given := d.knobs[letter]; given {
		return n
	}
	return otherwise
}

// proveSet draws each instance of a set; solve makes a record of what was drawn. A set must have
// all of its places.
func proveSet[R any](c *release.Check, params provenParams, env, split, schema string, solve func(drawn) (*R, *schemas.LuminaHead, bool)) {
	name := Set(env, split) + ".jsonl"
	list := release.RecordsOf[R](c, name, schema)
	p := setProof{
		env, split, schema, params.Seed, params.places(env, split, len(list)),
		func(d drawn) (any, *schemas.LuminaHead, bool) { return solve(d) },
	}
	release.ProveEach(c, name, list, "draw and solution", func(l release.Line, got *R) { p.instance(l, got) })
	if c.Wants(name) && len(p.places) > 0 {
		c.Add("rows", name, "", "every level and place", fmt.Sprintf("%d missing", len(p.places)))
	}
}

// setProof draws the instances of a set again, whatever their type.
type setProof struct {
	env, split, schema string
	seed               int64
	places             map[string]bool // that no instance has taken
	solve              func(drawn) (any, *schemas.LuminaHead, bool)
}

func (p *setProof) instance(l release.Line, got any) {
	head := headOf(got)
	place := fmt.Sprint(head.Level, ", ", head.Index)
	if !p.places[place] {
		l.Bad("index", "a level and a place of the set", place)
		return
	}
	delete(p.places, place)
	parts := []string{schemas.Lumina.Name, p.env, p.split, head.Level, strconv.Itoa(head.Index)}
	want, to, ok := p.solve(drawn{rng.New(uint64(p.seed), parts...), numbers(head.Level), head.Index})
	if !ok {
		l.Bad("instance", "one that can be drawn", head.ID)
		return
	}
	to.Schema, to.Env, to.Split, to.Level, to.Index = p.schema, p.env, p.split, head.Level, head.Index
	to.Seed = schemas.LuminaSeed{Root: p.seed, Parts: parts}
	to.ID = p.env + "-" + head.Level + "-" + hash(want)
	plain.Differ(want, got, func(field string, want, got any) { l.Bad(field, want, got) })
}

// headOf reads what all worlds have in common.
func headOf(record any) (head schemas.LuminaHead) {
	data, err := json.Marshal(record)
	if err == nil {
		err = json.Unmarshal(data, &head)
	}
	if err != nil {
		panic("lumina: no record: " + err.Error()) // of a type of ours, whatever it holds
	}
	return head
}

var knobForm = regexp.MustCompile(`([a-z])([0-9]+)`)

func numbers(level string) map[string]int {
	out := map[string]int{}
	for _, knob := range knobForm.FindAllStringSubmatch(level, -1) {
		out[knob[1]], _ = strconv.Atoi(knob[2])
	}
	return out
}

// hash is the first 12 digits of the SHA-256 of a record without its id.
func hash(record any) string {
	text := strings.Replace(string(canon.MustMarshal(record)), `"id":"","index":`, `"index":`, 1)
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// turns is the rule of the budgets: mNum/mDen times a cost, rounded up, and some more.
func turns(head *schemas.LuminaHead, cost, mNum, mDen, more int) int {
	head.BudgetRule = schemas.LuminaBudget{MNum: mNum, MDen: mDen, N: more}
	return (cost*mNum+mDen-1)/mDen + more
}

// proveList draws a list and what has to go.
func proveList(d drawn) (*schemas.LuminaListInstance, *schemas.LuminaHead, bool) {
	r := &schemas.LuminaListInstance{Target: []int{}}
	r.Knobs.K, r.Knobs.Dup = d.knob("k", 0), d.knob("d", 0)
	r.Knobs.Keep = d.knob("e", max(4, r.Knobs.K))
	size := r.Knobs.K + r.Knobs.Keep
	if size > 1000 || r.Knobs.Dup > 100 {
		return r, &r.LuminaHead, false
	}
	r.Initial = d.Choose(1000, size)
	for i := 1; i < size && r.Knobs.Dup > 0; i++ {
		if d.Below(100) < r.Knobs.Dup {
			r.Initial[i] = r.Initial[d.Below(i)]
		}
	}
	gone := d.Choose(size, r.Knobs.K)
	for i, v := range r.Initial {
		if !slices.Contains(gone, i) {
			r.Target = append(r.Target, v)
		}
	}
	r.TStar = pops(r.Initial, r.Target) + 1 // and done
	r.TMax = turns(&r.LuminaHead, r.TStar, 1, 1, 5)
	return r, &r.LuminaHead, true
}

// pops returns the fewest elements to take out of a list, left to right, until another is left. Row
// i, column j of the table is the answer for the lists from i and from j on.
func pops(from, to []int) int {
	const never = 1 << 30
	table := make([][]int, len(from)+1)
	for i := len(from); i >= 0; i-- {
		table[i] = slices.Repeat([]int{never}, len(to)+1)
		for j := len(to); j >= 0; j-- {
			switch {
			case i == len(from) && j == len(to):
				table[i][j] = 0
			case i == len(from):
			default:
				table[i][j] = table[i+1][j] + 1
				if j < len(to) && from[i] == to[j] {
					table[i][j] = min(table[i][j], table[i+1][j+1])
				}
			}
		}
	}
	return table[0][0]
}

// mostDraws is how often a draw is repeated until it is accepted.
const mostDraws = 1000

// proveGrid draws boards until start and goal are far enough apart and, at an odd index, no
// straight way is open.
func proveGrid(d drawn) (*schemas.LuminaGridInstance, *schemas.LuminaHead, bool) {
	n := d.knob("n", 0)
	knobs := schemas.LuminaGridKnobs{
		N: n, HolePct: d.knob("h", 30), HoleCost: d.knob("c", 3), OOBCost: d.knob("o", 1), MinManhattan: n, Detour: schemas.DetourOdd,
	}
	if n < 3 || n > 64 || knobs.HolePct > 100 {
		return nil, nil, false
	}
	for range mostDraws {
		r := &schemas.LuminaGridInstance{Knobs: knobs, N: n, Holes: [][2]int{}, HoleCost: knobs.HoleCost, OOBCost: knobs.OOBCost}
		var holes [][2]int
		for i := range n * n {
			if d.Below(100) < knobs.HolePct {
				holes = append(holes, [2]int{i / n, i % n})
			}
		}
		ends := d.Choose(n*n, 2)
		r.Start, r.Goal = [2]int{ends[0] / n, ends[0] % n}, [2]int{ends[1] / n, ends[1] % n}
		for _, h := range holes {
			if h != r.Start && h != r.Goal {
				r.Holes = append(r.Holes, h)
			}
		}
		apart := max(r.Start[0]-r.Goal[0], r.Goal[0]-r.Start[0]) + max(r.Start[1]-r.Goal[1], r.Goal[1]-r.Start[1])
		cost, moves := cheapest(r)
		if apart < n || d.index%2 == 1 && cost == apart {
			continue
		}
		r.DStart, r.TStar = cost, moves+1 // and done
		r.Budget = turns(&r.LuminaHead, cost, 3, 2, 4)
		r.TMax = r.Budget + 1 + 3 // done, and three replies that are no call
		return r, &r.LuminaHead, true
	}
	return nil, nil, false
}

// cheapest returns the least cost from start to goal and the fewest moves at that cost. Cells are
// relaxed in any order until none changes: a cell costs what its best neighbour costs, and what
// entering that one costs.
func cheapest(r *schemas.LuminaGridInstance) (cost, moves int) {
	const never = 1 << 30
	type cell struct{ cost, moves, enter int }
	board := slices.Repeat([]cell{{never, never, 1}}, r.N*r.N)
	at := func(c [2]int) *cell { return &board[c[0]*r.N+c[1]] }
	for _, hole := range r.Holes {
		at(hole).enter += r.HoleCost
	}
	at(r.Goal).cost, at(r.Goal).moves = 0, 0
	for changed := true; changed; {
		changed = false
		for row := range r.N {
			for column := range r.N {
				here := at([2]int{row, column})
				for _, next := range [][2]int{{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}} {
					if min(next[0], next[1]) < 0 || max(next[0], next[1]) == r.N {
						continue
					}
					n := at(next)
					if c := n.cost + n.enter; c < here.cost || c == here.cost && n.moves+1 < here.moves {
						here.cost, here.moves, changed = c, n.moves+1, true
					}
				}
			}
		}
	}
	return at(r.Start).cost, at(r.Start).moves
}
