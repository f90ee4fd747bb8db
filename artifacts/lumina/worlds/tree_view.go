package worlds

// Fact is what the agent knows of one node. Value is nil and Listed false where it does not know.
type Fact struct {
	ID       string
	Value    *int
	Listed   bool     // the children are known
	Children []string // ids in stored order
}

// Target is the value that is looked for.
func (t *Tree) Target() int { return t.shape.target }

// Facts lists in order of discovery the nodes of which more than the id is known.
func (t *Tree) Facts() []Fact {
	var out []Fact
	for _, x := range t.order {
		n := &t.shape.nodes[x]
		f := Fact{ID: n.ID, Listed: t.edges[x]}
		if t.value[x] {
			f.Value = &n.Value
		}
		if f.Listed {
			for _, c := range n.Children {
				f.Children = append(f.Children, t.shape.nodes[c].ID)
			}
		}
		if f.Value != nil || f.Listed {
			out = append(out, f)
		}
	}
	return out
}

// Valueless lists the known ids whose value is not known, in order of discovery.
func (t *Tree) Valueless() []string { return t.ids(func(x int) bool { return !t.value[x] }) }

// Frontier lists the ids whose query reveals something, in order of discovery.
func (t *Tree) Frontier() []string { return t.ids(t.Informative) }

func (t *Tree) ids(keep func(int) bool) []string {
	var out []string
	for _, x := range t.order {
		if keep(x) {
			out = append(out, t.shape.nodes[x].ID)
		}
	}
	return out
}
