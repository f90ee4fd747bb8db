package lumina

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// proveTree draws trees until one has a place for the target and takes three turns at least. Of ten
// indices, the value that is looked for stands in no node at 8, and outside the source's part of
// the tree at 9.
func proveTree(d drawn) (*schemas.LuminaTreeInstance, *schemas.LuminaHead, bool) {
	knobs := schemas.LuminaTreeKnobs{
		N: d.knob("n", 0), Arity: d.knob("a", 2), Shape: schemas.ShapeComplete, PKnown: d.knob("k", 20), PEdges: d.knob("e", 50), Budget: schemas.BudgetWorst,
	}
	if d.knob("r", 0) > 0 {
		knobs.Shape = schemas.ShapeRandom
	}
	if d.knob("c", 0) > 0 {
		knobs.Budget = schemas.BudgetClair
	}
	if knobs.N < 2 || knobs.N > 10_000 || knobs.Arity < 1 || max(knobs.PKnown, knobs.PEdges) > 100 {
		return nil, nil, false
	}
	for range mostDraws {
		r := &schemas.LuminaTreeInstance{Knobs: knobs}
		if !d.tree(r) {
			continue
		}
		solveTree(r)
		if r.TWorst >= 3 {
			return r, &r.LuminaHead, true
		}
	}
	return nil, nil, false
}

// tree makes one draw: parents, values, ids, the source, the target's value, then what is
// disclosed.
func (d drawn) tree(r *schemas.LuminaTreeInstance) (placed bool) {
	n, kind := r.Knobs.N, d.index%10
	parents := d.parents(r.Knobs)
	values := d.Choose(10*n, n)
	r.Nodes = []schemas.LuminaNode{}
	for x := range n {
		r.Nodes = append(r.Nodes, schemas.LuminaNode{ID: d.id(r.Nodes), Value: values[x], Children: []int{}})
		if x > 0 {
			p := &r.Nodes[parents[x]]
			p.Children = append(p.Children, x)
		}
	}
	if kind == 9 {
		below := r.Nodes[0].Children
		r.Source = below[d.Below(len(below))]
	}
	scope, target := subtree(r.Nodes, r.Source), -1
	if kind == 8 {
		for used := true; used; {
			r.TargetValue = d.Below(10 * n)
			used = slices.Contains(values, r.TargetValue)
		}
	} else {
		var leaves []int
		for x, node := range r.Nodes {
			if len(node.Children) == 0 && x != r.Source && slices.Contains(scope, x) == (kind != 9) {
				leaves = append(leaves, x)
			}
		}
		if len(leaves) == 0 {
			return false
		}
		target = leaves[d.Below(len(leaves))]
		r.TargetValue = values[target]
	}
	d.disclose(r, scope, target)
	return true
}

// parents draws the shape: row by row, or under a node that has room for one more.
func (d drawn) parents(k schemas.LuminaTreeKnobs) []int {
	parents, open := []int{0}, []int{0}
	for x := 1; x < k.N; x++ {
		if k.Shape == schemas.ShapeComplete {
			parents = append(parents, (x-1)/k.Arity)
			continue
		}
		at := d.Below(len(open))
		parents = append(parents, open[at])
		siblings := 0
		for _, p := range parents[1:] {
			if p == open[at] {
				siblings++
			}
		}
		if siblings == k.Arity { // the last one with room takes its place
			open[at] = open[len(open)-1]
			open = open[:len(open)-1]
		}
		open = append(open, x)
	}
	return parents
}

// id draws a letter and five letters or digits, again while another node has them.
func (d drawn) id(others []schemas.LuminaNode) string {
	const letters = "abcdefghjkmnpqrstvwxyz"
	for {
		id := string(letters[d.Below(len(letters))])
		for range 5 {
			id += string((letters + "0123456789")[d.Below(len(letters)+10)])
		}
		if !slices.ContainsFunc(others, func(n schemas.LuminaNode) bool { return n.ID == id }) {
			return id
		}
	}
}

// subtree lists a node and all below it, ascending.
func subtree(nodes []schemas.LuminaNode, top int) []int {
	list := []int{top}
	for i := 0; i < len(list); i++ {
		list = append(list, nodes[list[i]].Children...)
	}
	slices.Sort(list)
	return list
}

// disclose draws which nodes are known, whose children are listed, and the order in which that is
// told.
func (d drawn) disclose(r *schemas.LuminaTreeInstance, scope []int, target int) {
	var facts []schemas.LuminaFact
	for _, x := range scope {
		if x != target && (x == r.Source || d.Below(100) < r.Knobs.PKnown) {
			facts = append(facts, schemas.LuminaFact{Node: x})
		}
	}
	for i := range facts {
		facts[i].Children = d.Below(100) < r.Knobs.PEdges
	}
	r.Facts = []schemas.LuminaFact{}
	for _, i := range d.Choose(len(facts), len(facts)) {
		r.Facts = append(r.Facts, facts[i])
	}
}

// solveTree finds the answer and the numbers of turns by playing.
func solveTree(r *schemas.LuminaTreeInstance) {
	p := play{r.Nodes, map[int]bool{}, map[int]bool{}, map[int]bool{}}
	for _, f := range r.Facts {
		p.met[f.Node], p.valued[f.Node] = true, true
		if f.Children {
			p.listed[f.Node] = true
			for _, child := range r.Nodes[f.Node].Children {
				p.met[child] = true
			}
		}
	}
	r.Answer = schemas.LuminaAnswer{Kind: schemas.AnswerUnreachable}
	away := p.away(r.TargetValue)
	r.TWorst = p.askAll() + 1
	r.TClair = r.TWorst
	for x, node := range r.Nodes {
		if p.valued[x] && node.Value == r.TargetValue { // everything that can be known is
			r.Answer, r.TClair = schemas.LuminaAnswer{Kind: schemas.AnswerFound, Node: &x}, away+1
		}
	}
	r.TStar = r.TWorst
	r.TMax = turns(&r.LuminaHead, r.TWorst, 1, 1, 5)
	if r.Knobs.Budget == schemas.BudgetClair {
		r.TMax = turns(&r.LuminaHead, r.TClair, 3, 2, 5)
	}
}

// play is what a player knows: nodes that it has met, those whose value it knows, and those whose
// children it has been told.
type play struct {
	nodes               []schemas.LuminaNode
	met, valued, listed map[int]bool
}

// askAll asks for the children of every node that it has met, as long as that tells something, and
// counts the questions.
func (p play) askAll() (asked int) {
	for news := true; news; {
		news = false
		for x := range p.nodes {
			if p.met[x] && p.tells(x) {
				p.listed[x], news = true, true
				asked++
				for _, child := range p.nodes[x].Children {
					p.met[child], p.valued[child] = true, true
				}
			}
		}
	}
	return asked
}

// tells reports whether a question about x tells who its children are, or the value of one.
func (p play) tells(x int) bool {
	return !p.listed[x] || slices.ContainsFunc(p.nodes[x].Children, func(child int) bool { return !p.valued[child] })
}

// away counts the questions from the first known node above the one with a value down to it: one
// for each node on the way.
func (p play) away(value int) (asked int) {
	at := slices.IndexFunc(p.nodes, func(n schemas.LuminaNode) bool { return n.Value == value })
	for at > 0 {
		at = slices.IndexFunc(p.nodes, func(n schemas.LuminaNode) bool { return slices.Contains(n.Children, at) })
		asked++
		if p.met[at] {
			break
		}
	}
	return asked
}
