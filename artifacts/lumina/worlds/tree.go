package worlds

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// Tree is a state of TreeWorld: what the agent knows. A node is known by its id, and beyond that by
// its value, by the list of its children, or by both.
type Tree struct {
	shape *shape
	order []int  // the known ids as nodes, in order of discovery
	known []bool // by node, as the two below
	value []bool
	edges []bool
}

// shape is what the agent does not know.
type shape struct {
	nodes  []schemas.LuminaNode
	byID   map[string]int
	target int // value
}

func newShape(nodes []schemas.LuminaNode, target int) *shape {
	s := &shape{nodes, make(map[string]int, len(nodes)), target}
	for i, n := range nodes {
		s.byID[n.ID] = i
	}
	return s
}

// newTree returns what the facts disclose. Discovery goes through them in order, each fact's id
// before its listed children.
func newTree(s *shape, facts []schemas.LuminaFact) *Tree {
	n := len(s.nodes)
	t := &Tree{shape: s, known: make([]bool, n), value: make([]bool, n), edges: make([]bool, n)}
	for _, f := range facts {
		t.meet(f.Node)
		t.value[f.Node] = true
		if f.Children {
			t.edges[f.Node] = true
			for _, c := range s.nodes[f.Node].Children {
				t.meet(c)
			}
		}
	}
	return t
}

// meet makes x known by its id.
func (t *Tree) meet(x int) {
	if !t.known[x] {
		t.known[x] = true
		t.order = append(t.order, x)
	}
}

// Optimal returns found as soon as a known value is the target, else all queries that may reveal
// something, else unreachable. Each such query starts a shortest sound completion in some tree that
// the agent cannot rule out, and no other does.
func (t *Tree) Optimal() []Call {
	if z := t.seen(); z >= 0 {
		return []Call{{Name: Found, ID: t.shape.nodes[z].ID}}
	}
	var out []Call
	for _, id := range t.Frontier() {
		out = append(out, Call{Name: GetChildren, ID: id})
	}
	if out == nil {
		out = []Call{{Name: Unreachable}}
	}
	return out
}

// seen returns the node whose known value is the target, or -1.
func (t *Tree) seen() int {
	for x, n := range t.shape.nodes {
		if t.value[x] && n.Value == t.shape.target {
			return x
		}
	}
	return -1
}

// Informative reports whether a query of x reveals something: its children's ids or a child's
// value.
func (t *Tree) Informative(x int) bool {
	if !t.edges[x] {
		return true
	}
	return slices.ContainsFunc(t.shape.nodes[x].Children, func(c int) bool { return !t.value[c] })
}

// Legal lists every query and every claim about a known id, and unreachable.
func (t *Tree) Legal() []Call {
	var out []Call
	for _, name := range []string{GetChildren, Found} {
		for _, x := range t.order {
			out = append(out, Call{Name: name, ID: t.shape.nodes[x].ID})
		}
	}
	return append(out, Call{Name: Unreachable})
}

// Dead is false: from any knowledge some sequence of calls gets the answer.
func (t *Tree) Dead() bool { return false }

// Apply queries or ends. An id that the agent has not met is unknown, whether or not it exists:
// found of a node that holds the value out of reach is wrong, so that unreachable alone is right
// there.
func (t *Tree) Apply(c Call) (State, Effect) {
	x, ok := t.shape.byID[c.ID]
	ok = ok && t.known[x]
	switch {
	case c.Name == Unreachable:
		return t, Effect{Event: EventTerminal, Outcome: terminal(!t.shape.within(t.order))}
	case c.Name == Found:
		return t, Effect{Event: EventTerminal, Outcome: terminal(ok && t.shape.nodes[x].Value == t.shape.target)}
	case !ok:
		return t, Effect{Event: EventUnknownID}
	}
	next, e := t.clone(), Effect{Event: EventChildren, Children: []Child{}}
	next.edges[x] = true
	for _, c := range t.shape.nodes[x].Children {
		next.meet(c)
		next.value[c] = true
		e.Children = append(e.Children, Child{t.shape.nodes[c].ID, t.shape.nodes[c].Value})
	}
	return next, e
}

func (t *Tree) clone() *Tree {
	return &Tree{t.shape, slices.Clone(t.order), slices.Clone(t.known), slices.Clone(t.value), slices.Clone(t.edges)}
}

// AppendCanonical appends {known: [[node, value known, children known]]}, in order of discovery,
// because the plan depends on it.
func (t *Tree) AppendCanonical(dst []byte) []byte {
	dst = append(dst, `{"known":[`...)
	for i, x := range t.order {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendInts(dst, x, bit(t.value[x]), bit(t.edges[x]))
	}
	return append(dst, "]}"...)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
