package worlds

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/dag"
)

// Picture draws the world in which an instance begins: a list above what must be left of it, a tree
// with what is told of it, a board with an optimal way.
func Picture(inst *Instance) dag.Drawing {
	d := dag.Drawing{Title: inst.ID}
	switch s := inst.Start.(type) {
	case List:
		s.picture(&d)
	case *Tree:
		s.picture(&d)
	case Grid:
		s.picture(&d)
	}
	return d
}

// picture sets each value that stays above its place in the target.
func (l List) picture(d *dag.Drawing) {
	stays := l.stays()
	d.Says = fmt.Sprintf("A list of %d numbers, of which %d stay.", len(l.Cur), len(l.Target))
	below := 0
	for i, v := range l.Cur {
		n := dag.Node{ID: strconv.Itoa(i), Label: strconv.Itoa(v), Cell: i}
		if !stays[i] {
			n.Marks = append(n.Marks, dag.Dropped)
		}
		d.Nodes = append(d.Nodes, n)
	}
	for i := range l.Cur {
		if stays[i] {
			d.Nodes = append(d.Nodes, dag.Node{
				Label: strconv.Itoa(l.Target[below]), Layer: 2, Cell: i, Marks: []dag.Mark{dag.Goal},
			})
			d.Edges = append(d.Edges, dag.Edge{From: i, To: len(d.Nodes) - 1})
			below++
		}
	}
	d.Note("Where a value stands several times, another choice of places may be as good.")
	d.Board()
}

// stays reports of each place whether its value is kept by an optimal player.
func (l List) stays() []bool {
	stays, at := make([]bool, len(l.Cur)), make([]int, len(l.Cur))
	for i := range at {
		at[i] = i
	}
	for now := l; ; {
		c := now.Optimal()[0]
		if c.Name == Done {
			break
		}
		next, _ := now.Apply(c)
		now, at = next.(List), slices.Delete(at, int(c.Index), int(c.Index)+1)
	}
	for _, i := range at {
		stays[i] = true
	}
	return stays
}

// picture shows the whole tree, and what of it the player is told.
func (t *Tree) picture(d *dag.Drawing) {
	d.Says = fmt.Sprintf("A tree of %d nodes; the value %d is looked for.", len(t.shape.nodes), t.shape.target)
	parent := make([]int, len(t.shape.nodes))
	for x, n := range t.shape.nodes {
		for _, c := range n.Children {
			parent[c] = x + 1
		}
	}
	for x, n := range t.shape.nodes {
		node := dag.Node{ID: n.ID, Label: fmt.Sprintf("%s: %d", n.ID, n.Value)}
		for up := parent[x]; up > 0; up = parent[up-1] {
			node.Layer++
		}
		if n.Value == t.shape.target {
			node.Marks = append(node.Marks, dag.Goal)
		}
		switch {
		case t.value[x] && t.edges[x]:
			node.Marks, node.Note = append(node.Marks, dag.Told), "its value and its children are told"
		case t.value[x]:
			node.Marks, node.Note = append(node.Marks, dag.Told), "its value is told"
		case t.known[x]:
			node.Note = "its id is told"
		}
		d.Nodes = append(d.Nodes, node)
		for _, c := range n.Children {
			d.Edges = append(d.Edges, dag.Edge{From: x, To: c})
		}
	}
	if !t.shape.within(t.order) {
		d.Note("The value is out of reach of the nodes that are known at the beginning.")
	}
	d.Lay(dag.Across)
}

// picture shows the board with its holes, and the moves of an optimal player.
func (g Grid) picture(d *dag.Drawing) {
	b := g.Board
	d.Says = fmt.Sprintf("A board of %d by %d cells; the goal costs %d of a budget of %d.",
		b.N, b.N, b.Cost(g.Pos), g.Remaining)
	for i := range b.N * b.N {
		at := Cell{i / b.N, i % b.N}
		n := dag.Node{ID: fmt.Sprintf("%d,%d", at[0], at[1]), Layer: at[0], Cell: at[1]}
		n.Label = strconv.Itoa(b.Cost(at))
		if b.Hole(at) {
			n.Marks = append(n.Marks, dag.Hazard)
		}
		switch at {
		case g.Pos:
			n.Marks = append(n.Marks, dag.Start)
		case b.Goal:
			n.Marks = append(n.Marks, dag.Goal)
		}
		d.Nodes = append(d.Nodes, n)
	}
	for now := g; now.Pos != b.Goal; {
		next, _ := now.Apply(now.Optimal()[0])
		to := next.(Grid)
		d.Edges = append(d.Edges, dag.Edge{From: b.at(now.Pos), To: b.at(to.Pos), Marks: []dag.Mark{dag.OnPath}})
		now = to
	}
	d.Note("The number in a cell is the least cost from it to the goal.")
	d.Board()
}
