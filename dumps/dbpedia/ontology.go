package dbpedia

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"slices"

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
	err := inFile(ctx, path, func(text io.Reader) (int64, error) { return b.read(ctx, text) })
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
				return malformed(b.path, b.classes[at].line, "class %s is its own ancestor", fault.Quote(at))
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
func (o *Ontology) Classes() []string {
	list := make([]string, 0, len(o.parents))
	for name := range o.parents { // sorted below
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// Has tells whether the ontology has the class.
func (o *Ontology) Has(class string) bool {
	_, ok := o.parents[class]
	return ok
}
