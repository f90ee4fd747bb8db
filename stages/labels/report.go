package labels

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/dumps/dbpedia"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

func (c *claims) report(g *graph.Graph, rows []row) schemas.LabelReport {
	r := schemas.LabelReport{
		Schema: schemas.LabelReportSchema, Nodes: int64(len(rows)),
		Sources: sources(rows), Labels: labelCounts(rows), Deciles: deciles(g, rows), UnknownClasses: c.unknown(),
		Table: schemas.LabelTable{SHA256: c.levels.Table.SHA256, Classes: int64(len(c.levels.Table.Classes()))},
	}
	for _, row := range rows {
		r.Typed += one(row.rank != none)
		r.Labelled += one(row.mask != 0)
		r.MultiLabel += one(row.labels() > 1)
		r.Conflicts += one(row.conflict)
		r.UnknownPages += one(row.unknown)
		r.InfoboxCompared += one(row.compared)
		r.InfoboxAgrees += one(row.agrees)
	}
	return r
}

func sources(rows []row) []schemas.LabelSourceCount {
	out := make([]schemas.LabelSourceCount, len(schemas.LabelSources))
	for i, name := range schemas.LabelSources {
		out[i].Source = name
	}
	for _, row := range rows {
		out[row.rank].Nodes++
		out[row.rank].Labelled += one(row.mask != 0)
	}
	return out
}

func labelCounts(rows []row) []schemas.LabelCount {
	out := make([]schemas.LabelCount, len(schemas.LabelNames))
	for bit, name := range schemas.LabelNames {
		out[bit].Label = name
		for _, row := range rows {
			out[bit].Nodes += one(row.mask&(1<<bit) != 0)
			out[bit].Primary += one(int(row.primary) == bit)
		}
	}
	return out
}

const tenths = 10

func deciles(g *graph.Graph, rows []row) []schemas.LabelDecile {
	order := make([]uint32, len(rows))
	for u := range order {
		order[u] = uint32(u)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(g.Pred.Degree(a), g.Pred.Degree(b)) })
	out := []schemas.LabelDecile{}
	for i := range tenths {
		part := order[i*len(order)/tenths : (i+1)*len(order)/tenths]
		if len(part) == 0 {
			continue
		}
		d := schemas.LabelDecile{
			MinInDegree: int64(g.Pred.Degree(part[0])), MaxInDegree: int64(g.Pred.Degree(part[len(part)-1])), Nodes: int64(len(part)),
		}
		for _, u := range part {
			d.Typed += one(rows[u].rank != none)
			d.Labelled += one(rows[u].mask != 0)
		}
		out = append(out, d)
	}
	return out
}

// unknown lists the classes that neither table nor ontology have.
func (c *claims) unknown() []schemas.ClassCount {
	out := []schemas.ClassCount{}
	for _, class := range c.classes {
		if !class.known {
			out = append(out, schemas.ClassCount{Class: class.name, Statements: class.statements})
		}
	}
	slices.SortFunc(out, func(a, b schemas.ClassCount) int { return strings.Compare(a.Class, b.Class) })
	return out
}

func (in *files) ontologyReport(levels dbpedia.Classes) *schemas.LabelOntology {
	if in.ontology == nil {
		return nil
	}
	return &schemas.LabelOntology{
		Version: in.ontology.Version, SHA256: in.ontologyFile.Digest.SHA256, Classes: int64(len(in.ontology.Classes())),
		Repaired: int64(in.ontology.Repaired), Broken: in.ontology.Broken, Differs: levels.Differences(),
	}
}

// unknownClasses is the share of typed pages with a class that nobody knows, above which a warning is due.
var unknownClasses = schemas.Ratio{Num: 1, Den: 100}

// count takes the report's totals into the receipt.
func count(env stages.Env, r *schemas.LabelReport) {
	stages.WarnAbove(env, "W_LABEL_CLASSES", schemas.Ratio{Num: r.UnknownPages, Den: r.Typed}, unknownClasses)
	stages.Counts(env, map[string]int64{
		"nodes": r.Nodes, "typed": r.Typed, "labelled": r.Labelled, "multi_label": r.MultiLabel, "conflicts": r.Conflicts,
		"infobox_compared": r.InfoboxCompared, "infobox_agrees": r.InfoboxAgrees,
		"unknown_classes": int64(len(r.UnknownClasses)), "files": int64(len(r.Files)),
	})
	for _, s := range r.Sources {
		env.Count("source_"+s.Source, s.Nodes)
	}
	for _, f := range r.Files {
		for how, n := range f.Counts { // into a map again
			env.Count(f.Role+"_"+how, n)
		}
	}
}
