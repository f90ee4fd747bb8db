package question

import (
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Versions is a parser of replies as ReaderOf tells one from another.
type Versions interface{ Version() schemas.Versioned }

// ReaderOf returns the parser that reads a log's replies: the one that --reparse names, else that of
// the run, else the first of names. named finds a parser.
func ReaderOf[R Versions](sc *family.Scoring, names []string, named func(string) (R, bool)) (R, error) {
	if name := sc.Request.Reparse; name != "" {
		p, ok := named(name)
		if !ok {
			return p, fault.New(fault.Usage, "--reparse %s: no such parser", fault.Quote(name)).Choose(name, names)
		}
		return p, sc.Reparse(p.Version())
	}
	for _, name := range names {
		p, _ := named(name)
		if rules := sc.Scores.Rules; rules != nil && rules.Parser != nil && *rules.Parser == p.Version() {
			return p, nil
		}
	}
	p, _ := named(names[0])
	return p, nil
}
