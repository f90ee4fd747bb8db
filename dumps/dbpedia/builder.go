package dbpedia

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/fault"
)

// class is what the file says of one: parents in our namespace or the root, each once.
type class struct {
	line    int64
	parents []string
}

// builder gathers statements in any order.
type builder struct {
	path    string
	classes map[string]*class
	orphans map[string]*class // parents of subjects that are not declared as classes so far
	version string
}

// declare notes that an IRI is a class, if it is one of ours.
func (b *builder) declare(iri string, line int64) {
	name, ours := strings.CutPrefix(iri, ontologyPrefix)
	if !ours || name == "" || b.classes[name] != nil {
		return
	}
	if c := b.orphans[name]; c != nil {
		b.classes[name] = c
		return
	}
	b.classes[name] = &class{line: line}
}

// below notes a parent; those of foreign vocabularies are none. A second one is an error.
func (b *builder) below(iri, parentIRI string, line int64) error {
	name, ours := strings.CutPrefix(iri, ontologyPrefix)
	parent, known := strings.CutPrefix(parentIRI, ontologyPrefix)
	if parentIRI == thing {
		parent, known = "", true
	}
	if !ours || name == "" || !known {
		return nil
	}
	c := b.of(name, line)
	if !slices.Contains(c.parents, parent) {
		c.parents = append(c.parents, parent)
	}
	if len(c.parents) > 1 {
		return malformed(b.path, line, "class %s has two parents, %s and %s", fault.Quote(name), orThing(c.parents[0]), orThing(c.parents[1]))
	}
	return nil
}

func (b *builder) of(name string, line int64) *class {
	if c := b.classes[name]; c != nil {
		return c
	}
	if b.orphans == nil {
		b.orphans = map[string]*class{}
	}
	if b.orphans[name] == nil {
		b.orphans[name] = &class{line: line}
	}
	return b.orphans[name]
}

func orThing(class string) string {
	if class == "" {
		return "owl:Thing"
	}
	return fault.Quote(class)
}

// setVersion keeps the first version that is stated.
func (b *builder) setVersion(v string) {
	if b.version == "" {
		b.version = strings.TrimSpace(v)
	}
}

// ontology repairs the parents and checks that every way ends.
func (b *builder) ontology() (*Ontology, error) {
	if len(b.classes) == 0 {
		return nil, fault.New(fault.Malformed, "no class under %s", ontologyPrefix).At(b.path, "").
			Hint("an ontology is RDF/XML or N-Triples with owl:Class and rdfs:subClassOf")
	}
	o := &Ontology{Version: b.version, parents: map[string]edge{}, Broken: []string{}}
	for name, c := range b.classes { // into a map, and Broken is sorted below
		e := edge{}
		if len(c.parents) > 0 {
			e = b.edge(c.parents[0])
		}
		o.parents[name] = e
		if e.broken {
			o.Broken = append(o.Broken, name)
		}
		if e.repaired {
			o.Repaired++
		}
	}
	slices.Sort(o.Broken)
	return o, o.checkCycles(b)
}

// edge leads to parent, or to what repairs has for it. A parent that is a class is never repaired.
func (b *builder) edge(parent string) edge {
	if parent == "" || b.classes[parent] != nil {
		return edge{parent: parent}
	}
	if right := repairs[parent]; b.classes[right] != nil {
		return edge{parent: right, repaired: true}
	}
	return edge{parent: parent, broken: true}
}
