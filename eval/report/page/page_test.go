package page

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
)

const evil = "</script><img src=x onerror=alert(1)> ../../x\u202e"

func share(k, n int) judge.Metric { return judge.Share(k, n) }

func text(s string) *string { return &s }

// complete is a report with every section; run is the name of its runs.
func complete(run string) *report.Report {
	series := []string{run, "b"}
	bins := []report.Bin{
		{Low: "1", High: "2", Success: []judge.Metric{share(11, 97), share(20, 97)}},
		{Low: "3", High: "9", Success: []judge.Metric{share(5, 89), {}}},
	}
	curve := []report.FitPoint{
		{X: "1", Value: "0.5", Lo: "0.4", Hi: "0.6"}, {X: "9", Value: "0.1", Lo: "0.05", Hi: "0.2"},
	}
	metrics := map[string]judge.Metric{
		judge.MetricSuccess: share(31, 187), judge.MetricLoops: share(3, 187), judge.MetricMicro: share(400, 900),
	}
	contrast := judge.Contrast{
		Effect: "P", With: "P", Without: "base", N: 9, Success: share(1, 9), Accuracy: share(1, 3),
		McNemar: text("0.25"),
	}
	level := report.Level{
		Name: run, Base: share(1, 2), Effects: []judge.Change{{Effect: "P", Value: text("0.125")}, {Effect: "S"}},
	}
	return &report.Report{
		Schema: report.Schema, Family: "tiny", Release: run, ManifestID: "id",
		Columns: []report.Column{
			{Heading: "SR", Metric: judge.MetricSuccess, Better: 1},
			{Heading: run, Metric: judge.MetricLoops, Better: -1},
		},
		Groups: []report.Group{{
			RulesSHA256: "0123456789", Series: series, Differs: []string{run},
			Lengths: report.Curve{Name: "distance", Groups: bins},
			Features: []report.Curve{{Name: run, Groups: bins}, {Name: "kind", Groups: []report.Bin{
				{Low: run, High: run, Success: bins[0].Success}, {Low: "z", High: "z", Success: bins[1].Success},
			}}},
			Fits: []report.Fit{
				{
					Run: run, Feature: run, N: 186, Slope: text("-0.5"), Intercept: text("1"), Odds: share(1, 2),
					P: text("0.000001"), Holm: text("0.01"), Curve: curve,
				},
				{Run: "b", Feature: run, N: 97, Says: "too few items", Curve: []report.FitPoint{}},
			},
			Budgets: []report.Budget{{Unit: "turns", Points: []report.BudgetPoint{
				{Budget: "3", Success: []judge.Metric{share(7, 187), share(1, 97)}},
				{Budget: "9", Success: []judge.Metric{share(31, 187), share(20, 97)}},
			}}},
			Visits: report.Curve{Name: "visits", Groups: bins},
			Planning: []report.Planning{{
				Run: run, Accuracy: share(400, 900), Success: share(31, 187),
				Predicted: text("0.0625"), Gap: text("0.1"),
				Lengths: []report.PlanningLength{{Length: 2, Success: share(2, 9), Predicted: "0.19"}},
			}},
			Clusters: []report.ClusterSet{{Split: "df", Clusters: []report.Cluster{
				{Name: run, Measures: map[string]string{"rooms": "3"}, Success: bins[0].Success},
				{Name: "m2", Measures: map[string]string{"rooms": "9"}, Success: bins[0].Success},
			}, Regressions: []report.Regression{{
				Run: run, Measure: "rooms", N: 2, Intercept: text("0.4"), Slope: share(-1, 9), R2: text("0.36"),
				P: text("0.02"),
			}}}},
			Splits: []report.Split{{
				Split: "easy",
				Rows: []report.Row{
					{Run: run, N: 187, Metrics: metrics, Flags: []string{run}}, {Run: "b", N: 97, Metrics: metrics},
				},
				Parts: []report.Row{
					{Run: run, By: []family.Group{{Name: "level", Value: run}}, N: 9, Metrics: metrics},
				},
				Comparisons: []report.Comparison{{A: run, B: "b", Pairs: 97, Success: share(9, 97), McNemar: "0"}},
				Errors: []report.Errors{
					{Run: run, N: 187, Causes: []report.Cause{{Name: run, Share: share(156, 187)}}},
				},
			}},
		}},
		Interventions: []report.Intervention{{
			Model: run, Split: "easy",
			Configs: []judge.ArmRow{
				{Config: "base", N: 9, Metrics: metrics}, {Config: "P", N: 9, Metrics: metrics},
			},
			Pairs: []judge.Contrast{contrast}, Levels: []report.Level{level},
		}},
		Matched: []report.Matched{{Model: run, Rows: []report.MatchedRow{{Split: "easy", Level: level}}}},
		Twins: []report.Twins{
			{Model: run, Split: run, Less: run, All: share(3, 9), Twin: share(2, 9), Pairs: contrast},
		},
		Human: []report.HumanRow{
			{Run: run, Pairs: 4, Difference: share(1, 4), Human: share(1, 3), Model: share(2, 3)},
		},
	}
}

func html(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAPageHasASectionForAllThatAReportHolds(t *testing.T) {
	p := Of(complete("a"))
	var ids []string
	for _, s := range p.Sections {
		ids = append(ids, s.ID)
	}
	const want = "runs hard budget loops planning differences oracles twins errors clusters people"
	if got := strings.Join(ids, " "); got != want {
		t.Errorf("sections %s", got)
	}
	page := html(t, p)
	for _, f := range p.Files {
		if !strings.Contains(page, string(f.Data[:200])) {
			t.Errorf("%s is not in the page", f.Name)
		}
	}
	if empty := Of(&report.Report{Groups: []report.Group{}}); len(empty.Sections) != 0 || len(empty.Files) != 0 {
		t.Errorf("a page of nothing has %d sections", len(empty.Sections))
	}
}

// TestNumbersOfThePageAreThoseOfTheReport looks for each number as people read it, and for what it
// sorts by.
func TestNumbersOfThePageAreThoseOfTheReport(t *testing.T) {
	page := html(t, Of(complete("a")))
	shown := func(m judge.Metric) string {
		return fmt.Sprintf("%.4f [%.4f, %.4f]", judge.Number(*m.Value), judge.Number(*m.Lo), judge.Number(*m.Hi))
	}
	for what, want := range map[string]string{
		"success rate": shown(share(31, 187)), "bin": shown(share(11, 97)) + " of 97",
		"budget": shown(share(7, 187)), "difference": shown(share(9, 97)), "cause": shown(share(156, 187)),
		"contrast": shown(share(1, 9)), "predicted": ">0.0625<", "effect": ">0.1250<", "R2": ">0.36<",
		"p": ">&lt;0.0001<", "people": shown(share(1, 4)), "twin": shown(share(2, 9)),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s: no %s in the page", what, want)
		}
	}
}

// TestFiguresStandWhereTheNumbersSay reads the line of a figure: three of its points lie on it as
// their numbers do.
func TestFiguresStandWhereTheNumbersSay(t *testing.T) {
	r := complete("a")
	turns := &r.Groups[0].Budgets[0]
	turns.Points = append(turns.Points, report.BudgetPoint{
		Budget: "12", Success: []judge.Metric{share(80, 187), share(77, 97)},
	})
	p := Of(r)
	i := slices.IndexFunc(p.Files, func(f report.File) bool { return f.Name == "budget-turns.svg" })
	m := regexp.MustCompile(`<path d="M([^"]*)" style="fill:none;stroke:#c14a00`).FindSubmatch(p.Files[i].Data)
	if m == nil {
		t.Fatalf("no line of b in\n%s", p.Files[i].Data)
	}
	var x, y [3]float64
	for k, point := range strings.Split(string(m[1]), "L") {
		if _, err := fmt.Sscanf(point, "%g,%g", &x[k], &y[k]); err != nil {
			t.Fatal(err)
		}
	}
	right, up := (x[1]-x[0])/(x[2]-x[0]), (y[1]-y[0])/(y[2]-y[0])
	if wantRight, wantUp := 6.0/9, 19.0/76; math.Abs(right-wantRight) > 1e-3 || math.Abs(up-wantUp) > 2e-3 {
		t.Errorf("the second point stands at %g, %g of the way, want %g, %g", right, up, wantRight, wantUp)
	}
}

func TestHostileNamesDoNothingButShow(t *testing.T) {
	p := Of(complete(evil))
	page := html(t, p)
	if strings.Contains(page, "<img") || strings.Contains(page, "\u202e") || strings.Count(page, "<script>") != 1 {
		t.Errorf("a name became markup: %d scripts", strings.Count(page, "<script>"))
	}
	if strings.Contains(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), "://") {
		t.Error("the page names an address")
	}
	seen := map[string]bool{}
	for _, f := range p.Files {
		plain := regexp.MustCompile(`^[a-z0-9_.-]{1,90}\.svg$`).MatchString(f.Name)
		if !plain || seen[f.Name] || strings.HasPrefix(f.Name, ".") {
			t.Errorf("a file is called %q", f.Name)
		}
		seen[f.Name] = true
		for dec := xml.NewDecoder(bytes.NewReader(f.Data)); ; {
			if _, err := dec.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
	}
}

func TestEqualReportsGiveEqualBytes(t *testing.T) {
	a, b := Of(complete("a")), Of(complete("a"))
	if html(t, a) != html(t, b) {
		t.Error("two pages of a report differ")
	}
	for i := range a.Files {
		if a.Files[i].Name != b.Files[i].Name || !bytes.Equal(a.Files[i].Data, b.Files[i].Data) {
			t.Errorf("%s differs", a.Files[i].Name)
		}
	}
}

func TestAReportOfAStrangerWithoutNumbersIsDrawn(t *testing.T) {
	r := complete("a")
	bad := judge.Metric{Value: text("many"), Lo: text(""), Hi: text("NaN")}
	g := &r.Groups[0]
	g.Splits[0].Rows[0].Metrics = map[string]judge.Metric{judge.MetricSuccess: bad, judge.MetricLoops: bad}
	g.Lengths.Groups[0] = report.Bin{Low: "x", High: "-1e999", Success: nil}
	g.Budgets[0].Points[0] = report.BudgetPoint{Budget: "all", Success: []judge.Metric{bad, bad}}
	g.Fits[0].Curve[0] = report.FitPoint{X: "0", Value: "inf", Lo: "", Hi: "1e400"}
	g.Fits[0].Log, g.Fits[0].Odds = true, bad
	g.Clusters[0].Clusters[0].Measures["rooms"] = "none"
	g.Splits[0].Comparisons[0].Success, g.Splits[0].Comparisons[0].McNemar = bad, "?"
	g.Series = append(g.Series, "c")
	if page := html(t, Of(r)); strings.Contains(page, ">NaN") || strings.Contains(page, "[NaN") {
		t.Error("NaN is shown as a number")
	}
}
