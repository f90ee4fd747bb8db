package worlds

import (
	"errors"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// checkTree refuses nodes that form no tree, and facts about nodes outside the source's part of it.
func checkTree(r *schemas.LuminaTreeInstance) error {
	if err := checkNodes(r.Nodes); err != nil {
		return err
	}
	if r.Source < 0 || r.Source >= len(r.Nodes) {
		return fmt.Errorf("source %d of %d nodes", r.Source, len(r.Nodes))
	}
	scope := newShape(r.Nodes, 0).closure([]int{r.Source})
	seen := map[int]bool{}
	for _, f := range r.Facts {
		if f.Node < 0 || f.Node >= len(r.Nodes) || !scope[f.Node] || seen[f.Node] {
			return fmt.Errorf("the fact about node %d is out of scope, or stands twice", f.Node)
		}
		seen[f.Node] = true
	}
	if !seen[r.Source] {
		return errors.New("no fact discloses the source")
	}
	return nil
}

// checkNodes wants one root, node 0, one parent for every other node, and no value or id twice.
func checkNodes(nodes []schemas.LuminaNode) error {
	parents, ids, values := make([]int, len(nodes)), map[string]bool{}, map[int]bool{}
	for x, n := range nodes {
		if ids[n.ID] || values[n.Value] {
			return fmt.Errorf("node %d has an id or a value that stands twice", x)
		}
		ids[n.ID], values[n.Value] = true, true
		for _, c := range n.Children {
			if c < 0 || c >= len(nodes) {
				return fmt.Errorf("node %d has the child %d of %d nodes", x, c, len(nodes))
			}
			parents[c]++
		}
	}
	if len(nodes) == 0 || parents[0] != 0 || slices.ContainsFunc(parents[1:], func(n int) bool { return n != 1 }) {
		return errors.New("the nodes form no tree")
	}
	if slices.Contains(newShape(nodes, 0).closure([]int{0}), false) {
		return errors.New("some nodes are not below the root")
	}
	return nil
}

// Bounds of a board.
const (
	MinBoard = 3
	MaxBoard = 64
)

// maxCost bounds a penalty, so that the costs of a board stay small.
const maxCost = 1000

func checkGrid(r *schemas.LuminaGridInstance) error {
	if r.N < MinBoard || r.N > MaxBoard || r.Knobs.N != r.N {
		return fmt.Errorf("a board of %d, want %d to %d, as the knob says", r.N, MinBoard, MaxBoard)
	}
	if r.HoleCost < 0 || r.HoleCost > maxCost || r.OOBCost < 0 || r.OOBCost > maxCost {
		return fmt.Errorf("costs %d and %d, want 0 to %d", r.HoleCost, r.OOBCost, maxCost)
	}
	on := func(c Cell) bool { return (&Board{N: r.N}).on(c) }
	if !on(r.Start) || !on(r.Goal) || r.Start == r.Goal {
		return fmt.Errorf("start %v and goal %v: want two cells of the board", r.Start, r.Goal)
	}
	last := -1
	for _, h := range r.Holes {
		at := h[0]*r.N + h[1]
		if !on(h) || at <= last || h == r.Start || h == r.Goal {
			return fmt.Errorf("hole %v is off the board, out of order, or under start or goal", h)
		}
		last = at
	}
	return nil
}
