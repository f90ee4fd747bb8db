package dbpedia

import (
	"bufio"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/wikinav/wikinav/dumps/packed"
)

// The vocabularies of the elements and attributes that matter.
const (
	nsOWL  = "http://www.w3.org/2002/07/owl#"
	nsRDF  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsRDFS = "http://www.w3.org/2000/01/rdf-schema#"
)

// maxDepth bounds the nesting of elements; published ontologies have 3.
const maxDepth = 100

var (
	errDoctype = errors.New("a document type declaration: entities are not read")
	errNoRDF   = errors.New("no rdf:RDF element")
)

// rdfReader reads RDF/XML. Elements other than classes, their parents and the version are passed over.
type rdfReader struct {
	*builder
	decoder *xml.Decoder
	open    []xml.StartElement
	seen    bool // rdf:RDF
}

// xml reads the file, and gives the line where it stopped.
func (b *builder) xml(ctx context.Context, in *bufio.Reader) (int64, error) {
	r := rdfReader{builder: b, decoder: xml.NewDecoder(in)} // strict: entities but the five of XML are errors
	for n := 0; ; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return r.line(), ctx.Err()
		}
		token, err := r.decoder.Token()
		switch {
		case err == io.EOF && !r.seen:
			return r.line(), errNoRDF
		case err == io.EOF:
			return r.line(), nil
		case err == nil:
			err = r.token(token)
		}
		if err != nil {
			return r.line(), err
		}
	}
}

func (r *rdfReader) line() int64 {
	number, _ := r.decoder.InputPos()
	return int64(number)
}

func (r *rdfReader) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.Directive:
		return errDoctype
	case xml.StartElement:
		return r.start(t)
	case xml.EndElement:
		r.open = r.open[:len(r.open)-1]
	case xml.CharData:
		if n := len(r.open); n > 0 && is(r.open[n-1].Name, nsOWL, "versionInfo") {
			r.setVersion(string(t))
		}
	}
	return nil
}

func (r *rdfReader) start(t xml.StartElement) (err error) {
	depth := len(r.open)
	switch {
	case depth == maxDepth:
		err = fmt.Errorf("elements nested more than %d deep", maxDepth)
	case is(t.Name, nsRDF, "RDF"):
		r.seen = true
	case is(t.Name, nsOWL, "Class"):
		r.declare(attribute(t, "about"), r.line())
	case is(t.Name, nsRDFS, "subClassOf") && depth > 0 && is(r.open[depth-1].Name, nsOWL, "Class"):
		err = r.below(attribute(r.open[depth-1], "about"), attribute(t, "resource"), r.line())
	}
	r.open = append(r.open, t.Copy())
	return err
}

func is(name xml.Name, space, local string) bool { return name.Space == space && name.Local == local }

// attribute gives rdf:name.
func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if is(a.Name, nsRDF, name) {
			return a.Value
		}
	}
	return ""
}

// triples reads N-Triples with the same statements. Other statements, of any form, are passed over: an ontology in this
// form has labels in many languages.
func (b *builder) triples(ctx context.Context, in *bufio.Reader) (int64, error) {
	return packed.Scan(ctx, in, maxLine, func(l packed.Line) error {
		if l.TooLong || l.Comment() || l.Blank() {
			return nil
		}
		if t, ok := parseTriple(l.Text); ok {
			return b.statement(t, l.Number)
		}
		return b.literal(l.Text)
	})
}

func (b *builder) statement(t triple, number int64) error {
	switch {
	case t.predicate == typePredicate && t.object == owlClass:
		b.declare(iri(t.subject), number)
	case t.predicate == subClassOf:
		return b.below(iri(t.subject), iri(t.object), number)
	}
	return nil
}

// iri undoes the escapes of a checked IRI.
func iri(s string) string {
	s, _ = unescape(s)
	return s
}

var errNoTriple = errors.New("no triple")

// literal takes a statement about a text, of which the version alone matters.
func (b *builder) literal(text string) error {
	_, rest, ok := cutIRI(strings.TrimLeft(text, blanks))
	predicate, object, isIRI := cutIRI(rest)
	if !strings.HasPrefix(text, "_:") && (!ok || !isIRI) || !strings.HasSuffix(strings.TrimRight(text, blanks), ".") {
		return errNoTriple
	}
	if quoted, found := strings.CutPrefix(object, `"`); found && predicate == versionInfo {
		version, _, _ := strings.Cut(quoted, `"`)
		b.setVersion(version)
	}
	return nil
}
