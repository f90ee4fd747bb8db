package dbpedia

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/dumps/packed"
	"github.com/wikinav/wikinav/schemas/fault"
)

// A MiB of what is worst for a reader takes well under a second.
func TestTheWorstTextsTakeLinearTime(t *testing.T) {
	const size = 1 << 20
	var chain strings.Builder
	for i := 0; chain.Len() < size; i++ { // each below the next: the deepest tree, walked from every class
		fmt.Fprintf(&chain, "<%sC%d> <%s> <%s> .\n<%sC%d> <%s> <%sC%d> .\n", ontologyPrefix, i, typePredicate, owlClass, ontologyPrefix, i, subClassOf, ontologyPrefix, i+1)
	}
	for name, text := range map[string]string{
		"one line": strings.Repeat("<", size), "short lines": strings.Repeat("\n", size), "bad lines": strings.Repeat("<a\n", size/3),
		"escapes": "<" + strings.Repeat(`\u0041`, size/6) + "> <a> <b> .", "a half escape": strings.Repeat("<\\\\> \n", size/6),
		"open elements": strings.Repeat("<a>", size/3), "a chain": chain.String(),
	} {
		start := time.Now()
		s := typeScanner{prefix: page, visit: func(string, string) error { return nil }}
		if _, err := packed.Scan(context.Background(), strings.NewReader(text), maxLine, s.line); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		b := &builder{path: "x", classes: map[string]*class{}}
		if _, err := b.read(context.Background(), strings.NewReader(text)); err == nil {
			if o, err := b.ontology(); err == nil {
				for _, class := range o.Classes()[:1] {
					o.Level2(class)
				}
			}
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

func TestOntologiesThatContradictThemselvesAreRefused(t *testing.T) {
	rdf := func(body string) string {
		return `<rdf:RDF xmlns:rdf="` + nsRDF + `" xmlns:owl="` + nsOWL + `" xmlns:rdfs="` + nsRDFS + `">` + "\n" + body + "\n</rdf:RDF>"
	}
	class := func(name string, parents ...string) string {
		out := `<owl:Class rdf:about="` + ontologyPrefix + name + `">`
		for _, p := range parents {
			out += `<rdfs:subClassOf rdf:resource="` + p + `"/>`
		}
		return out + "</owl:Class>\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"two parents":     {rdf(class("A") + class("B") + class("C", ontologyPrefix+"A", ontologyPrefix+"B")), `line 4: class "C" has two parents, "A" and "B"`},
		"root and parent": {rdf(class("A") + class("C", thing, ontologyPrefix+"A")), `has two parents, owl:Thing and "A"`},
		"a cycle":         {rdf(class("A", ontologyPrefix+"B") + class("B", ontologyPrefix+"C") + class("C", ontologyPrefix+"A")), "is its own ancestor"},
		"itself":          {rdf(class("A", ontologyPrefix+"A")), "is its own ancestor"},
		"entities":        {`<!DOCTYPE rdf:RDF [<!ENTITY e SYSTEM "http://example.org/">]>` + rdf(class("A")), "document type"},
		"an entity":       {rdf(class("A") + "&e;"), "line 3: "},
		"no end":          {strings.TrimSuffix(rdf(class("A")), "</rdf:RDF>"), "unexpected EOF"},
		"no XML":          {"hello\n", "line 1: no triple"},
		"other classes":   {rdf(`<owl:Class rdf:about="http://schema.org/Person"/>`), "no class under"},
		"nothing":         {"", "no class under"},
	} {
		_, err := ReadOntology(t.Context(), file(t, c.text))
		if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	o, err := ReadOntology(t.Context(), file(t, rdf(class("Work", thing)+class("Book", ontologyPrefix+"work", "http://schema.org/Book")+class("Odd", ontologyPrefix+"Nowhere"))))
	if err != nil || o.Repaired != 1 || fmt.Sprint(o.Broken) != "[Odd]" || o.Level2("Book").Rule != RuleRepaired || o.Level2("Odd").Label != "" {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestTablesThatContradictThemselvesAreRefused(t *testing.T) {
	const good = "City\tPlace\tancestor\tPlace\t2\tCity>Place>owl:Thing\t\n"
	for name, c := range map[string]struct{ text, want string }{
		"a class twice":     {good + good, `line 3: class "City" stands twice`},
		"an unknown label":  {strings.Replace(good, "\tPlace\tanc", "\tFilm\tanc", 1), `line 2: label "Film"`},
		"a cycle":           {"City\tPlace\tancestor\tPlace\t3\tCity>Town>City>owl:Thing\t\n", "line 2: the chain \"City>Town>City>owl:Thing\" is a cycle"},
		"another depth":     {strings.Replace(good, "\t2\t", "\t3\t", 1), "line 2: chain"},
		"an unknown rule":   {strings.Replace(good, "ancestor", "guess", 1), `line 2: rule "guess"`},
		"none with a label": {strings.Replace(good, "ancestor", "unmapped", 1), `line 2: label "Place" for rule unmapped`},
		"a column too few":  {strings.Replace(good, "\t\n", "\n", 1), "line 2: 6 columns"},
	} {
		_, err := ParseTable([]byte(tableColumns + "\n" + c.text))
		if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	if table, err := ParseTable([]byte("# note\n" + tableColumns + "\n" + good)); err != nil || len(table.Classes()) != 1 {
		t.Errorf("a good table: %v", err)
	}
}

func TestClassNamesAreTakenInAnySpelling(t *testing.T) {
	s := NewSpelling(Classes{Table: DefaultTable()})
	for name, want := range map[string]string{
		"body_o_fwater": "BodyOfWater", "BodyOfWater": "BodyOfWater", "body of water": "BodyOfWater", "city": "City",
		ontologyPrefix + "City": "City", "Made up": "Made up", "non-profit organisation": "Non-ProfitOrganisation",
	} {
		if got := s.Class(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
