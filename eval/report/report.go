// Package report shows scores: one score as a sheet, and several runs compared in tables, with
// differences between two runs on the same tasks, success against length and difficulty,
// interventions of oracles, and people next to models.
//
// It owns the forms, JSON, text and Markdown; the JSON has every curve and figure as numbers, which
// package page draws. It promises that equal scores give equal bytes: no clock, no random id, no
// map order; and that no table holds two runs whose release, split or rules differ. It scores
// nothing: every number comes from package judge, is a count of results, or a fit to these (package
// fit). It knows a family by package family alone.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Schema names the version. 1: every family, in groups of equal rules, for the older one of games
// of links. 2: with the numbers of all figures.
const Schema = "wikinav.report/2"

// Input is what a report is made from: runs of one family on one release.
type Input struct {
	Family  family.Family
	Runs    []Run
	Human   *family.Scores // games of people, nil for none
	Seed    int64          // of the bootstrap
	Partial bool           // the runs were scored without the items that are missing
}

// Run is a scored run under the name that the report shows.
type Run struct {
	Name   string
	Scores *family.Scores
	Set    family.Set // opened under the run's options
}

type Report struct {
	Schema        string         `json:"schema"`
	Family        string         `json:"family"`
	Release       string         `json:"release"`
	ManifestID    string         `json:"manifest_id"`
	FreshSince    string         `json:"fresh_since,omitempty"` // as in family.Scores
	Columns       []Column       `json:"columns"`               // of tables, the metric that ranks first
	Groups        []Group        `json:"groups"`                // one for each set of rules, in the order of the runs
	Interventions []Intervention `json:"interventions,omitempty"`
	Matched       []Matched      `json:"matched,omitempty"`
	Twins         []Twins        `json:"twins,omitempty"`
	Human         []HumanRow     `json:"human,omitempty"`

	// Width is the characters of a line of a table as text; 0: any.
	Width int `json:"-"`

	shown []family.Column
}

// Group is runs under equal rules: only these can be compared.
type Group struct {
	RulesSHA256 string         `json:"rules_sha256"` // "" for files that name no rules
	Rules       *schemas.Rules `json:"rules"`
	Differs     []string       `json:"differs"` // from the first group, a field each
	Splits      []Split        `json:"splits"`
	Series      []string       `json:"series"` // runs and their variants, as curves and clusters list them
	Lengths     Curve          `json:"lengths"`
	Features    []Curve        `json:"features"`
	Fits        []Fit          `json:"fits"`
	Budgets     []Budget       `json:"budgets"`
	Visits      Curve          `json:"visits"`
	Planning    []Planning     `json:"planning"`
	Clusters    []ClusterSet   `json:"clusters"`

	played []series
}

type Split struct {
	Split       string       `json:"split"`
	Rows        []Row        `json:"rows"`
	Parts       []Row        `json:"parts"`       // of groups of its instances
	Comparisons []Comparison `json:"comparisons"` // of each two runs
	Errors      []Errors     `json:"errors"`
	Passes      []Passes     `json:"pass_at,omitempty"` // of runs with several attempts
}

// Row is one run on one split, or on a group of its instances, in one variant where they have
// several.
type Row struct {
	Run     string                  `json:"run"`
	Variant string                  `json:"variant,omitempty"`
	By      []family.Group          `json:"by,omitempty"` // of a part
	N       int                     `json:"n"`
	Metrics map[string]judge.Metric `json:"metrics"`
	Flags   []string                `json:"flags"`
	// Outcomes counts the items by outcome.
	Outcomes map[string]int `json:"outcomes"`
}

// Label names the run and its variant, as Group.Series does.
func (r Row) Label() string { return label(r.Run, r.Variant) }

func label(run, variant string) string { return strings.TrimSpace(run + " " + variant) }

// series is a run, in one variant of its tasks.
type series struct {
	Run
	variant string
	results []family.Result
}

func (s series) label() string { return label(s.Name, s.variant) }

// tasks lists the tasks of a split. There is no error: the run was scored, for which all were read.
func (r Run) tasks(split string) []family.Task {
	list, _ := r.Set.Tasks(split, 0)
	return list
}

// seriesOf tells the variants of a run's tasks apart, in the order of the tasks.
func seriesOf(r Run) []series {
	variants, order := map[string]string{}, []string{}
	for _, split := range r.Set.Splits() {
		for _, t := range r.tasks(split.Name) {
			variants[t.ID] = t.Variant
			if !slices.Contains(order, t.Variant) {
				order = append(order, t.Variant)
			}
		}
	}
	var list []series
	for _, v := range order {
		s := series{r, v, nil}
		for _, x := range r.Scores.Results {
			if variants[x.Task] == v {
				s.results = append(s.results, x)
			}
		}
		list = append(list, s)
	}
	return list
}

func New(in Input) *Report {
	r := &Report{Schema: Schema, Family: in.Family.Name(), Columns: []Column{}, Groups: []Group{}, Width: PageWidth}
	for _, run := range in.Runs {
		r.Release, r.ManifestID, r.FreshSince = run.Scores.Release, run.Scores.ManifestID, run.Scores.FreshSince
		r.group(run)
	}
	for i := range r.Groups {
		r.Groups[i].fill(in)
	}
	r.Interventions = interventions(in)
	r.Matched = matched(r.Interventions)
	var all []series
	for _, g := range r.Groups {
		all = append(all, g.played...)
		for _, s := range g.played {
			if in.Human != nil {
				r.Human = append(r.Human, againstPeople(in.Human, s, in.Seed))
			}
		}
	}
	r.Twins = twins(in, all)
	for _, c := range in.Family.Columns() {
		r.Columns = append(r.Columns, Column{c.Heading, c.Metric, c.Better, c.Detail})
		if !c.Detail {
			r.shown = append(r.shown, c)
		}
	}
	return r
}

func (r *Report) group(run Run) {
	i := slices.IndexFunc(r.Groups, func(g Group) bool { return g.RulesSHA256 == run.Scores.RulesSHA256 })
	if i < 0 {
		g := Group{RulesSHA256: run.Scores.RulesSHA256, Rules: run.Scores.Rules, Differs: []string{}, Splits: []Split{}, Features: []Curve{}}
		if len(r.Groups) > 0 {
			g.Differs = RulesDiffer(r.Groups[0].Rules, g.Rules)
		}
		i, r.Groups = len(r.Groups), append(r.Groups, g)
	}
	r.Groups[i].played = append(r.Groups[i].played, seriesOf(run)...)
}

func (g *Group) fill(in Input) {
	for _, name := range g.splits() {
		s := Split{Split: name, Rows: []Row{}, Parts: []Row{}, Errors: []Errors{}}
		s.Comparisons = compareAll(in, g.played, name)
		for _, x := range g.played {
			if row, ok := x.row(name); ok {
				s.Rows = append(s.Rows, Row{x.Name, x.variant, nil, row.N, row.Metrics, row.Flags, row.Outcomes})
				s.Errors = append(s.Errors, errorsOf(in.Family, x, row))
			}
			if p := passesOf(x, name); p.At != nil {
				s.Passes = append(s.Passes, p)
			}
			s.Parts = append(s.Parts, x.parts(name)...)
		}
		complete(s.Errors)
		g.Splits = append(g.Splits, s)
	}
	for _, x := range g.played {
		g.Series = append(g.Series, x.label())
	}
	values := featuresOf(g.played)
	g.Lengths, g.Visits = byLength(g.played), byVisits(g.played)
	g.Features = append(g.Features, byFeatures(g.played, values)...)
	g.Fits = fits(g.played, values, g.Lengths.Name)
	g.Budgets = append(budgets(g.played), attempts(g.played, in.Seed)...)
	g.Planning, g.Clusters = plannings(g.played), clusterSets(g.played)
}

// splits lists the splits that any run of the group has a score of, in the order of the release,
// and last what covers several of them.
func (g *Group) splits() []string {
	var names []string
	for _, x := range g.played {
		for _, row := range x.Scores.Rows {
			names = append(names, row.Split)
		}
	}
	all := g.played[0].Set.Splits()
	place := func(name string) int {
		if i := slices.IndexFunc(all, func(s family.Split) bool { return s.Name == name }); i >= 0 {
			return i
		}
		return len(all)
	}
	order.Sort(names, func(a, b string) int { return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a, b)) })
	return slices.Compact(names)
}

func (s series) row(split string) (family.Row, bool) {
	i := slices.IndexFunc(s.Scores.Rows, func(r family.Row) bool {
		return r.Split == split && r.Whole() && (len(r.By) == 0 && s.variant == "" || len(r.By) > 0 && r.By[0].Value == s.variant)
	})
	if i < 0 {
		return family.Row{}, false
	}
	return s.Scores.Rows[i], true
}

func (s series) parts(split string) (list []Row) {
	for _, r := range s.Scores.Rows {
		variant, by := "", []family.Group{}
		for _, g := range r.By {
			if g.Name == family.GroupVariant {
				variant = g.Value
			} else {
				by = append(by, g)
			}
		}
		if r.Split == split && variant == s.variant && len(by) > 0 {
			list = append(list, Row{s.Name, variant, by, r.N, r.Metrics, r.Flags, r.Outcomes})
		}
	}
	return list
}

// Read reads what Report writes as JSON, from a file that errors name. Anybody may have written it:
// decimals are texts, which may be none.
func Read(file string, data []byte) (*Report, error) {
	r := new(Report)
	if err := canon.Decode(data, maxReport, r); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(file, "")
	}
	if r.Schema != Schema {
		return nil, fault.New(fault.Malformed, "schema is %s, this program reads %s", fault.Quote(r.Schema), Schema).
			At(file, "").
			Hint("make the report again with wikinav-eval report --out")
	}
	return r, nil
}

// maxReport bounds the file of a report.
const maxReport = 256 << 20

func (r *Report) sheet() Sheet {
	s := Sheet{Title: r.Release, Width: r.Width, Head: [][2]string{{"release", fmt.Sprintf("%s, manifest id %s", r.Release, r.ManifestID)}}}
	if r.FreshSince != "" {
		s.Head = append(s.Head,
			[2]string{"fresh since", r.FreshSince + ", an older release that cannot answer the pairs"})
	}
	for _, g := range r.Groups {
		s.Head = append(s.Head, [2]string{"rules", g.says()})
		for _, split := range g.Splits {
			if len(split.Rows) > 0 {
				s.Tables = append(s.Tables, r.runTable("Runs on "+split.Split+r.Of(g), split.Rows))
			}
			if len(split.Parts) > 0 {
				s.Tables = append(s.Tables, r.runTable("Groups of "+split.Split+r.Of(g), split.Parts))
			}
			if len(split.Passes) > 0 {
				s.Tables = append(s.Tables, passesTable("Attempts on "+split.Split+r.Of(g), split.Passes))
			}
			if len(split.Comparisons) > 0 {
				s.Tables = append(s.Tables, r.comparisonTable(g, split))
			}
		}
	}
	for _, v := range r.Interventions {
		s.Tables = append(s.Tables, v.tables()...)
	}
	if len(r.Twins) > 0 {
		s.Tables = append(s.Tables, r.twinTable())
	}
	if len(r.Human) > 0 {
		s.Tables = append(s.Tables, r.humanTables()...)
	}
	return s
}

// says tells the rules of a group by their hash, whose they are, and what differs.
func (g Group) says() string {
	var names []string
	for _, x := range g.played {
		if !slices.Contains(names, x.Name) {
			names = append(names, x.Name)
		}
	}
	text := g.ShortRules() + ": " + strings.Join(names, ", ")
	if len(g.Differs) > 0 {
		text += "; " + strings.Join(g.Differs, "; ")
	}
	return text
}

func short(sha256 string) string { return cmp.Or(sha256[:min(8, len(sha256))], "none") }

// ShortRules returns the beginning of the hash of the group's rules.
func (g Group) ShortRules() string { return short(g.RulesSHA256) }

// Of names the rules of a group where there are several.
func (r *Report) Of(g Group) string {
	if len(r.Groups) == 1 {
		return ""
	}
	return ", rules " + g.ShortRules()
}

// runTable has a row for each run, with the variant and the group where there are such.
func (r *Report) runTable(heading string, rows []Row) Table {
	varied := slices.ContainsFunc(rows, func(row Row) bool { return row.Variant != "" })
	parted := slices.ContainsFunc(rows, func(row Row) bool { return row.By != nil })
	line := func(run, variant, part, n string) []string {
		cells := []string{run}
		if varied {
			cells = append(cells, variant)
		}
		if parted {
			cells = append(cells, part)
		}
		return append(cells, n)
	}
	var list []metricRow
	for _, row := range rows {
		var parts []string
		for _, g := range row.By {
			parts = append(parts, g.Name+" "+g.Value)
		}
		names := line(row.Run, row.Variant, strings.Join(parts, ", "), strconv.Itoa(row.N))
		list = append(list, metricRow{names, row.Metrics, []string{cmp.Or(strings.Join(row.Flags, ", "), "-")}})
	}
	head := metricRow{names: line("run", family.GroupVariant, "group", "n"), after: []string{"flags"}}
	t := metricTable(head, r.shown, list)
	t.Heading, t.Note = heading, "Intervals are 95 %."
	return t
}

func (r *Report) comparisonTable(g Group, s Split) Table {
	t := Table{
		Heading: "Differences on " + s.Split + r.Of(g),
		Note:    "B minus A on the same games; bootstrap over pairs; McNemar's exact test on success.",
	}
	t.add("A", "B", "pairs", "both", "only A", "only B", "SR difference", "suboptimal difference", "p")
	for _, c := range s.Comparisons {
		t.add(c.A, c.B, c.Pairs, c.Both, c.OnlyA, c.OnlyB, c.Success, c.Excess, chance{&c.McNemar})
	}
	return t
}

func (r *Report) Text() []byte { return r.sheet().Text() }

// Markdown returns the report; its figures are drawn from the JSON.
func (r *Report) Markdown() []byte { return r.sheet().Markdown() }

// File is a file that is written: its name, what it is about, its bytes.
type File struct {
	Name, Of string
	Data     []byte
}
