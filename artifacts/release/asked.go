package release

import (
	"encoding/json"
	"fmt"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
)

// Asked is a pair of pages that a record asks about, as a later release is held to it.
type Asked struct {
	Source, Target schemas.PageRef
	Distance       int        // links on a shortest path, as a column tells it
	Paths          [][]uint32 // that the record reveals, by node
	Under          string     // what the record's key says besides the pages: the class that is banned
	Record         any        // for the part's own test
}

// Key names the pair in releases of one wiki.
func (a *Asked) Key(wiki string) string {
	return KeyOf(wiki, a.Source.PageID, a.Target.PageID, a.Under)
}

// KeyOf is the key of two page ids and what is asked besides.
func KeyOf(wiki string, source, target uint32, under string) string {
	key := fmt.Sprintf("%s:%d:%d", wiki, source, target)
	if under != "" {
		key += ":" + under
	}
	return key
}

// Paired is a part whose records of JSON lines ask about pairs of pages. What any other part has is
// compared as bytes.
type Paired interface {
	// EachAsked visits the pairs of a file of JSON lines in its order; what it visits holds until
	// the next visit.
	EachAsked(f Files, name string, visit func(*Asked) error) error
}

// Retester is a Paired part that asks more of a pair than its distance.
type Retester interface {
	// Retest returns a test of pairs whose pages and distance now still has: "" as the state of a
	// pair that holds, else in which way it does not. to has the node of now for each node of old.
	Retest(old, now *Release, to []uint32) (func(*Asked) (state, detail string, err error), error)
}

// Gone is the node of a page that a release has not.
const Gone = ^uint32(0)

// EachAsked visits the pairs of records that name them source, target, distance and, if they have
// one, witness. Other fields are passed over, because a file has the digest of one that was
// verified.
func EachAsked(f Files, name string, visit func(*Asked) error) error {
	var x struct {
		Source   schemas.PageRef `json:"source"`
		Target   schemas.PageRef `json:"target"`
		Distance int             `json:"distance"`
		Witness  []uint32        `json:"witness"`
	}
	return f.Each(name, func(_ int, line []byte) error {
		x.Witness = x.Witness[:0]
		if err := json.Unmarshal(line, &x); err != nil {
			return err
		}
		return visit(&Asked{Source: x.Source, Target: x.Target, Distance: x.Distance, Paths: [][]uint32{x.Witness}})
	})
}

// EachAlias visits the redirects with the node that each leads to, a row group at a time.
func (r *Release) EachAlias(visit func(title string, node uint32)) error {
	f, err := r.file(aliasesPath)
	if err != nil {
		return err
	}
	for t, err := range arrowio.Groups(r.root, aliasesPath, schemas.ReleaseAliasesTable, f.digestOf()) {
		if err != nil {
			return err
		}
		titles := t.Strings(0, 0)
		for i, node := range t.Uint32s(0, 1) {
			visit(titles.At(i), node)
		}
	}
	return nil
}
