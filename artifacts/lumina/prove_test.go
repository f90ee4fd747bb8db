package lumina

import (
	"fmt"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// The vectors of the lumina specification, 11.2.
func TestTheProofsFindThePublishedVectors(t *testing.T) {
	at := func(env, level string, index int) drawn {
		return drawn{rng.New(42, "lumina", env, "test", level, fmt.Sprint(index)), numbers(level), index}
	}
	same := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	list, _, _ := proveList(at("list", "k02", 0))
	same("k02/0", []any{list.Initial, list.Target, list.TStar}, []any{[]int{367, 479, 693, 415, 341, 68}, []int{693, 415, 341, 68}, 3})
	tree, _, _ := proveTree(at("tree", "n007", 0))
	same("n007/0", []any{tree.Nodes[4].ID, tree.Source, tree.TargetValue, *tree.Answer.Node, tree.TClair, tree.TWorst}, []any{"ymajfx", 0, 23, 4, 2, 8})
	same("facts", tree.Facts, []schemas.LuminaFact{{Node: 3}, {Node: 0, Children: true}})
	tree, _, _ = proveTree(at("tree", "n007", 9))
	same("n007/9", []any{tree.Answer.Kind, tree.Source, tree.TargetValue, tree.TWorst}, []any{"unreachable", 1, 13, 4})
	grid, _, _ := proveGrid(at("grid", "n04", 0))
	same("n04/0", []any{grid.Start, grid.Goal, grid.Holes, grid.DStart, grid.Budget, grid.TStar, grid.TMax},
		[]any{[2]int{0, 3}, [2]int{3, 1}, [][2]int{{0, 0}, {2, 2}, {3, 2}}, 5, 12, 6, 16})
	same("pops that lead nowhere", pops([]int{1, 2}, []int{2, 1}) > 2, true)
	for _, level := range []string{"n001", "n999999", "n007a0"} {
		if _, _, ok := proveTree(at("tree", level, 9)); ok {
			t.Errorf("a tree of %s", level)
		}
	}
}
