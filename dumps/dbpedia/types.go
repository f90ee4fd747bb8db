package dbpedia

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/packed"
)

// toleratedOf is the number of lines of which one may be bad; more, and the file is refused.
const toleratedOf = 1000

// shownBad is how many bad lines are named.
const shownBad = 20

// TypeCounts is what became of the lines of a file of instance types: Lines = Triples + Comments + Blank + Bad, and
// Triples, the well-formed lines, is the sum of the six fields after it.
type TypeCounts struct {
	Lines          int64 `json:"lines"`
	Triples        int64 `json:"triples"`
	Types          int64 `json:"types"` // visited
	Intermediate   int64 `json:"intermediate"`
	ForeignClass   int64 `json:"foreign_class"`   // an object outside the ontology
	OtherPrefix    int64 `json:"other_prefix"`    // a subject of another language
	OtherPredicate int64 `json:"other_predicate"` // no rdf:type
	BadTitle       int64 `json:"bad_title"`       // a subject that is no title
	Comments       int64 `json:"comments"`
	Blank          int64 `json:"blank"`
	Bad            int64 `json:"bad"`

	BadLines []BadLine `json:"bad_lines"` // the first of them
}

// BadLine names a line that is no triple, and why.
type BadLine struct {
	Line int64  `json:"line"`
	Why  string `json:"why"`
}

// Reasons why a line is bad.
const (
	whyTooLong = "longer than 64 KiB"
	whyUTF8    = "invalid UTF-8"
	whyParts   = "not three IRIs and a dot"
)

// ReadTypes visits each type in the file at path that concerns a page of the wiki in that language: its title and its class,
// without prefix. It refuses the file if more than 0.1 % of its lines are bad, which is known at its end only; the counts are
// those of the whole file then, too.
func ReadTypes(ctx context.Context, path, language string, visit func(title, class string) error) (TypeCounts, error) {
	s := typeScanner{prefix: ResourcePrefix(language), visit: visit}
	if err := packed.Lines(ctx, path, maxLine, s.line); err != nil {
		return s.counts, err
	}
	return s.counts, s.counts.check(path)
}

// check refuses a file with too many bad lines.
func (c *TypeCounts) check(path string) error {
	if c.Bad*toleratedOf <= c.Lines {
		return nil
	}
	first := c.BadLines[0]
	return packed.Malformed(path, first.Line, "%s, and %d of %d lines in all are bad: more than 1 in %d", first.Why, c.Bad, c.Lines, toleratedOf).
		Hint("is this a file of instance types, one triple on a line?")
}

type typeScanner struct {
	prefix string
	visit  func(title, class string) error
	counts TypeCounts
}

func (s *typeScanner) line(l packed.Line) error {
	c := &s.counts
	c.Lines++
	switch {
	case l.TooLong:
		return s.bad(l, whyTooLong)
	case l.Comment():
		c.Comments++
		return nil
	case l.Blank():
		c.Blank++
		return nil
	case !utf8.ValidString(l.Text):
		return s.bad(l, whyUTF8)
	}
	t, ok := parseTriple(l.Text)
	if !ok {
		return s.bad(l, whyParts)
	}
	c.Triples++
	return s.triple(t)
}

func (s *typeScanner) bad(l packed.Line, why string) error {
	s.counts.Bad++
	if len(s.counts.BadLines) < shownBad {
		s.counts.BadLines = append(s.counts.BadLines, BadLine{l.Number, why})
	}
	return nil
}

func (s *typeScanner) triple(t triple) error {
	class, isClass := strings.CutPrefix(t.object, ontologyPrefix)
	name, isPage := strings.CutPrefix(t.subject, s.prefix)
	c := &s.counts
	switch {
	case t.predicate != typePredicate:
		c.OtherPredicate++
	case !isClass || class == "":
		c.ForeignClass++
	case !isPage:
		c.OtherPrefix++
	case strings.Contains(name, "__"):
		c.Intermediate++
	default:
		title, err := Title(name)
		if err != nil {
			c.BadTitle++
			return nil
		}
		c.Types++
		return s.visit(title, class)
	}
	return nil
}
