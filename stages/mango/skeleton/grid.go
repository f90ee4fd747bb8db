package skeleton

import (
	"github.com/wikinav/wikinav/schemas"
)

// grid is a maze by number: locations in order of first appearance, edges out of each in file order, self-loops left out,
// because they are on no simple path.
type grid struct {
	names []string
	edges []schemas.MangoEdge
	ways  [][]way // by source, one per destination, in order of first appearance
}

// way is all moves from one location to another.
type way struct {
	to    int
	edges []uint32
}

func newGrid(edges []schemas.MangoEdge) *grid {
	g := &grid{edges: edges}
	number := map[string]int{}
	locate := func(name string) int {
		if _, known := number[name]; !known {
			number[name] = len(g.names)
			g.names = append(g.names, name)
			g.ways = append(g.ways, nil)
		}
		return number[name]
	}
	for i, e := range edges {
		src, dst := locate(e.SrcNode), locate(e.DstNode)
		if src != dst {
			g.add(src, dst, uint32(i))
		}
	}
	return g
}

func (g *grid) add(src, dst int, edge uint32) {
	for i := range g.ways[src] {
		if w := &g.ways[src][i]; w.to == dst {
			w.edges = append(w.edges, edge)
			return
		}
	}
	g.ways[src] = append(g.ways[src], way{dst, []uint32{edge}})
}

// weight is a number of an edge.
type weight func(schemas.MangoSteps) int

var (
	forward           weight = func(s schemas.MangoSteps) int { return s.SeenInForward }
	total             weight = func(s schemas.MangoSteps) int { return min(s.SeenInForward, s.SeenInReversed) }
	forwardAnswerable weight = func(s schemas.MangoSteps) int { return s.SeenInForwardAnswerable }
	totalAnswerable   weight = func(s schemas.MangoSteps) int {
		return min(s.SeenInForwardAnswerable, s.SeenInReversedAnswerable)
	}
)

// least gives the smallest weight of the moves of a way.
func (g *grid) least(w way, of weight) int {
	out := schemas.MangoNever
	for _, e := range w.edges {
		out = min(out, of(g.edges[e].MangoSteps))
	}
	return out
}

// pathSet is what the enumeration found, by source times locations plus destination.
type pathSet struct {
	paths  [][][]uint32 // as rows of edges
	capped []bool
	n      int
}

func (p *pathSet) at(src, dst int) int { return src*p.n + dst }

// walker enumerates the simple paths from one source. Every path is a result for the location where it ends, so that the
// search enters no branch in vain and needs no pruning: its time is that of its output.
type walker struct {
	*grid
	*pathSet
	bounds Bounds
	src    int
	on     []bool // locations of the branch
	branch []way
	count  int
}

// enumerate finds all simple paths of the maze that bounds allow.
func (g *grid) enumerate(b Bounds) (*pathSet, error) {
	n := len(g.names)
	set := &pathSet{paths: make([][][]uint32, n*n), capped: make([]bool, n*n), n: n}
	w := &walker{grid: g, pathSet: set, bounds: b, on: make([]bool, n)}
	for src := range g.names {
		w.src = src
		if err := w.from(src); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// from extends the branch, which ends at u.
func (w *walker) from(u int) error {
	w.on[u] = true
	defer func() { w.on[u] = false }()
	if w.bounds.MaxLen > 0 && len(w.branch) == w.bounds.MaxLen {
		w.cap(u)
		return nil
	}
	for _, next := range w.ways[u] {
		if w.on[next.to] {
			continue
		}
		w.branch = append(w.branch, next)
		err := w.found(next.to)
		if err == nil {
			err = w.from(next.to)
		}
		w.branch = w.branch[:len(w.branch)-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// found records the branch in every choice of parallel moves.
func (w *walker) found(dst int) error {
	choices := 1
	for _, step := range w.branch {
		choices *= len(step.edges)
		if choices > w.bounds.MaxPaths-w.count {
			return ErrTooManyPaths
		}
	}
	w.count += choices
	at := w.at(w.src, dst)
	for c := range choices {
		path := make([]uint32, len(w.branch))
		for i, step := range w.branch {
			path[i] = step.edges[c%len(step.edges)]
			c /= len(step.edges)
		}
		w.paths[at] = append(w.paths[at], path)
	}
	return nil
}

// cap notes the pairs for which the branch, cut off at u, could have gone on to a path: those whose destination can be
// reached from u without the branch's locations.
func (w *walker) cap(u int) {
	seen := make([]bool, w.n)
	for queue := []int{u}; len(queue) > 0; queue = queue[1:] {
		for _, next := range w.ways[queue[0]] {
			if !seen[next.to] && !w.on[next.to] {
				seen[next.to] = true
				w.capped[w.at(w.src, next.to)] = true
				queue = append(queue, next.to)
			}
		}
	}
}
