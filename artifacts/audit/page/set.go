package page

import (
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/webpage"
)

// family shows the sets of a family side by side, then one by one.
func (v view) family(name string) []webpage.Block {
	blocks := v.plots.figures(v.plots.boxed[name])
	for _, s := range setsOf(v.r, name) {
		blocks = append(blocks, webpage.Heading{ID: slug(s.Family, s.Set), Words: s.Set})
		blocks = append(blocks, v.set(s)...)
	}
	return present(blocks)
}

// set shows a set: its groups side by side, what rises together, and the records at both ends.
func (v view) set(s *audit.Set) []webpage.Block {
	id := slug(s.Family, s.Set)
	says := fmt.Sprintf("%s records", webpage.Thousands(int64(s.N)))
	if s.File != "" {
		says += " in " + s.File
	}
	if s.Fresh != "" {
		says += "; its pairs are fresh since release " + s.Fresh
	}
	if len(s.Constants) > 0 {
		var same []string
		for _, c := range s.Constants {
			if c.Value != "" {
				same = append(same, c.Name+" "+real(c.Value).Text)
			}
		}
		says += ". The same in all: " + strings.Join(same, ", ")
	}
	blocks := []webpage.Block{webpage.Text(says + ".")}
	blocks = append(blocks, v.ends(s, id)...)
	blocks = append(blocks, v.floor(s, id))
	blocks = append(blocks, features(s, id), correlations(s, id), categories(s, id), shared(s, id))
	return present(blocks)
}

func features(s *audit.Set, id string) webpage.Block {
	t := webpage.Table{
		ID: id + "-features", Caption: "quartiles of every number that differs, by group",
		Columns: webpage.Names("feature", "group", "#n", "#least", "#first quartile", "#median",
			"#third quartile", "#most", "#mean"),
	}
	for i := range s.Features {
		for _, g := range s.Groups {
			q := g.Features[i]
			t.Add(text(q.Feature), text(g.Name()), integer(q.N), real(q.Min), real(q.Q1), real(q.Median),
				real(q.Q3), real(q.Max), real(q.Mean))
		}
	}
	return folded(t, s.N > 0 && len(t.Rows) > 0)
}

// folded puts a table behind its caption; nil for none.
func folded(t webpage.Table, wanted bool) webpage.Block {
	if !wanted {
		return nil
	}
	t.Search = len(t.Rows) > 20
	return webpage.Details{Summary: t.Caption, Blocks: []webpage.Block{t}}
}

func correlations(s *audit.Set, id string) webpage.Block {
	t := webpage.Table{
		ID: id + "-correlations", Caption: "how far two numbers rise together (Spearman)",
		Columns: webpage.Names("group", "number", "and", "#n", "#correlation"),
	}
	for _, g := range s.Groups {
		for _, c := range g.Correlations {
			if c.Rho != "" {
				t.Add(text(g.Name()), text(c.A), text(c.B), integer(c.N), real(c.Rho))
			}
		}
	}
	return folded(t, len(t.Rows) > 0)
}

// floor is how players that know nothing fare.
func (v view) floor(s *audit.Set, id string) webpage.Block {
	t := webpage.Table{
		ID: id + "-floor", Caption: "how players fare that know nothing: the floor under every score",
		Columns: webpage.Names("group", "#n"),
	}
	for i, g := range s.Groups {
		row := []webpage.Cell{text(g.Name()), integer(g.N)}
		for _, f := range g.Floor {
			if i == 0 {
				t.Columns = append(t.Columns, webpage.Column{Name: f.Player, Number: true})
			}
			row = append(row, real(f.Mean))
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Columns) == 2 {
		return nil
	}
	return t
}

func categories(s *audit.Set, id string) webpage.Block {
	t := webpage.Table{
		ID: id + "-words", Caption: "words that records have, and how often",
		Columns: webpage.Names("column", "word", "#records"),
	}
	for _, c := range s.Categories {
		for _, n := range c.Counts {
			t.Add(text(c.Column), title(n.Word), integer(n.N))
		}
	}
	return folded(t, len(t.Rows) > 0)
}

func shared(s *audit.Set, id string) webpage.Block {
	t := webpage.Table{
		ID: id + "-pages", Caption: "pages that more than one record in twenty has in a list",
		Columns: webpage.Names("list", "page", "#records", "#share"),
	}
	for _, p := range s.Shared {
		t.Add(text(p.Column), title(p.Title), integer(p.N), percent(p.Share))
	}
	return folded(t, len(t.Rows) > 0)
}

// ends lists the easiest, the hardest and the suspicious.
func (v view) ends(s *audit.Set, id string) (blocks []webpage.Block) {
	by := s.Ease
	if by == "" {
		by = s.Hardness
	}
	for _, list := range []struct {
		name    string
		records []audit.Ranked
	}{{"easiest", s.Easiest}, {"hardest", s.Hardest}} {
		t := webpage.Table{
			ID:      id + "-" + list.name,
			Caption: fmt.Sprintf("the %d %s by %s", len(list.records), list.name, by),
			Columns: webpage.Names("record", "pages", "#"+by),
		}
		for _, r := range list.records {
			t.Add(v.link(s, r.ID), title(arrow(r.Says)), real(r.Value))
		}
		if len(t.Rows) > 0 {
			blocks = append(blocks, t)
		}
	}
	if len(s.Suspicious) == 0 {
		return blocks
	}
	var reasons []string
	for _, r := range s.Suspects {
		reasons = append(reasons, fmt.Sprintf("%s: %d", r.Reason, r.N))
	}
	t := webpage.Table{
		ID: id + "-suspicious", Caption: "suspicious records, and why",
		Columns: webpage.Names("record", "pages", "reasons"),
	}
	for _, x := range s.Suspicious {
		t.Add(v.link(s, x.ID), title(arrow(x.Says)), text(strings.Join(x.Reasons, "; ")))
	}
	if s.SuspiciousN > len(s.Suspicious) {
		t.Caption = fmt.Sprintf("the first %d of %d suspicious records, and why", len(s.Suspicious),
			s.SuspiciousN)
	}
	return append(blocks, webpage.Heading{Words: "Suspicious"}, webpage.List(reasons), folded(t, true))
}

// arrow joins the pages that a record names.
func arrow(titles []string) string { return strings.Join(titles[:min(len(titles), 2)], " → ") }

// link is the name of a record, which leads to its line in the list of all.
func (v view) link(s *audit.Set, id string) webpage.Cell {
	at := slug(s.Family, s.Set, id)
	return webpage.Cell{Text: id, Href: v.plots.places[at] + "#" + at}
}

// scores shows which features say whether an item is solved.
func (v view) scores() (blocks []webpage.Block) {
	for i, s := range v.r.Scores {
		id := fmt.Sprintf("scores-%d", i+1)
		blocks = append(blocks,
			webpage.Heading{Words: fmt.Sprintf("%s, %s: %s", s.Results, s.Family, s.Set)},
			webpage.Text(fmt.Sprintf("%s solves %d of %d items: %s.", playerOf(s), s.Successes, s.N,
				rate(s.Rate).Text)))
		t := webpage.Table{
			ID: id, Caption: "which features predict success: what one standard deviation more does to the odds",
			Columns: webpage.Names("feature", "#n", "scale", "#odds ratio [95 %]", "#p", "#p after Holm",
				"predicts", "says"),
		}
		groups := webpage.Table{
			ID: id + "-groups", Caption: "success by groups of each feature",
			Columns: webpage.Names("feature", "#from", "#to", "#n", "#solved", "#rate [95 %]"),
		}
		for _, p := range s.Features {
			scale := "linear"
			if p.Log {
				scale = "log10"
			}
			t.Add(text(p.Feature), integer(p.N), text(scale), rate(p.Odds), real(p.P), real(p.Holm),
				yes(p.Predicts), text(p.Says))
			for _, b := range p.Groups {
				groups.Add(text(p.Feature), real(b.Low), real(b.High), integer(b.N), integer(b.Successes),
					rate(b.Rate))
			}
		}
		blocks = append(blocks, t)
		if i < len(v.plots.fitted) {
			blocks = append(blocks, v.plots.figures(v.plots.fitted[i])...)
		}
		blocks = append(blocks, folded(groups, len(groups.Rows) > 0))
	}
	return present(blocks)
}

func playerOf(s audit.ScoredSet) string {
	if s.Model != "" {
		return s.Model
	}
	return s.Results
}
