package worlds

import "slices"

// closure marks all descendants, inclusive, of the given nodes.
func (s *shape) closure(from []int) []bool {
	in := make([]bool, len(s.nodes))
	stack := slices.Clone(from)
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !in[x] {
			in[x] = true
			stack = append(stack, s.nodes[x].Children...)
		}
	}
	return in
}

// answer gives the node below the given ones that has the target value, or -1.
func (s *shape) answer(from []int) int {
	for x, in := range s.closure(from) {
		if in && s.nodes[x].Value == s.target {
			return x
		}
	}
	return -1
}

func (s *shape) within(from []int) bool { return s.answer(from) >= 0 }

// worst is the number of turns of a policy that asks each query that tells something, and then ends.
func (t *Tree) worst() int {
	turns := 1
	for x, in := range t.shape.closure(t.order) {
		if in && t.Informative(x) {
			turns++
		}
	}
	return turns
}

// OnPath lists the ids of the nodes that one must query, with hindsight, to see the target's value: from the target's parent up to the
// deepest known ancestor. Nil if the target is out of reach or seen.
func (t *Tree) OnPath() []string {
	z := t.shape.answer(t.order)
	if z < 0 || t.value[z] {
		return nil
	}
	parent := t.shape.parents()
	var path []string
	for x := parent[z]; x >= 0; x = parent[x] {
		path = append(path, t.shape.nodes[x].ID)
		if t.known[x] {
			break
		}
	}
	return path
}

func (s *shape) parents() []int {
	parent := slices.Repeat([]int{-1}, len(s.nodes))
	for x, n := range s.nodes {
		for _, c := range n.Children {
			parent[c] = x
		}
	}
	return parent
}

// clair is the number of turns with hindsight; without an answer nothing but asking everything is sound.
func (t *Tree) clair() int {
	if !t.shape.within(t.order) {
		return t.worst()
	}
	return 1 + len(t.OnPath())
}

// Redundant tells whether a query of a known id would reveal nothing.
func (t *Tree) Redundant(id string) bool {
	x, ok := t.shape.byID[id]
	return ok && t.known[x] && !t.Informative(x)
}
