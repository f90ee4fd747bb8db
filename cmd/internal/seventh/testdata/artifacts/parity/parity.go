// Package parity is what the family publishes: questions whether a page has an even number of
// links. It has the files, their columns, their checks and their section of the data card.
package parity

import (
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Files of the folder.
const (
	linesFile = "parity.jsonl"
	tableFile = "parity.parquet"
)

// Table lays a question flat.
// 1: first layout.
var Table = flat.For[schemas.ParityInstance]("wikinav.parity/1")

// Part is the folder of the family in a release.
var Part release.Part = part{release.Base{Artifact: schemas.Parity, Kinds: []release.Kind{
	{Pattern: linesFile, Schema: schemas.ParityInstanceSchema, Rows: true},
	release.TableKind(tableFile, Table.Table()),
}}}

type part struct{ release.Base }

// Questions reads the questions, in the order of their ids; fault.NotFound where there are none.
func Questions(f release.Files) ([]schemas.ParityInstance, error) {
	return release.Lines(f, linesFile, schemas.ParityInstanceSchema, func(x *schemas.ParityInstance) string {
		return x.ID
	})
}

// Tables returns the questions.
func (p part) Tables(f release.Files) ([]flat.Rows, error) {
	list, err := Questions(f)
	return []flat.Rows{Table.Rows(p.Artifact.Name, list)}, err
}

// Card describes the questions.
func (p part) Card(f release.Files) (release.Card, error) {
	text := "## Even or odd (parity)\n\nPages, and whether the number of their links is even.\n\n"
	return release.Card{
		Configs: []release.Config{f.Config(p.Artifact.Name, p.Artifact.Name)},
		Text:    text + release.FieldTable(p.Folder()+"/"+tableFile, Table.Doc()),
	}, nil
}

// Check compares each question with the graph.
func (p part) Check(c *release.Check) {
	c.Need(linesFile, tableFile)
	list := release.RecordsOf[schemas.ParityInstance](c, linesFile, schemas.ParityInstanceSchema)
	if list == nil {
		return
	}
	c.Quotas(release.Tally{{Of: p.Artifact.Name}: len(list)})
	release.SameRows(c, tableFile, Table, list)
	id := func(q *schemas.ParityInstance) string { return q.ID }
	release.EachLine(c, linesFile, list, id, func(l release.Line, q *schemas.ParityInstance) {
		if l.Page("page", q.Page) {
			l.Is("gold", []string{schemas.ParityEven, schemas.ParityOdd}[c.Graph().Succ.Degree(q.Page.Node)%2], q.Gold)
		}
	})
}
