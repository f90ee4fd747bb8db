package worlds

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

// smallTree makes node x have id "x<x>", value 10x and the given parent.
func smallTree(parent []int, target int, facts []schemas.LuminaFact) *Tree {
	nodes := make([]schemas.LuminaNode, len(parent))
	for x := range nodes {
		nodes[x] = schemas.LuminaNode{ID: fmt.Sprintf("x%d", x), Value: 10 * x, Children: []int{}}
	}
	for x := 1; x < len(parent); x++ {
		nodes[parent[x]].Children = append(nodes[parent[x]].Children, x)
	}
	return newTree(newShape(nodes, target), facts)
}

// everyTree visits all parent arrays of up to n nodes, all disclosures with the root, all listed subsets, and every undisclosed target
// or none (-1).
func everyTree(n int, visit func(t *Tree, target int)) {
	var arrays func(parent []int)
	arrays = func(parent []int) {
		everyDisclosure(parent, visit)
		for p := 0; p < len(parent) && len(parent) < n; p++ {
			arrays(append(slices.Clone(parent), p))
		}
	}
	arrays([]int{-1})
}

func everyDisclosure(parent []int, visit func(t *Tree, target int)) {
	n := len(parent)
	for known := 1; known < 1<<n; known += 2 { // the root is in it
		for listed := range 1 << n {
			if listed&^known != 0 {
				continue
			}
			var facts []schemas.LuminaFact
			for x := range n {
				if known>>x&1 == 1 {
					facts = append(facts, schemas.LuminaFact{Node: x, Children: listed>>x&1 == 1})
				}
			}
			for target := -1; target < n; target++ {
				if target < 0 || known>>target&1 == 0 {
					visit(smallTree(parent, 10*target, facts), target)
				}
			}
		}
	}
}

// treeSearch explores all states over optimal calls.
type treeSearch struct {
	t    *testing.T
	memo map[string][2]int // shortest and longest run
}

// run returns the shortest and the longest run of optimal calls; each must end in success.
func (s *treeSearch) run(tree *Tree) [2]int {
	key := fmt.Sprint(tree.value, tree.edges)
	if got, ok := s.memo[key]; ok {
		return got
	}
	span := [2]int{1 << 30, 0}
	for _, c := range tree.Optimal() {
		if c.Name == GetChildren && !reveals(tree, c) {
			s.t.Fatalf("%v is no query that tells anything in %s", c, key)
		}
		next, e := tree.Apply(c)
		rest := [2]int{}
		switch e.Outcome {
		case "":
			rest = s.run(next.(*Tree))
		case schemas.OutcomeSuccess:
		default:
			s.t.Fatalf("%v in %s: %s", c, key, e.Outcome)
		}
		span = [2]int{min(span[0], 1+rest[0]), max(span[1], 1+rest[1])}
	}
	s.memo[key] = span
	return span
}

// reveals asks the rules: a query that tells nothing leaves the same knowledge.
func reveals(tree *Tree, c Call) bool {
	next, _ := tree.Apply(c)
	return string(next.AppendCanonical(nil)) != string(tree.AppendCanonical(nil))
}

func TestEverySmallTreeIsAnsweredRightWithinItsHorizons(t *testing.T) {
	instances, states := 0, 0
	everyTree(5, func(tree *Tree, target int) {
		s := &treeSearch{t, map[string][2]int{}}
		span := s.run(tree)
		instances++
		states += len(s.memo)
		reachable := tree.shape.within(tree.order)
		if span[0] != tree.clair() || span[1] > tree.worst() || !reachable && span != [2]int{tree.worst(), tree.worst()} {
			t.Fatalf("target %d in %v: runs of %v turns, clair %d, worst %d", target, tree.shape.nodes, span, tree.clair(), tree.worst())
		}
	})
	if instances != 9790 || states != 111187 {
		t.Errorf("got %d instances, %d states; want 9790, 111187", instances, states)
	}
	t.Logf("%d instances, %d states", instances, states)
}

func TestQueriesThatTellNothingAreNotOptimal(t *testing.T) {
	everyTree(4, func(tree *Tree, _ int) {
		best := tree.Optimal()
		for _, c := range tree.Legal() {
			if c.Name == GetChildren && best[0].Name == GetChildren && reveals(tree, c) != slices.Contains(best, c) {
				t.Fatalf("%v in %v: reveals %t, optimal %v", c, tree, reveals(tree, c), best)
			}
		}
	})
}

func TestRandomOptimalPoliciesAnswerRandomTreesInTime(t *testing.T) {
	const instances = 20_000
	for seed := range instances {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		tree := randomTree(r)
		worst, absent := tree.worst(), !tree.shape.within(tree.order)
		turns, outcome := 0, ""
		for s := State(tree); outcome == ""; turns++ {
			best := s.Optimal()
			var e Effect
			s, e = s.Apply(best[r.IntN(len(best))])
			outcome = e.Outcome
		}
		if outcome != schemas.OutcomeSuccess || turns > worst || absent && turns != worst {
			t.Fatalf("seed %d: %s after %d turns, worst %d, absent %t", seed, outcome, turns, worst, absent)
		}
	}
	t.Logf("%d instances", instances)
}

func randomTree(r *rand.Rand) *Tree {
	parent := make([]int, 1+r.IntN(41))
	for x := 1; x < len(parent); x++ {
		parent[x] = r.IntN(x)
	}
	target := r.IntN(len(parent) + 1) // one past the last: absent
	facts := []schemas.LuminaFact{}
	for x := range parent {
		if x != target && (x == 0 || r.IntN(3) == 0) {
			facts = append(facts, schemas.LuminaFact{Node: x, Children: r.IntN(2) == 0})
		}
	}
	if target == 0 {
		facts = append(facts, schemas.LuminaFact{Node: len(parent) - 1})
		target = len(parent)
	}
	return smallTree(parent, 10*target, facts)
}

func TestTreeRules(t *testing.T) {
	// 0 -> 1, 2; 1 -> 3; the root is known without its children, 3 is the target.
	tree := smallTree([]int{-1, 0, 0, 1}, 30, []schemas.LuminaFact{{Node: 0}})
	for _, c := range []struct {
		call    Call
		event   Event
		outcome string
	}{
		{Call{Name: GetChildren, ID: "x1"}, EventUnknownID, ""}, // it exists, but nobody has told
		{Call{Name: GetChildren, ID: "no"}, EventUnknownID, ""},
		{Call{Name: GetChildren, ID: "x0"}, EventChildren, ""},
		{Call{Name: Found, ID: "x3"}, EventTerminal, schemas.OutcomeWrongTerminal}, // a guess of an unknown id
		{Call{Name: Found, ID: "x0"}, EventTerminal, schemas.OutcomeWrongTerminal},
		{Call{Name: Unreachable}, EventTerminal, schemas.OutcomeWrongTerminal},
	} {
		if _, e := tree.Apply(c.call); e.Event != c.event || e.Outcome != c.outcome {
			t.Errorf("%v: got event %d, outcome %q; want %d, %q", c.call, e.Event, e.Outcome, c.event, c.outcome)
		}
	}
	asked, e := tree.Apply(Call{Name: GetChildren, ID: "x0"})
	if got, want := fmt.Sprint(e.Children, tree.order, asked.Optimal()), `[{x1 10} {x2 20}] [0] [get_children("x1") get_children("x2")]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestFoundNeedsAMetID: node 0 has the children 1 and 2. The source is 1, so node 2, which holds the value,
// is out of reach; where the source is 0 it is in reach and not met.
func TestFoundNeedsAMetID(t *testing.T) {
	for _, c := range []struct {
		source             int
		found, unreachable string
	}{
		{1, schemas.OutcomeWrongTerminal, schemas.OutcomeSuccess},
		{0, schemas.OutcomeWrongTerminal, schemas.OutcomeWrongTerminal},
	} {
		tree := smallTree([]int{-1, 0, 0}, 2, []schemas.LuminaFact{{Node: c.source}})
		target := tree.shape.nodes[2]
		tree.shape.target = target.Value
		if _, e := tree.Apply(Call{Name: Found, ID: target.ID}); e.Outcome != c.found {
			t.Errorf("source %d: found(%s) ends with %q, want %q", c.source, target.ID, e.Outcome, c.found)
		}
		if _, e := tree.Apply(Call{Name: Unreachable}); e.Outcome != c.unreachable {
			t.Errorf("source %d: unreachable() ends with %q, want %q", c.source, e.Outcome, c.unreachable)
		}
	}
	tree := smallTree([]int{-1, 0, 0}, 2, []schemas.LuminaFact{{Node: 0, Children: true}})
	tree.shape.target = tree.shape.nodes[2].Value
	if _, e := tree.Apply(Call{Name: Found, ID: tree.shape.nodes[2].ID}); e.Outcome != schemas.OutcomeSuccess {
		t.Errorf("found of a listed child whose value was not seen ends with %q", e.Outcome)
	}
}
