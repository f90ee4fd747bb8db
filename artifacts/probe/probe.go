// Package probe is what the family publishes: questions whether one page links to another, which
// show what a model knows of the links before it plans. It has the files, their columns, their
// checks and their section of the data card, and reads them from an open release.
package probe

import (
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Files of the folder.
const (
	linesFile = "probe.jsonl"
	tableFile = "probe.parquet"
)

// Table lays a question flat.
// 1: first layout.
var Table = flat.For[schemas.ProbeInstance]("wikinav.probe/1")

// Part is the folder of the family in a release.
var Part release.Part = part{release.Base{Artifact: schemas.Probe, Kinds: []release.Kind{
	{Pattern: linesFile, Schema: schemas.ProbeInstanceSchema, Rows: true},
	release.RecordKind(tableFile, Table),
}}}

type part struct{ release.Base }

func questions(f release.Files) ([]schemas.ProbeInstance, error) {
	return release.Lines(f, linesFile, schemas.ProbeInstanceSchema, func(x *schemas.ProbeInstance) string {
		return x.ID
	})
}

// Questions reads the questions of a release, in the order of their ids; fault.NotFound for a
// release without.
func Questions(r *release.Release) ([]schemas.ProbeInstance, error) {
	f := r.Part(Part)
	if !f.Has(linesFile) {
		return nil, fault.New(fault.NotFound, "the release has no knowledge probe").At(Part.Folder(), "")
	}
	return questions(f)
}

// EachAsked is documented at release.Paired.
func (part) EachAsked(f release.Files, name string, visit func(*release.Asked) error) error {
	return release.EachAsked(f, name, visit)
}

func (p part) Scored(f release.Files) (pairs []release.Scored, err error) {
	list, err := questions(f)
	for _, q := range list {
		pairs = append(pairs, release.Scored{Group: p.Artifact.Name, Source: q.Source.Node, Target: q.Target.Node})
	}
	return pairs, err
}

// Tables returns the questions as pairs of pages, and with all their columns.
func (p part) Tables(f release.Files) ([]flat.Rows, error) {
	list, err := questions(f)
	var pairs []release.Pair
	for _, q := range list {
		pairs = append(pairs, release.Pair{ID: q.ID, Family: p.Artifact.Name, Split: q.Class, Source: q.Source.Node, Target: q.Target.Node, Distance: q.Distance, Witness: []uint32{}})
	}
	return []flat.Rows{release.PairRows(pairs), Table.Rows(p.Artifact.Name, list)}, err
}

func (p part) Card(f release.Files) (release.Card, error) {
	config := f.Config(p.Artifact.Name)
	config.Files = []release.ConfigFile{{Split: "test", Name: tableFile}}
	config.Rows = f.Rows(tableFile)
	return release.Card{Configs: []release.Config{config}, Text: fmt.Sprintf(text, release.FieldTable(p.Folder()+"/"+tableFile, Table.Doc()))}, nil
}

const text = `## Does this page link to that one (probe)

What a model knows of the links before it plans: pairs of pages, as many of each class, and the right answer.

%s`

// Check checks each pair against the graph, and against the distances where the release has the
// target's column.
func (part) Check(c *release.Check) {
	c.Need(linesFile, tableFile)
	list := release.RecordsOf[schemas.ProbeInstance](c, linesFile, schemas.ProbeInstanceSchema)
	if list == nil {
		return
	}
	have, seen := release.Tally{}, map[[2]uint32]string{}
	for _, q := range list {
		have[slotOf(&q)]++
	}
	c.Quotas(have)
	release.SameRows(c, tableFile, Table, list)
	release.EachLine(c, linesFile, list, func(q *schemas.ProbeInstance) string { return q.ID }, func(l release.Line, q *schemas.ProbeInstance) {
		pair := [2]uint32{q.Source.Node, q.Target.Node}
		if first, twice := seen[pair]; twice {
			l.Bad("pair", "once", "also in "+first)
		}
		seen[pair] = l.Where
		if l.Page("source", q.Source) && l.Page("target", q.Target) {
			check(l, q)
		}
	})
}

func check(l release.Line, q *schemas.ProbeInstance) {
	s, t := q.Source.Node, q.Target.Node
	there, back := l.Edge(s, t), l.Edge(t, s)
	at, known := map[string]int{schemas.ProbeConnected: 1, schemas.ProbeD2: 2, schemas.ProbeD3: 3, schemas.ProbeD4: 4}[q.Class]
	if !slices.Contains(schemas.ProbeClasses, q.Class) || known && q.Distance != at ||
		q.Distance < 1 || q.Distance == int(schemas.Unreached) {
		l.Bad("class", "a class that has the distance", fmt.Sprintf("%s at %d", fault.Quote(q.Class), q.Distance))
	}
	connected := q.Class == schemas.ProbeConnected
	l.Is("link from source to target", connected, there)
	if !connected {
		l.Is("link from target to source", q.Class == schemas.ProbeReversed, back)
	}
	gold := schemas.GoldNo
	if there {
		gold = schemas.GoldYes
	}
	l.Is("gold", gold, q.Gold)
	l.Is("mutual", there && back, q.Mutual)
	if s == t {
		l.Bad("target", "another page than the source", t)
	}
	l.Distance(s, t, q.Distance, false)
}
