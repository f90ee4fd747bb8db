// Package page draws a report from its JSON: one page of sortable tables and figures, and each
// figure as a file beside it.
//
// It promises that every number of a figure or table is one of the report, that equal reports give
// equal bytes, and that the page is whole without scripts or a network. It knows no family: it
// draws what a report holds, and has no section for what it lacks. It links the library that plots,
// so that wikinav alone links it.
package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/figure"
	"github.com/wikinav/wikinav/artifacts/webpage"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
)

// Page is the page of a report, and its figures as files.
type Page struct {
	webpage.Page
	Files []report.File
}

// Of makes the page of a report.
func Of(r *report.Report) *Page {
	p := &Page{Page: webpage.Page{
		Title: r.Release, Subtitle: "Runs of " + r.Family + ", manifest id " + r.ManifestID,
		Style: ".multiples{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:flex-start}" +
			".multiples figure{margin:.25rem 0;min-width:0;max-width:100%}" +
			".multiples figcaption{display:none}td .t{min-width:8rem}",
	}}
	b := &builder{r: r, page: p, ids: map[string]bool{}}
	for _, section := range []struct {
		id, title string
		blocks    []webpage.Block
	}{
		{"runs", "Runs", b.runs()},
		{"hard", "What makes it hard", b.hard()},
		{"budget", "Completion against budget", b.budgets()},
		{"loops", "Loops", b.loops()},
		{"planning", "Planning gap", b.planning()},
		{"differences", "Differences between runs", b.differences()},
		{"oracles", "Oracles", b.oracles()},
		{"twins", "Twins with less to know", b.twins()},
		{"errors", "What went wrong", b.errors()},
		{"clusters", "Clusters of instances", b.clusters()},
		{"people", "People", b.people()},
	} {
		if len(section.blocks) > 0 {
			p.Sections = append(p.Sections, webpage.Section{
				ID: section.id, Title: section.title, Blocks: section.blocks,
			})
		}
	}
	return p
}

type builder struct {
	r    *report.Report
	page *Page
	ids  map[string]bool
}

// multiples are small figures side by side.
type multiples []webpage.Figure

func (m multiples) HTML() (template.HTML, error) {
	var b strings.Builder
	b.WriteString(`<div class="multiples">`)
	for _, f := range m {
		inner, err := f.HTML()
		if err != nil {
			return "", err
		}
		b.WriteString(string(inner))
	}
	b.WriteString("</div>")
	return template.HTML(b.String()), nil
}

func (m multiples) Markdown() string {
	var parts []string
	for _, f := range m {
		parts = append(parts, f.Markdown())
	}
	return strings.Join(parts, "\n\n")
}

// about says on each figure what it is of.
func (b *builder) about() string { return b.r.Release + ", " + b.r.Family }

// subtitle is about with the rules and the split, which may be none.
func (b *builder) subtitle(g report.Group, split string) string {
	text := b.about() + ", rules " + g.ShortRules()
	if split != "" {
		text += ", " + split
	}
	return text
}

// name returns a name of a file or an id that is free, made of what it is about.
func (b *builder) name(parts ...string) string {
	base := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, strings.Join(parts, "-")), "-.")
	base = base[:min(len(base), 80)]
	name := base
	for n := 2; b.ids[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	b.ids[name] = true
	return name
}

// figure keeps a drawing as a file and returns it as a block.
func (b *builder) figure(name, title string, svg []byte, table *webpage.Table) webpage.Figure {
	file := b.name(name) + ".svg"
	b.page.Files = append(b.page.Files, report.File{Name: file, Data: svg})
	return webpage.Figure{Title: title, SVG: svg, File: file, Table: table}
}

// table begins a table that can be sorted.
func (b *builder) table(caption string, columns ...string) webpage.Table {
	return webpage.Table{ID: b.name("table", caption), Caption: caption, Columns: webpage.Names(columns...)}
}

// numbers are columns of numbers with names that anybody may have given.
func numbers(names []string) (list []webpage.Column) {
	for _, name := range names {
		list = append(list, webpage.Column{Name: webpage.Plain(name), Number: true})
	}
	return list
}

// metric is a cell with a metric, which sorts by its value.
func metric(m judge.Metric) webpage.Cell {
	v, low, high := estimate(m)
	c := fourDigits(v)
	if !math.IsNaN(low) && !math.IsNaN(high) && !math.IsNaN(v) {
		c.Text += fmt.Sprintf(" [%.4f, %.4f]", low, high)
	}
	return c
}

// fourDigits is a cell with four digits after the point.
func fourDigits(v float64) webpage.Cell { return cell(v, 'f', 4) }

// decimal is a cell with a number for people, three digits of it.
func decimal(text *string) webpage.Cell { return cell(valueOf(text), 'g', 3) }

// cell writes a number for people, and without an exponent, as pages sort it.
func cell(v float64, form byte, digits int) webpage.Cell {
	if math.IsNaN(v) {
		return webpage.Cell{Text: "-"}
	}
	return webpage.Cell{
		Text: strconv.FormatFloat(v, form, digits, 64), Sort: strconv.FormatFloat(v, 'f', -1, 64),
	}
}

// threeDigits is a cell with an estimate that may be far from 1.
func threeDigits(m judge.Metric) webpage.Cell {
	c := decimal(m.Value)
	if m.Lo != nil && m.Hi != nil {
		c.Text += " [" + decimal(m.Lo).Text + ", " + decimal(m.Hi).Text + "]"
	}
	return c
}

// chance is a cell with a p-value, of which very small ones are told as that.
func chance(text *string) webpage.Cell {
	c := decimal(text)
	if valueOf(text) < 0.0001 {
		c.Text = "<0.0001"
	}
	return c
}

func whole(n int) webpage.Cell { return webpage.Int(int64(n)) }

func named(text string) webpage.Cell { return webpage.Cell{Text: text, Title: true} }

// number reads a decimal of a report, which anybody may have written; NaN for none.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

func valueOf(text *string) float64 {
	if text == nil {
		return math.NaN()
	}
	return number(*text)
}

// estimate returns value and interval of a metric.
func estimate(m judge.Metric) (v, low, high float64) {
	return valueOf(m.Value), valueOf(m.Lo), valueOf(m.Hi)
}

// at returns the i-th metric of a list that may be shorter.
func at(list []judge.Metric, i int) judge.Metric {
	if i < len(list) {
		return list[i]
	}
	return judge.Metric{}
}

// along adds a point with its interval to a series.
func along(s *figure.Series, x float64, m judge.Metric) {
	v, low, high := estimate(m)
	s.X, s.Y, s.Low, s.High = append(s.X, x), append(s.Y, v), append(s.Low, low), append(s.High, high)
}

// difference is a line of a figure of differences.
func difference(name string, m judge.Metric) figure.Difference {
	d := figure.Difference{Name: name}
	d.Value, d.Low, d.High = estimate(m)
	return d
}

// runs is the tables of runs, then those of groups of their instances.
func (b *builder) runs() (blocks []webpage.Block) {
	for _, g := range b.r.Groups {
		if len(g.Differs) > 0 {
			blocks = append(blocks, webpage.Text("Rules "+g.ShortRules()+" differ from the first ones:"),
				webpage.List(g.Differs))
		}
		for _, s := range g.Splits {
			if len(s.Rows) > 0 {
				blocks = append(blocks, b.runTable("Runs on "+s.Split+b.r.Of(g), s.Rows))
			}
			if len(s.Parts) > 0 {
				blocks = append(blocks, webpage.Details{
					Summary: "Groups of the instances of " + s.Split + b.r.Of(g),
					Blocks:  []webpage.Block{b.runTable("Groups of "+s.Split+b.r.Of(g), s.Parts)},
				})
			}
		}
	}
	return blocks
}

// runTable has a column for each metric that any row has.
func (b *builder) runTable(caption string, rows []report.Row) webpage.Table {
	columns := slices.DeleteFunc(slices.Clone(b.r.Columns), func(c report.Column) bool {
		return !slices.ContainsFunc(rows, func(r report.Row) bool { return r.Metrics[c.Metric].Value != nil })
	})
	parted := slices.ContainsFunc(rows, func(r report.Row) bool { return len(r.By) > 0 })
	t := b.table(caption+"; intervals are 95 %", "run")
	if parted {
		t.Columns = append(t.Columns, webpage.Column{Name: "group"})
	}
	t.Columns = append(t.Columns, webpage.Column{Name: "n", Number: true})
	for _, c := range columns {
		t.Columns = append(t.Columns, webpage.Column{
			Name: webpage.Plain(c.Heading), Number: true, Doc: webpage.Plain(c.Metric),
		})
	}
	t.Columns = append(t.Columns, webpage.Column{Name: "flags"})
	for _, r := range rows {
		cells := []webpage.Cell{named(r.Label())}
		if parted {
			var by []string
			for _, g := range r.By {
				by = append(by, g.Name+" "+g.Value)
			}
			cells = append(cells, webpage.Cell{Text: strings.Join(by, ", ")})
		}
		cells = append(cells, whole(r.N))
		for _, c := range columns {
			cells = append(cells, metric(r.Metrics[c.Metric]))
		}
		t.Rows = append(t.Rows, append(cells, webpage.Cell{Text: strings.Join(r.Flags, ", ")}))
	}
	return t
}
