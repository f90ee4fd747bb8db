package dbpedia

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/dumps/packed"
	"github.com/wikinav/wikinav/schemas/fault"
)

// repairs put a class in the place of a parent that is none: errors of the published ontologies.
var repairs = map[string]string{
	"building": "Building", "book": "Book", "work": "Work", "TimeInterval": "TimePeriod", "نَسبہ": "Gene",
	"Infrastucture": "Infrastructure",
}

// Ontology is the tree of classes.
type Ontology struct {
	Version  string
	Repaired int             // parents that repairs replaced
	Broken   []string        // classes whose parent is no class: they have no label; sorted
	parents  map[string]edge // "" is the root
}

// edge leads from a class to its parent.
type edge struct {
	parent   string // "" for the root
	repaired bool
	broken   bool // the parent is no class
}

// ReadOntology reads RDF/XML or N-Triples, told apart by the first byte that matters.
func ReadOntology(ctx context.Context, path string) (*Ontology, error) {
	b := &builder{path: path, classes: map[string]*class{}}
	err := packed.InFile(ctx, path, func(text io.Reader) (int64, error) { return b.read(ctx, text) })
	if err != nil {
		return nil, err
	}
	return b.ontology()
}

func (b *builder) read(ctx context.Context, text io.Reader) (line int64, err error) {
	in := bufio.NewReaderSize(text, 1<<16)
	if looksLikeXML(in) {
		return b.xml(ctx, in)
	}
	return b.triples(ctx, in)
}

// looksLikeXML tells <rdf:RDF or <?xml from the <http: of a triple. A file of neither fails as triples do.
func looksLikeXML(in *bufio.Reader) bool {
	head, _ := in.Peek(512)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) < 2 || head[0] != '<' {
		return false
	}
	iri, _, _ := bytes.Cut(head[1:], []byte(">"))
	return !bytes.Contains(iri, []byte("://")) || bytes.ContainsAny(iri, " \t\r\n")
}

// checkCycles walks up from every class, in order of names; what is known to end is not walked again.
func (o *Ontology) checkCycles(b *builder) error {
	ends := map[string]bool{}
	for _, start := range o.Classes() {
		on := map[string]bool{}
		for at := start; at != "" && !ends[at]; at = o.parents[at].parent {
			if on[at] {
				return packed.Malformed(b.path, b.classes[at].line, "class %s is its own ancestor", fault.Quote(at))
			}
			on[at] = true
		}
		for at := range on { // a set
			ends[at] = true
		}
	}
	return nil
}

// Classes lists the classes, sorted.
func (o *Ontology) Classes() []string { return slices.Sorted(maps.Keys(o.parents)) }

func (o *Ontology) Has(class string) bool {
	_, ok := o.parents[class]
	return ok
}

// class is what the file says of one: parents in our namespace or the root, each once.
type class struct {
	line     int64
	parents  []string
	declared bool // as a class, not only as something with a parent
}

// builder gathers statements in any order.
type builder struct {
	path    string
	classes map[string]*class
	version string
}

// declare notes that an IRI is a class, if it is one of ours.
func (b *builder) declare(iri string, line int64) {
	if name, ours := strings.CutPrefix(iri, ontologyPrefix); ours && name != "" {
		b.class(name, line).declared = true
	}
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
	c := b.class(name, line)
	if !slices.Contains(c.parents, parent) {
		c.parents = append(c.parents, parent)
	}
	if len(c.parents) > 1 {
		return packed.Malformed(b.path, line, "class %s has two parents, %s and %s", fault.Quote(name), orThing(c.parents[0]), orThing(c.parents[1]))
	}
	return nil
}

func (b *builder) class(name string, line int64) *class {
	if b.classes[name] == nil {
		b.classes[name] = &class{line: line}
	}
	return b.classes[name]
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
	maps.DeleteFunc(b.classes, func(_ string, c *class) bool { return !c.declared })
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
