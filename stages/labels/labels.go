// Package labels is the stage that says what each page is about: which of the 22 labels of the constrained family it has,
// where that is known from, and how far all this reaches.
//
// It reads the graph, the redirects to its pages, and whatever files of types the user brought; there may be none, and then
// no page has a type of DBpedia. A type finds its page by the exact title, else by the title of a redirect, else not at all,
// which is counted. A page's labels are those of its best source that has any (or of all, with union); its
// primary label is that of the most specific class there.
//
// Where DBpedia says nothing, the page's infobox stands in, by a table of ours; such rows say so, and the report tells how often
// the two agree where both speak.
//
// It promises that a page without a type has no label, rather than a guess; that no file is passed over in silence; and that
// labels.json tells coverage over all nodes and by in-degree.
//
// Memory: 12 bytes per statement that concerns a node, 16 per node, and the graph's title index.
package labels

import (
	"context"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/dumps/dbpedia"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// Params is what the user decides about labels, beside the files.
type Params struct {
	Policy  bool `json:"policy"`  // classes that the ontology leaves without a label have one by our own additions
	Infobox bool `json:"infobox"` // pages that DBpedia says nothing about are labelled by their infobox
	Union   bool `json:"union"`   // labels of all sources, and not of the best alone
}

// Default gives the parameters of the specification.
func Default() Params { return Params{Policy: true, Infobox: true} }

func New(p Params) stages.Stage {
	return stages.Make(stages.Spec{
		Name: "labels", Version: 2,
		Inputs:  []schemas.Artifact{schemas.SnapshotArtifact, schemas.Graph, schemas.Aliases, schemas.Infoboxes, schemas.TypeFiles},
		Outputs: []schemas.Artifact{schemas.Labels},
		Params:  keyed{p, dbpedia.DefaultTable().SHA256, dbpedia.InfoboxesSHA256()},
	}, p.run)
}

// keyed adds what the program brings: another table is another result, and a release's manifest names both.
type keyed struct {
	Params
	Table     string `json:"table_sha256"`
	Infoboxes string `json:"infoboxes_sha256"`
}

// run gathers what the sources claim about each node, decides, and writes.
func (p Params) run(ctx context.Context, env *stages.Run) error {
	g, err := env.Graph()
	if err != nil {
		return err
	}
	aliases, err := env.Table(schemas.Aliases, "aliases.arrow", schemas.AliasesTable)
	if err != nil {
		return err
	}
	in, err := openFiles(ctx, env)
	if err != nil {
		return err
	}
	c := newClaims(dbpedia.Classes{Table: dbpedia.DefaultTable(), Ontology: in.ontology, Policy: p.Policy})
	snapshot, err := stages.ReadSnapshot(env)
	if err != nil {
		return err
	}
	files, err := in.read(ctx, snapshot.Language, &matcher{graph: g, aliases: aliases}, c)
	if err != nil {
		return err
	}
	if p.Infobox {
		if err := readInfoboxes(env, snapshot.Language, g, c); err != nil {
			return err
		}
	}
	rows := c.decide(g.Len(), p.Union)
	report := c.report(g, rows)
	report.Ontology, report.Files = in.ontologyReport(c.levels), files
	if err := writeRows(env, g, c, rows); err != nil {
		return err
	}
	count(env, &report)
	return env.Write("labels.json", stages.JSONDocument(report))
}

func writeRows(env stages.Env, g *graph.Graph, c *claims, rows []row) error {
	err := stages.WriteRows(env, labels.File, schemas.LabelsTable, func(w *arrowio.Writer) error { return appendRows(w, g, c, rows) })
	if err != nil {
		return err
	}
	return env.Write(labels.ParquetFile, stages.ParquetRows(schemas.LabelsTable, func(w *arrowio.ParquetWriter) error { return appendRows(w, g, c, rows) }))
}

func appendRows(w flat.RowWriter, g *graph.Graph, c *claims, rows []row) error {
	for u, r := range rows {
		name := ""
		if r.class != noClass {
			name = c.classes[r.class].name
		}
		err := labels.Row{
			Node: uint32(u), PageID: g.PageIDs[u], Mask: r.mask, Primary: r.primary, N: uint8(r.labels()),
			Source: schemas.LabelSources[r.rank], Class: name, Conflict: r.conflict,
		}.Append(w)
		if err != nil {
			return err
		}
	}
	return nil
}
