package skeleton

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
)

// addDF makes the DF rows out of the paths.
func (s *Set) addDF(g *grid, found *pathSet) {
	for src := range g.names {
		for dst := range g.names {
			from := len(s.DF)
			for _, path := range found.paths[found.at(src, dst)] {
				s.DF = append(s.DF, Row{Src: src, Dst: dst, Path: path, ID: s.pathID(path), MangoLabels: g.labelsOf(path)})
			}
			finishPair(s.DF[from:])
		}
	}
}

// finishPair orders the rows of a pair and tells how much longer than the shortest each is.
func finishPair(rows []Row) {
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(len(a.Path), len(b.Path)), strings.Compare(a.ID, b.ID))
	})
	for i := range rows {
		rows[i].DiffShortest = len(rows[i].Path) - len(rows[0].Path)
	}
}

// labelsOf gives the labels of a path: those of its last edge to be known.
func (g *grid) labelsOf(path []uint32) schemas.MangoLabels {
	worst := func(of weight) int {
		out := 0
		for _, e := range path {
			out = max(out, of(g.edges[e].MangoSteps))
		}
		return out
	}
	return schemas.MangoLabels{
		MinStepForward: worst(forward), MinStepTotal: worst(total),
		MinStepForwardAnswerable: worst(forwardAnswerable), MinStepTotalAnswerable: worst(totalAnswerable),
	}
}

// addRF makes a row for every ordered pair of different locations.
func (s *Set) addRF(g *grid, found *pathSet) {
	for src := range g.names {
		f, t, fa, ta := g.bottleneck(src, forward), g.bottleneck(src, total), g.bottleneck(src, forwardAnswerable), g.bottleneck(src, totalAnswerable)
		short, shortAnswerable := g.shortest(src, forward), g.shortest(src, forwardAnswerable)
		for dst := range g.names {
			if dst == src {
				continue
			}
			at := found.at(src, dst)
			s.RF = append(s.RF, Pair{
				Src: src, Dst: dst, NumPaths: len(found.paths[at]), Capped: found.capped[at],
				ID:          maze.PairID(g.names[src], g.names[dst]),
				MangoLabels: schemas.MangoLabels{MinStepForward: f[dst], MinStepTotal: t[dst], MinStepForwardAnswerable: fa[dst], MinStepTotalAnswerable: ta[dst]},
				Shortest:    short[dst], ShortestAnswerable: shortAnswerable[dst],
			})
		}
	}
}

// bottleneck gives, for every location, the smallest possible largest weight on a path from src; MangoNever where every path
// has such an edge or there is none. It is Dijkstra's algorithm with max in place of plus: walks and simple paths have the same
// minimum. Time O(n^2 + edges). Source: https://doi.org/10.1007/BF01386390, and 4.3 of the specification.
func (g *grid) bottleneck(src int, of weight) []int {
	dist := make([]int, len(g.names))
	done := make([]bool, len(g.names))
	for u := range dist {
		dist[u] = schemas.MangoNever
	}
	dist[src] = 0
	for {
		u := -1
		for v := range dist {
			if !done[v] && (u < 0 || dist[v] < dist[u]) {
				u = v
			}
		}
		if u < 0 || dist[u] == schemas.MangoNever {
			return dist
		}
		done[u] = true
		for _, w := range g.ways[u] {
			dist[w.to] = min(dist[w.to], max(dist[u], g.least(w, of)))
		}
	}
}

// shortest gives, for every location, the smallest largest weight among the shortest paths from src, by layers of a
// breadth-first search.
func (g *grid) shortest(src int, of weight) []int {
	label, depth := make([]int, len(g.names)), make([]int, len(g.names))
	for u := range label {
		label[u], depth[u] = schemas.MangoNever, -1
	}
	label[src], depth[src] = 0, 0
	for queue := []int{src}; len(queue) > 0; queue = queue[1:] {
		u := queue[0] // all of the layer before has been seen, so that its label stands
		for _, w := range g.ways[u] {
			if depth[w.to] < 0 {
				depth[w.to] = depth[u] + 1
				queue = append(queue, w.to)
			}
			if depth[w.to] == depth[u]+1 {
				label[w.to] = min(label[w.to], max(label[u], g.least(w, of)))
			}
		}
	}
	return label
}

// Full is the prefix of the whole maze: every step but "never".
const Full = schemas.MangoNever - 1

// Counts is a line of the paper's tables: what a prefix shows of a maze. Paths are DF rows that are answerable, PathSteps the
// sum of their moves.
type Counts struct {
	Locations, Edges int
	DFEasy, DFHard   int
	RFEasy, RFHard   int
	Paths, PathSteps int
}

// Count counts what the steps up to n show, under a rule of schemas.MangoRules.
func (s *Set) Count(n int, rule string) Counts {
	var c Counts
	seen := map[string]bool{}
	for _, e := range s.Edges {
		known := e.EdgeMinStepAnswerable
		if rule == schemas.MangoRulePaper2023 {
			known = e.EdgeMinStep
		}
		if known <= n {
			c.Edges++
			seen[e.SrcNode], seen[e.DstNode] = true, true
		}
	}
	c.Locations = len(seen)
	for i := range s.DF {
		if count(s.DF[i].Class(n, rule), &c.DFEasy, &c.DFHard) {
			c.Paths++
			c.PathSteps += len(s.DF[i].Path)
		}
	}
	for i := range s.RF {
		count(s.RF[i].Class(n, rule), &c.RFEasy, &c.RFHard)
	}
	return c
}

// count counts a skeleton by its class, and tells whether it is answerable.
func count(class string, easy, hard *int) bool {
	switch class {
	case schemas.MangoEasy:
		*easy++
	case schemas.MangoHard:
		*hard++
	}
	return class != schemas.MangoUnanswerable
}

// Class tells what the skeleton is to a reader of the steps up to n.
func (r *Row) Class(n int, rule string) string {
	if rule == schemas.MangoRulePaper2023 {
		return class(r.MinStepTotal <= n, r.MinStepForward < schemas.MangoNever)
	}
	return class(r.MinStepTotalAnswerable <= n, r.MinStepForwardAnswerable <= n)
}

// Class tells what the skeleton is to a reader of the steps up to n.
func (p *Pair) Class(n int, rule string) string {
	switch rule {
	case schemas.MangoRulePaper2023:
		return class(p.MinStepTotal <= n, p.Shortest < schemas.MangoNever)
	case schemas.MangoRuleReleased:
		return class(p.MinStepTotalAnswerable <= n, p.MinStepForwardAnswerable <= n)
	}
	return class(p.MinStepTotalAnswerable <= n, p.ShortestAnswerable <= n)
}

func class(answerable, easy bool) string {
	switch {
	case !answerable:
		return schemas.MangoUnanswerable
	case easy:
		return schemas.MangoEasy
	}
	return schemas.MangoHard
}
