package draw

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// leastTurns is the shortest worst case that makes a tree worth asking about.
const leastTurns = 3

// tree draws a tree, a target value, and what is disclosed. The index decides the kind: of ten, eight targets can be reached, one
// value is in no node, and one is outside the source's part of the tree.
func tree(n Name, k schemas.LuminaTreeKnobs) (any, *worlds.Instance, error) {
	d := treeDraw{s: n.stream(), k: k, kind: max(inScope, kind(n.Index%10-7))}
	for range maxTries {
		r, ok := d.try()
		if !ok {
			continue
		}
		r.LuminaHead, r.Knobs = n.head(), k
		if inst, err := worlds.SealTree(&r); err != nil || r.TWorst >= leastTurns {
			return r, inst, err
		}
	}
	return nil, nil, n.hopeless()
}

// kind is where the target is.
type kind int

const (
	inScope kind = iota
	absent       // at the index 8 of ten
	outside      // at the index 9 of ten
)

type treeDraw struct {
	s    *rng.Stream
	k    schemas.LuminaTreeKnobs
	kind kind
}

// try makes one draw; ok is false if it has no place for the target.
func (d treeDraw) try() (r schemas.LuminaTreeInstance, ok bool) {
	parent := d.parents()
	values := d.s.Choose(10*d.k.N, d.k.N)
	ids := d.ids()
	r.Nodes = make([]schemas.LuminaNode, d.k.N)
	for x := range r.Nodes {
		r.Nodes[x] = schemas.LuminaNode{ID: ids[x], Value: values[x], Children: []int{}}
	}
	for x := 1; x < d.k.N; x++ {
		r.Nodes[parent[x]].Children = append(r.Nodes[parent[x]].Children, x)
	}
	if d.kind == outside {
		below := r.Nodes[0].Children
		r.Source = below[d.s.Below(len(below))]
	}
	scope := below(parent, r.Source)
	target, ok := d.target(&r, scope)
	if ok {
		r.Facts = d.disclose(scope, r.Source, target)
	}
	return r, ok
}

func (d treeDraw) parents() []int {
	parent := make([]int, d.k.N)
	if d.k.Shape == schemas.ShapeComplete {
		for i := 1; i < d.k.N; i++ {
			parent[i] = (i - 1) / d.k.Arity
		}
		return parent
	}
	open, children := []int{0}, make([]int, d.k.N)
	for i := 1; i < d.k.N; i++ {
		j := d.s.Below(len(open))
		p := open[j]
		parent[i] = p
		if children[p]++; children[p] == d.k.Arity {
			open[j] = open[len(open)-1]
			open = open[:len(open)-1]
		}
		open = append(open, i)
	}
	return parent
}

// The letters of an id: without i, l, o and u, and with a letter in front, so that no id is a number or a word of the rules.
const (
	idFirst  = "abcdefghjkmnpqrstvwxyz"
	idOther  = idFirst + "0123456789"
	idLength = 6
)

func (d treeDraw) ids() []string {
	ids, seen := make([]string, d.k.N), map[string]bool{}
	for i := range ids {
		for ids[i] == "" || seen[ids[i]] {
			ids[i] = d.id()
		}
		seen[ids[i]] = true
	}
	return ids
}

func (d treeDraw) id() string {
	id := []byte{idFirst[d.s.Below(len(idFirst))]}
	for len(id) < idLength {
		id = append(id, idOther[d.s.Below(len(idOther))])
	}
	return string(id)
}

// below marks the nodes of the subtree of source; a parent stands before its children.
func below(parent []int, source int) []bool {
	in := make([]bool, len(parent))
	for x := range parent {
		in[x] = x == source || x > 0 && in[parent[x]]
	}
	return in
}

// target draws the target's value and gives its node, -1 for none.
func (d treeDraw) target(r *schemas.LuminaTreeInstance, scope []bool) (node int, ok bool) {
	if d.kind == absent {
		for used := true; used; {
			r.TargetValue = d.s.Below(10 * d.k.N)
			used = slices.ContainsFunc(r.Nodes, func(n schemas.LuminaNode) bool { return n.Value == r.TargetValue })
		}
		return -1, true
	}
	var leaves []int
	for x, n := range r.Nodes {
		if len(n.Children) == 0 && x != r.Source && scope[x] == (d.kind == inScope) {
			leaves = append(leaves, x)
		}
	}
	if leaves == nil {
		return 0, false
	}
	node = leaves[d.s.Below(len(leaves))]
	r.TargetValue = r.Nodes[node].Value
	return node, true
}

// disclose draws which nodes of the scope are known, then whose children are listed, then the order of the facts.
func (d treeDraw) disclose(scope []bool, source, target int) []schemas.LuminaFact {
	var facts []schemas.LuminaFact
	for x, in := range scope {
		if in && x != target && (x == source || d.s.Below(100) < d.k.PKnown) {
			facts = append(facts, schemas.LuminaFact{Node: x})
		}
	}
	for i := range facts {
		facts[i].Children = d.s.Below(100) < d.k.PEdges
	}
	ordered := make([]schemas.LuminaFact, len(facts))
	for i, j := range d.s.Choose(len(facts), len(facts)) {
		ordered[i] = facts[j]
	}
	return ordered
}
