package dbpedia

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/dumps/packed"
	"github.com/wikinav/wikinav/schemas/fault"
)

// FuzzTypes holds the scanner to its books on any bytes: each line is counted once, and what is visited is a title and a class.
func FuzzTypes(f *testing.F) {
	good := isA(page+"A_b", ontologyPrefix+"Writer")
	for _, text := range []string{
		"", "\n", "\r\n\r\n", "# c", good, good + "\n" + good, strings.Replace(good, "<", "< ", 1), good[:len(good)-1], "<a> <b> <c> .",
		isA(page+`\u00e9`, ontologyPrefix+"X"), isA(page+`\u00`, ontologyPrefix+"X"), isA(page+"%", ontologyPrefix+""), "\xff", "_:b <p> <o> .",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := typeScanner{prefix: page, visit: func(title, class string) error {
			if title == "" || class == "" || !utf8.ValidString(title) || !norm.NFC.IsNormalString(title) {
				t.Errorf("%q: visited %q, %q", data, title, class)
			}
			return nil
		}}
		if _, err := packed.Scan(context.Background(), strings.NewReader(string(data)), maxLine, s.line); err != nil {
			t.Fatal(err)
		}
		c := s.counts
		lines := int64(strings.Count(string(data), "\n"))
		if len(data) > 0 && data[len(data)-1] != '\n' {
			lines++
		}
		if c.Lines != lines || c.Lines != c.Triples+c.Comments+c.Blank+c.Bad ||
			c.Triples != c.Types+c.Intermediate+c.ForeignClass+c.OtherPrefix+c.OtherPredicate+c.BadTitle {
			t.Errorf("%q: %d lines, counts %+v", data, lines, c)
		}
	})
}

// FuzzOntology: whatever the bytes, an ontology of which every walk ends, or a fault of the input.
func FuzzOntology(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`<?xml version="1.0"?><rdf:RDF xmlns:rdf="` + nsRDF + `" xmlns:owl="` + nsOWL + `" xmlns:rdfs="` + nsRDFS + `"><owl:Class rdf:about="` +
		ontologyPrefix + `A"><rdfs:subClassOf rdf:resource="` + ontologyPrefix + `work"/></owl:Class><owl:Class rdf:about="` + ontologyPrefix + `Work"/></rdf:RDF>`))
	f.Add([]byte(`<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><rdf:RDF>&a;</rdf:RDF>`))
	f.Add([]byte("\ufeff <rdf:RDF"))
	f.Add([]byte("</a><b/>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := &builder{path: "x", classes: map[string]*class{}}
		number, err := b.read(context.Background(), strings.NewReader(string(data)))
		if err != nil {
			err = packed.Placed("x", number, err)
		} else if o, made := b.ontology(); made != nil {
			err = made
		} else {
			for _, class := range o.Classes() {
				if l := o.Level2(class); len(l.Chain) == 0 || l.Chain[0] != class || len(l.Chain) > len(o.Classes()) {
					t.Errorf("%q: level %+v of %q", data, l, class)
				}
			}
		}
		if err != nil && !errors.Is(err, fault.Malformed) {
			t.Errorf("%q: %v", data, err)
		}
	})
}

// FuzzName: what is a title comes back from its name.
func FuzzName(f *testing.F) {
	for _, title := range []string{"A b", "100%", `C:\u0041`, "a_b", "É", "?", "  ", "\x00"} {
		f.Add(title)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		title, err := Title(raw)
		if err != nil {
			return
		}
		if again, err := Title(Name(title)); again != title || err != nil {
			t.Errorf("%q: title %q, name %q, which reads as %q, %v", raw, title, Name(title), again, err)
		}
	})
}

// FuzzRows: tables by hand and the level-2 table give rows or faults with a line.
func FuzzRows(f *testing.F) {
	f.Add("title\tclass\nA\tCity\n")
	f.Add("\ufeffA\tb\tc")
	f.Add(tableColumns + "\nCity\tPlace\tancestor\tPlace\t2\tCity>Place>owl:Thing\t\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, at, err := rowsOf(context.Background(), strings.NewReader(text), []string{"title", "class"}, func(int64, []string) error { return nil })
		if rows > at || at < 1 && err != nil {
			t.Errorf("%q: %d rows up to line %d, %v", text, rows, at, err)
		}
		if table, err := ParseTable([]byte(text)); err == nil {
			for _, class := range table.Classes() {
				(Classes{Table: table}).Level(class)
			}
		} else if !errors.Is(err, fault.Malformed) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
