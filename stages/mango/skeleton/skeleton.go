// Package skeleton makes the questions of a maze without their wording: DF skeletons, one per simple path, and RF skeletons, one
// per ordered pair of locations, with the prefixes from which each is answerable and easy (mango specification 4).
//
// It promises that
//   - DF rows are all simple paths, expanded over parallel moves, or all up to a length; every label is that of the
//     specification, whatever the maze: self-loops, parallel and non-deterministic moves, unreachable pairs;
//   - RF labels come from bottleneck distances, never from enumerated paths, so that no bound on paths touches them;
//   - rows have one order, and ids are unique.
//
// It is pure: no file, clock or randomness.
//
// Time: the paths, and per source and label n squared. Memory: 4 bytes per move of a row and 150 per row beside them.
package skeleton

import (
	"errors"
	"slices"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// DefaultMaxPaths bounds the rows of an imported maze. Maps of whole games have millions of paths, those of 70 steps thousands.
const DefaultMaxPaths = 5_000_000

// Bounds keep the enumeration finite in practice.
type Bounds struct {
	MaxPaths int // DF rows beyond which Make gives up; 0 for DefaultMaxPaths
	MaxLen   int // moves of the longest DF path; 0 for no bound
}

// Set is the skeletons of one maze.
type Set struct {
	Maze      string
	Locations []string // in order of first appearance in Edges
	Edges     []schemas.MangoEdge
	DF        []Row  // by pair in order of locations, then StepCount, then ID
	RF        []Pair // every ordered pair of different locations, in order of locations
	MaxLen    int    // bound of the paths; 0 for none
}

// Row is a DF skeleton.
type Row struct {
	Src, Dst     int      // places in Locations
	Path         []uint32 // places in Edges
	DiffShortest int      // moves more than the shortest path of the pair
	ID           string
	schemas.MangoLabels
}

// Pair is an RF skeleton.
type Pair struct {
	Src, Dst int
	NumPaths int  // DF rows of the pair
	Capped   bool // MaxLen cut off a path of the pair
	ID       string
	schemas.MangoLabels

	// First step at which some shortest path of the whole maze was walked, and the same as from when the names were known.
	Shortest, ShortestAnswerable int
}

// ErrTooManyPaths is the cause of a fault that Make returns beyond MaxPaths.
var ErrTooManyPaths = errors.New("too many paths")

// Make makes the skeletons of a maze. Edges belong to the Set afterwards.
func Make(name string, edges []schemas.MangoEdge, b Bounds) (*Set, error) {
	if b.MaxPaths == 0 {
		b.MaxPaths = DefaultMaxPaths
	}
	g := newGrid(edges)
	s := &Set{Maze: name, Locations: g.names, Edges: edges, MaxLen: b.MaxLen}
	paths, err := g.enumerate(b)
	if err != nil {
		tooMany := fault.New(fault.Failure, "mango: %s: more than %d paths", name, b.MaxPaths)
		tooMany.Err = err
		return nil, tooMany
	}
	s.addRF(g, paths)
	s.addDF(g, paths)
	return s, s.checkIDs()
}

func (s *Set) checkIDs() error {
	ids := make([]string, 0, len(s.DF)+len(s.RF))
	for i := range s.DF {
		ids = append(ids, s.DF[i].ID)
	}
	for i := range s.RF {
		ids = append(ids, s.RF[i].ID)
	}
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			return fault.New(fault.Malformed, "mango: %s: id %s stands for two skeletons", s.Maze, ids[i])
		}
	}
	return nil
}

// DFRow gives row i as it is published.
func (s *Set) DFRow(i int) schemas.MangoDFRow {
	r := &s.DF[i]
	out := schemas.MangoDFRow{
		SrcNode: s.Locations[r.Src], DstNode: s.Locations[r.Dst], DiffShortest: r.DiffShortest,
		StepCount: len(r.Path), ID: r.ID, MangoLabels: r.MangoLabels,
	}
	for _, e := range r.Path {
		edge := &s.Edges[e]
		out.PathDetails = append(out.PathDetails, schemas.MangoMove{
			PrevNode: edge.SrcNode, Node: edge.DstNode, Action: edge.Action, MangoSteps: edge.MangoSteps,
		})
	}
	return out
}

// RFRow gives pair i as it is published.
func (s *Set) RFRow(i int) schemas.MangoRFRow {
	p := &s.RF[i]
	return schemas.MangoRFRow{
		SrcNode: s.Locations[p.Src], DstNode: s.Locations[p.Dst], NumPaths: p.NumPaths, ID: p.ID, MangoLabels: p.MangoLabels,
	}
}

// Actions gives the moves of row i.
func (s *Set) Actions(i int) []string {
	out := make([]string, 0, len(s.DF[i].Path))
	for _, e := range s.DF[i].Path {
		out = append(out, s.Edges[e].Action)
	}
	return out
}

func (s *Set) pathID(path []uint32) string {
	steps := make([]maze.Step, len(path))
	for i, e := range path {
		edge := &s.Edges[e]
		steps[i] = maze.Step{From: edge.SrcNode, Action: edge.Action, To: edge.DstNode}
	}
	return maze.PathID(steps)
}

// Facts are what a maze record says of the edges.
type Facts struct {
	Locations, Edges int
	Forward, Imputed int // walked at some step, and never walked themselves
	ParallelPairs    int // ordered pairs of locations with more than one move
	Nondeterministic int // moves of a location that lead to more than one place
}

// FactsOf counts them. Self-loops are edges like others here.
func FactsOf(edges []schemas.MangoEdge) Facts {
	f := Facts{Edges: len(edges)}
	locations := map[string]bool{}
	pairs, moves := map[[2]string]int{}, map[[2]string]int{}
	for _, e := range edges {
		locations[e.SrcNode], locations[e.DstNode] = true, true
		if e.SeenInForward < schemas.MangoNever {
			f.Forward++
		}
		// The second edge makes the pair parallel, a third changes nothing.
		pair, move := [2]string{e.SrcNode, e.DstNode}, [2]string{e.SrcNode, e.Action}
		if pairs[pair]++; pairs[pair] == 2 {
			f.ParallelPairs++
		}
		if moves[move]++; moves[move] == 2 {
			f.Nondeterministic++
		}
	}
	f.Locations, f.Imputed = len(locations), f.Edges-f.Forward
	return f
}
