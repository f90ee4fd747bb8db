// Package page shows an audit to people: as one page with a section for everything that audit.json
// says, and as lists of all instances, each with what makes it hard and with its drawing.
//
// It computes nothing: every number of a page is one of the report, or one that a release
// publishes. What does not fit into a page gets pages of its own beside it.
package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/webpage"
	"github.com/wikinav/wikinav/schemas"
)

// Of returns the page of a report, without the lists of instances. plots are put where they belong.
func Of(r *audit.Report, plots Plots) *webpage.Page {
	v := view{r: r, plots: plots}
	p := &webpage.Page{Title: "Audit of " + r.Release.Name, Subtitle: r.Release.String()}
	add := func(id, title string, blocks ...webpage.Block) {
		if len(blocks) > 0 {
			p.Sections = append(p.Sections, webpage.Section{ID: id, Title: title, Blocks: blocks})
		}
	}
	add("summary", "Summary", v.summary()...)
	add("funnel", "From dump to graph", v.funnel()...)
	add("graph", "The graph", v.graph()...)
	add("titles", "Titles", v.titles()...)
	add("parts", "What each part says of itself", v.facts()...)
	for _, family := range families(r) {
		add(slug(family), family, v.family(family)...)
	}
	add("pairs", "Pairs that repeat", v.pairs()...)
	add("overlaps", "What sets share", v.overlaps()...)
	add("against", "Earlier releases", v.against()...)
	add("scores", "What predicts success", v.scores()...)
	return p
}

type view struct {
	r     *audit.Report
	plots Plots
}

// real is a cell with a number of the report as people write it, and "" where it has none.
func real(decimal string) webpage.Cell {
	return numberOf(audit.Real(decimal))
}

// percent is a cell with a share.
func percent(decimal string) webpage.Cell {
	x := audit.Real(decimal)
	if math.IsNaN(x) {
		return webpage.Cell{}
	}
	return webpage.Cell{
		Text: strconv.FormatFloat(100*x, 'f', 2, 64) + " %",
		Sort: strconv.FormatFloat(x, 'g', -1, 64),
	}
}

// numberOf is a cell with a number as a record has it.
func numberOf(x float64) webpage.Cell {
	if math.IsNaN(x) {
		return webpage.Cell{}
	}
	return webpage.Cell{Text: shortNumber(x)}
}

// shortNumber has six significant digits, or all of a whole number.
func shortNumber(x float64) string {
	text := strconv.FormatFloat(x, 'g', 6, 64)
	if x == math.Trunc(x) && x < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return text
}

func integer[T int | int64](n T) webpage.Cell { return webpage.Int(int64(n)) }

func text(s string) webpage.Cell { return webpage.Cell{Text: s} }

func title(s string) webpage.Cell { return webpage.Cell{Text: s, Title: true} }

func ratio(r *schemas.Ratio) webpage.Cell {
	if r == nil || r.Den == 0 {
		return webpage.Cell{}
	}
	return text(fmt.Sprintf("%d/%d = %.3g", r.Num, r.Den, float64(r.Num)/float64(r.Den)))
}

func rate(r audit.Rate) webpage.Cell {
	if r.Value == "" {
		return webpage.Cell{}
	}
	return webpage.Cell{
		Text: fmt.Sprintf("%s [%s, %s]", real(r.Value).Text, real(r.Low).Text, real(r.High).Text),
		Sort: r.Value,
	}
}

func yes(b bool) webpage.Cell {
	if b {
		return text("yes")
	}
	return text("no")
}

// slug is words as a name for fragments and files: other words have another name.
func slug(words ...string) string {
	var b strings.Builder
	for i, word := range words {
		if i > 0 {
			b.WriteByte('-')
		}
		for _, c := range []byte(word) {
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
				b.WriteByte(c)
			} else {
				fmt.Fprintf(&b, ".%02x", c)
			}
		}
	}
	return b.String()
}

func (v view) summary() []webpage.Block {
	id := v.r.Release
	rows := [][]webpage.Cell{}
	for _, line := range [][2]string{
		{"wiki", id.Wiki},
		{"language", id.Language},
		{"snapshot", id.SnapshotDate},
		{"recipe", id.Recipe},
		{"SHA-256 of the recipe", id.RecipeSHA256},
		{"version", id.Version},
		{"id", id.ID},
		{"SHA-256 of the manifest", id.ManifestSHA256},
		{"SHA-256 of the graph", id.GraphSHA256},
		{"pairs fresh since", v.r.Since},
	} {
		if line[1] != "" {
			rows = append(rows, webpage.Cells(line[:]...))
		}
	}
	var blocks []webpage.Block
	for _, w := range v.r.Warnings {
		line := w.Code + ": " + w.Says
		if w.Measured != nil && w.Threshold != nil && w.Threshold.Den > 0 {
			line += fmt.Sprintf(" (%s measured, threshold %s)", ratio(w.Measured).Text,
				ratio(w.Threshold).Text)
		}
		blocks = append(blocks, webpage.Warning(strings.TrimSuffix(line, ": ")))
	}
	for _, l := range v.r.Laws {
		if !l.Holds {
			blocks = append(blocks, webpage.Warning(fmt.Sprintf("%s of %s is %d, its parts %s add up to %d",
				l.Count, l.Stage, l.Want, l.Parts, l.Got)))
		}
	}
	if len(v.r.Warnings) == 0 && id.ID != "" {
		blocks = append(blocks, webpage.Text("The build raised no warning."))
	}
	if len(v.r.Notes) > 0 {
		blocks = append(blocks, webpage.List(v.r.Notes))
	}
	if len(rows) > 0 {
		blocks = append(blocks, webpage.Table{
			Caption: "which release this is",
			Columns: webpage.Names("what", "value"), Rows: rows,
		})
	}
	return append(blocks, v.overview())
}

// overview has a line for each set.
func (v view) overview() webpage.Block {
	t := webpage.Table{
		ID: "sets", Caption: "sets of records",
		Columns: webpage.Names("family", "set", "#records", "#features", "#suspicious", "fresh since"),
	}
	if len(v.plots.places) > 0 {
		t.Columns = append(t.Columns, webpage.Column{Name: "list"})
	}
	for _, s := range v.r.Sets {
		t.Rows = append(t.Rows, []webpage.Cell{
			text(s.Family),
			{Text: s.Set, Href: "#" + slug(s.Family, s.Set)},
			integer(s.N), integer(len(s.Features)),
			integer(s.SuspiciousN), text(s.Fresh),
		})
		if at, ok := v.plots.places[slug(s.Family, s.Set)]; ok {
			t.Rows[len(t.Rows)-1] = append(t.Rows[len(t.Rows)-1],
				webpage.Cell{Text: "all records", Href: at})
		}
	}
	return t
}

func (v view) funnel() (blocks []webpage.Block) {
	if len(v.r.Funnel) > 0 {
		t := webpage.Table{
			Caption: "each count, and its share of what it is part of",
			Columns: webpage.Names("stage", "what", "#count", "#of", "#share"),
		}
		for _, c := range v.r.Funnel {
			row := []webpage.Cell{text(c.Stage), text(c.Label), integer(c.N), {}, percent(c.Share)}
			if c.Of != nil {
				row[3] = integer(*c.Of)
			}
			t.Rows = append(t.Rows, row)
		}
		blocks = append(blocks, t)
	}
	if len(v.r.Laws) > 0 {
		t := webpage.Table{
			Caption: "every count is the sum of its parts",
			Columns: webpage.Names("stage", "count", "#counted", "#sum of the parts", "holds", "parts"),
		}
		for _, l := range v.r.Laws {
			t.Add(text(l.Stage), text(l.Count), integer(l.Want), integer(l.Got), yes(l.Holds), text(l.Parts))
		}
		blocks = append(blocks, webpage.Details{
			Summary: fmt.Sprintf("conservation laws: %d", len(v.r.Laws)), Blocks: []webpage.Block{t},
		})
	}
	return blocks
}

func (v view) graph() (blocks []webpage.Block) {
	p := v.r.Graph
	if p == nil {
		return nil
	}
	degrees := webpage.Table{
		Caption: "links of a page",
		Columns: webpage.Names("degree", "#median", "#p90", "#p99", "#max", "page with the most"),
		Rows:    [][]webpage.Cell{degreeRow("out", p.Out), degreeRow("in", p.In)},
	}
	shares := webpage.Table{
		Caption: "ordered pairs of pages by distance",
		Columns: webpage.Names("#distance", "#share", "#low", "#high"),
	}
	for i, s := range p.Distances.Shares {
		shares.Add(integer(i+1), real(s.Value), real(s.Low), real(s.High))
	}
	c := v.r.Components
	sizes := webpage.Table{
		Caption: "the largest strongly connected components, before the recipe chose",
		Columns: webpage.Names("#place", "#pages"),
	}
	for i, n := range c.Largest {
		sizes.Add(integer(i+1), integer(n))
	}
	blocks = append(blocks,
		webpage.Text(fmt.Sprintf("%s pages, %s links. %s of the pages have fewer than 50 links, "+
			"so that a menu shows all of them.", webpage.Thousands(int64(p.Nodes)),
			webpage.Thousands(int64(p.Edges)), percent(p.Under50.Ratio).Text)),
		degrees, v.plots.figure(plotOut), v.plots.figure(plotIn),
		shares, v.plots.figure(plotDistances), webpage.Text(distancesSay(p.Distances)),
		v.plots.figure(plotEccentricities))
	if len(sizes.Rows) > 0 {
		blocks = append(blocks, sizes, webpage.Text(componentsSay(c)))
	}
	return present(blocks)
}

func componentsSay(c audit.Components) string {
	text := fmt.Sprintf("%s components.", webpage.Thousands(int64(c.Count)))
	if c.Share != "" {
		text += fmt.Sprintf(" The largest has %s of the %s pages; the others lie outside it, "+
			"because no way leads back from them or none to them.",
			percent(c.Share).Text, webpage.Thousands(c.Nodes))
	}
	return text
}

// present drops blocks that are nil: figures that nobody drew.
func present(list []webpage.Block) (out []webpage.Block) {
	for _, b := range list {
		if b != nil {
			out = append(out, b)
		}
	}
	return out
}

func degreeRow(name string, d audit.Degrees) []webpage.Cell {
	return []webpage.Cell{
		text(name), integer(d.Median), integer(d.P90), integer(d.P99),
		integer(d.Max), title(d.MaxTitle),
	}
}

func distancesSay(d audit.Distances) string {
	how := "Every page was a source."
	if !d.Exact {
		how = fmt.Sprintf("From a sample of %d sources; low and high are bounds of 95 %%.", d.Sources)
	}
	far := fmt.Sprintf("The diameter is at least %d and at most %d.", d.DiameterMin, d.DiameterMax)
	if d.DiameterMax < 0 {
		far = fmt.Sprintf("Not every page reaches every other; the largest distance seen is %d.",
			d.DiameterMin)
	}
	return fmt.Sprintf("%s The mean distance is %s. %s", how, real(d.Mean.Value).Text, far)
}

func (v view) titles() []webpage.Block {
	t := v.r.Titles
	if t.Nodes == 0 {
		return nil
	}
	row := func(name string, s audit.Share) []webpage.Cell {
		return []webpage.Cell{text(name), integer(s.Num), percent(s.Ratio)}
	}
	return []webpage.Block{
		webpage.Table{
			Caption: "titles of the graph",
			Columns: webpage.Names("with", "#pages", "#share"), Rows: [][]webpage.Cell{
				row("a blank", t.Blank), row("parentheses", t.Parentheses),
				row("characters outside of ASCII", t.NonASCII),
			},
		},
		webpage.Text(fmt.Sprintf("The longest title has %d characters in %d bytes: %s",
			t.Runes, t.Bytes, t.Longest)),
	}
}

func (v view) facts() (blocks []webpage.Block) {
	if len(v.r.Quotas) > 0 {
		t := webpage.Table{
			ID: "quotas", Caption: "what was asked for and got",
			Columns: webpage.Names("part", "of", "#requested", "#got", "status", "why"),
		}
		for _, q := range v.r.Quotas {
			t.Add(text(q.Part), text(q.What()), integer(q.Requested), integer(q.Got), text(q.Status),
				text(q.Why))
		}
		blocks = append(blocks, t)
	}
	for _, f := range v.r.Facts {
		t := webpage.Table{
			Caption: f.Part + ": " + f.Title,
			Columns: webpage.Names("what", "#count", "#of", "#share"),
		}
		for _, r := range f.Rows {
			t.Rows = append(t.Rows, factRow(r))
		}
		blocks = append(blocks, webpage.Details{Summary: t.Caption, Blocks: []webpage.Block{t}})
	}
	return blocks
}

func factRow(f release.Fact) []webpage.Cell {
	row := []webpage.Cell{text(f.Name), integer(f.N), {}, {}}
	if f.Of > 0 {
		row[2], row[3] = integer(f.Of), percent(fmt.Sprint(float64(f.N)/float64(f.Of)))
	}
	return row
}

func (v view) pairs() []webpage.Block {
	if len(v.r.Pairs) == 0 {
		return nil
	}
	t := webpage.Table{
		ID: "repeats", Caption: "pages and pairs that come more than once within a set",
		Columns: webpage.Names("family", "set", "#records", "#different pairs", "#sources twice",
			"#targets twice", "#pages at both ends"),
	}
	on := webpage.Table{
		ID: "on-paths", Caption: "pages on the paths of more than one record in twenty",
		Columns: webpage.Names("set", "page", "#records", "#share"),
	}
	for _, s := range v.r.Pairs {
		t.Add(text(s.Family), text(s.Set), integer(s.N), integer(s.Pairs), integer(s.SourcesTwice),
			integer(s.TargetsTwice), integer(s.BothEnds))
		for _, m := range s.SharedOnPaths {
			on.Add(text(s.Family+"/"+s.Set), title(m.Title), integer(m.N), percent(m.Share))
		}
	}
	if len(on.Rows) == 0 {
		return []webpage.Block{t}
	}
	return []webpage.Block{t, on}
}

func (v view) overlaps() (blocks []webpage.Block) {
	for _, group := range v.r.Contaminated {
		blocks = append(blocks,
			webpage.Warning("a set to train on was drawn without regard to the instances of "+group))
	}
	if len(v.r.Pairs) < 2 {
		return blocks
	}
	if len(v.r.Overlaps) == 0 {
		return append(blocks, webpage.Text("No two sets share a pair, a source or a target."))
	}
	t := webpage.Table{
		ID: "shared", Caption: "records of the first set whose pair, reversed pair, source or target " +
			"is in the second, or whose pair ends a path there",
		Columns: webpage.Names("of", "in", "to train on", "#pairs", "#reversed", "#sources", "#targets",
			"#on paths"),
	}
	for _, o := range v.r.Overlaps {
		if o.Train && o.Pairs+o.Reversed+o.OnPaths > 0 {
			blocks = append(blocks,
				webpage.Warning(fmt.Sprintf("%s is to train on and gives %d records of %s away", o.A,
					o.Pairs+o.Reversed+o.OnPaths, o.B)))
		}
		t.Add(text(o.A), text(o.B), yes(o.Train), integer(o.Pairs), integer(o.Reversed),
			integer(o.Sources), integer(o.Targets), integer(o.OnPaths))
	}
	return append(blocks, t)
}

func (v view) against() []webpage.Block {
	if len(v.r.Against) == 0 {
		return nil
	}
	t := webpage.Table{
		ID: "contamination", Caption: "records that an earlier release has too",
		Columns: webpage.Names("release", "snapshot", "family", "set", "#records", "#shared", "#share",
			"#reversed"),
	}
	for _, a := range v.r.Against {
		t.Add(text(a.Release), text(a.Date), text(a.Family), text(a.Set), integer(a.N),
			integer(a.Shared), percent(a.Share), integer(a.Reversed))
	}
	return []webpage.Block{t}
}
