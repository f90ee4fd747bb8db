package skeleton_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

func edge(src, action, dst string, forward, reversed int) schemas.MangoEdge {
	return schemas.MangoEdge{SrcNode: src, Action: action, DstNode: dst, MangoSteps: maze.Steps(forward, reversed)}
}

const never = schemas.MangoNever

// worked is the maze of 905 as the specification prints it (4.6).
func worked() []schemas.MangoEdge {
	return []schemas.MangoEdge{
		edge("bedroom", "south", "bathroom", 3, 10),
		edge("bedroom", "east", "living room", 15, never),
		edge("bathroom", "north", "bedroom", 10, 3),
		edge("living room", "south", "driveway", 17, never),
		edge("living room", "west", "bedroom", never, 15),
		edge("driveway", "enter car", "inside of the car", 19, never),
		edge("driveway", "north", "living room", never, 17),
	}
}

func make905(t *testing.T) *skeleton.Set {
	t.Helper()
	s, err := skeleton.Make("905", worked(), skeleton.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheWorkedExampleOf905(t *testing.T) {
	s := make905(t)
	if want := []string{"bedroom", "bathroom", "living room", "driveway", "inside of the car"}; !slices.Equal(s.Locations, want) {
		t.Fatalf("locations %v, want %v", s.Locations, want)
	}
	for _, c := range []struct {
		src, dst         string
		moves            []string
		easy, answerable int
	}{
		{"bathroom", "bedroom", []string{"north"}, 10, 3},
		{"living room", "bedroom", []string{"west"}, never, 15},
		{"bedroom", "driveway", []string{"east", "south"}, 17, 17},
		{"driveway", "bathroom", []string{"north", "west", "south"}, never, 17},
	} {
		i := slices.IndexFunc(s.DF, func(r skeleton.Row) bool { return s.Locations[r.Src] == c.src && s.Locations[r.Dst] == c.dst })
		r := s.DF[i]
		if got := s.Actions(i); !slices.Equal(got, c.moves) || r.MinStepForwardAnswerable != c.easy || r.MinStepTotalAnswerable != c.answerable {
			t.Errorf("%s to %s: %v, easy %d, answerable %d; want %v", c.src, c.dst, got, r.MinStepForwardAnswerable, r.MinStepTotalAnswerable, c)
		}
	}
	at20, at5 := s.Count(20, schemas.MangoRulePaper), s.Count(5, schemas.MangoRulePaper)
	if at20.DFEasy != 11 || at20.DFHard != 5 || at20.RFEasy != 11 || at20.RFHard != 5 || at20.PathSteps != 30 || at20.Paths != 16 {
		t.Errorf("at 20: %+v", at20)
	}
	if at5.DFEasy != 1 || at5.DFHard != 1 || at5.Locations != 2 {
		t.Errorf("at 5: %+v", at5)
	}
}

func TestSelfLoopsAreOnNoPathAndParallelMovesMultiply(t *testing.T) {
	s, err := skeleton.Make("x", []schemas.MangoEdge{
		edge("a", "spin", "a", 1, never), edge("a", "go", "b", 2, never), edge("a", "jump", "b", 3, 1), edge("b", "go", "c", 4, never),
		edge("b", "fly", "c", 9, 5), edge("lonely", "spin", "lonely", 6, never),
	}, skeleton.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Locations) != 4 || len(s.DF) != 2+2+4 || len(s.RF) != 12 {
		t.Errorf("%d locations, %d DF, %d RF", len(s.Locations), len(s.DF), len(s.RF))
	}
	i := slices.IndexFunc(s.RF, func(p skeleton.Pair) bool { return s.Locations[p.Src] == "a" && s.Locations[p.Dst] == "c" })
	if p := s.RF[i]; p.NumPaths != 4 || p.MinStepForward != 4 || p.MinStepTotal != 4 || p.Shortest != 4 {
		t.Errorf("a to c: %+v", p)
	}
	comparePairs(t, "x", s)
}

func TestTooManyPathsIsAnErrorThatNamesTheMaze(t *testing.T) {
	_, err := skeleton.Make("905", worked(), skeleton.Bounds{MaxPaths: 15})
	if !errors.Is(err, skeleton.ErrTooManyPaths) || err.Error() != "mango: 905: more than 15 paths" {
		t.Errorf("got %v", err)
	}
	if _, err := skeleton.Make("905", worked(), skeleton.Bounds{MaxPaths: 16}); err != nil {
		t.Errorf("16 paths under a bound of 16: %v", err)
	}
}

// comparePairs holds the RF rows to minima over the DF rows, and tells how many it compared.
func comparePairs(t *testing.T, where string, s *skeleton.Set) int {
	t.Helper()
	type best struct {
		n, f, t, fa, ta, short, shortA int
	}
	nobody := best{0, never, never, never, never, never, never}
	found := map[[2]int]best{}
	for _, r := range s.DF {
		key := [2]int{r.Src, r.Dst}
		b, ok := found[key]
		if !ok {
			b = nobody
		}
		b.n++
		b.f, b.t = min(b.f, r.MinStepForward), min(b.t, r.MinStepTotal)
		b.fa, b.ta = min(b.fa, r.MinStepForwardAnswerable), min(b.ta, r.MinStepTotalAnswerable)
		if r.DiffShortest == 0 {
			b.short, b.shortA = min(b.short, r.MinStepForward), min(b.shortA, r.MinStepForwardAnswerable)
		}
		found[key] = b
	}
	for _, p := range s.RF {
		want, ok := found[[2]int{p.Src, p.Dst}]
		if !ok {
			want = nobody
		}
		got := best{p.NumPaths, p.MinStepForward, p.MinStepTotal, p.MinStepForwardAnswerable, p.MinStepTotalAnswerable, p.Shortest, p.ShortestAnswerable}
		if got != want {
			t.Errorf("%s: %s to %s: got %+v, want %+v", where, s.Locations[p.Src], s.Locations[p.Dst], got, want)
		}
	}
	return len(s.RF)
}

// randomEdges gives a small maze with self-loops, parallel and non-deterministic moves.
func randomEdges(seed uint64) []schemas.MangoEdge {
	s := rng.New(seed, "maze")
	n := 2 + s.Below(5)
	var out []schemas.MangoEdge
	seen := map[string]bool{}
	for range 3 + s.Below(12) {
		src, dst, act := fmt.Sprint("p", s.Below(n)), fmt.Sprint("p", s.Below(n)), fmt.Sprint("m", s.Below(3))
		if seen[src+act+dst] {
			continue
		}
		seen[src+act+dst] = true
		e := edge(src, act, dst, 1+s.Below(9), 1+s.Below(9))
		if s.Below(3) == 0 {
			e = edge(src, act, dst, never, 1+s.Below(9))
		}
		out = append(out, e)
	}
	return out
}

func TestRandomMazesAgreeWithSlowCheckers(t *testing.T) {
	for seed := range uint64(300) {
		edges := randomEdges(seed)
		whole, err := skeleton.Make("r", edges, skeleton.Bounds{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		comparePairs(t, fmt.Sprint("seed ", seed), whole)
		if got, want := pathsOf(whole, 0), slowPaths(edges); !slices.Equal(got, want) {
			t.Errorf("seed %d: paths\n%v, want\n%v", seed, got, want)
		}
		compareCut(t, seed, edges, whole)
	}
}

// pathsOf lists the paths of at most n moves as text, sorted; n = 0 for all.
func pathsOf(s *skeleton.Set, n int) []string {
	out := []string{}
	for _, r := range s.DF {
		if n == 0 || len(r.Path) <= n {
			text := s.Locations[r.Src]
			for _, e := range r.Path {
				text += " " + s.Edges[e].Action + " " + s.Edges[e].DstNode
			}
			out = append(out, text)
		}
	}
	slices.Sort(out)
	return out
}

// slowPaths grows paths edge by edge from every edge, with no grid and no numbers.
func slowPaths(edges []schemas.MangoEdge) []string {
	out := []string{}
	var grow func(text, at string, been map[string]bool)
	grow = func(text, at string, been map[string]bool) {
		for _, e := range edges {
			if e.SrcNode != at || been[e.DstNode] {
				continue
			}
			next := text + " " + e.Action + " " + e.DstNode
			out = append(out, next)
			been[e.DstNode] = true
			grow(next, e.DstNode, been)
			delete(been, e.DstNode)
		}
	}
	for _, start := range maze.Locations(edges) {
		grow(start, start, map[string]bool{start: true})
	}
	slices.Sort(out)
	return out
}

// compareCut bounds the paths and compares with the whole maze: the same short rows, and capped exactly where a longer one is.
func compareCut(t *testing.T, seed uint64, edges []schemas.MangoEdge, whole *skeleton.Set) {
	t.Helper()
	const length = 2
	cut, err := skeleton.Make("r", edges, skeleton.Bounds{MaxLen: length})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if got, want := pathsOf(cut, 0), pathsOf(whole, length); !slices.Equal(got, want) {
		t.Errorf("seed %d: paths of %d moves\n%v, want\n%v", seed, length, got, want)
	}
	longer := map[[2]int]bool{}
	for _, r := range whole.DF {
		if len(r.Path) > length {
			longer[[2]int{r.Src, r.Dst}] = true
		}
	}
	for i, p := range cut.RF {
		if p.Capped != longer[[2]int{p.Src, p.Dst}] {
			t.Errorf("seed %d: pair %d capped %v", seed, i, p.Capped)
		}
		if p.MangoLabels != whole.RF[i].MangoLabels || p.Shortest != whole.RF[i].Shortest {
			t.Errorf("seed %d: pair %d: the bound changed the labels", seed, i)
		}
	}
}
