package report_test

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

// planted is a set whose instances have a number, a wide number and a length, in clusters of 50.
type planted struct {
	family.Set
	n int
}

const perCluster = 50

func idOf(i int) string { return fmt.Sprintf("p-%04d", i) }

func (p planted) Splits() []family.Split {
	return []family.Split{{Name: "all", Got: p.n, Requested: p.n}}
}

func (p planted) Tasks(string, int) (list []family.Task, err error) {
	for i := range p.n {
		list = append(list, family.Task{ID: idOf(i), Instance: idOf(i), Split: "all"})
	}
	return list, nil
}

func lengthOf(i int) int { return 1 + i%4 }

func (p planted) Difficulty(id string) (family.Difficulty, bool) {
	i, _ := strconv.Atoi(id[2:])
	return family.Difficulty{Length: lengthOf(i), Called: "distance", Features: []family.Feature{
		{Name: "hard", Value: fmt.Sprint(i % 10)},
		{Name: "kind", Value: "same"},
		{Name: "wide", Value: fmt.Sprint(math.Pow(10, float64(i%7)))},
	}}, true
}

func (p planted) Clusters() (list []family.Cluster, err error) {
	for c := range p.n / perCluster {
		one := family.Cluster{Name: fmt.Sprint("maze", c), Measures: []family.Feature{
			{Name: "rooms", Value: fmt.Sprint(c)}, {Name: "same", Value: "3"},
		}}
		for i := range perCluster {
			one.Instances = append(one.Instances, idOf(c*perCluster+i))
		}
		list = append(list, one)
	}
	return list, nil
}

// plant is a report on one run of 600 instances: success falls with hard, and in later clusters.
func plant(t *testing.T) (*report.Report, []family.Result) {
	t.Helper()
	set, s := planted{n: 600}, rng.New(5, "planted")
	name := `m<script>`
	scores := &family.Scores{Family: "tiny", Release: "demo", ManifestID: "id", Run: &name, Attempts: 1}
	won := 0
	for i := range set.n {
		logit := 1.5 - 0.4*float64(i%10) - 0.2*float64(i/perCluster)
		x := family.Result{
			Split: "all", Task: idOf(i), Instance: idOf(i), Attempt: 1, Length: lengthOf(i),
			Outcome: schemas.OutcomeGaveUp,
			Visits:  1 + i%3, Counted: lengthOf(i) + i%5, Optimal: lengthOf(i),
		}
		if x.Success = float64(s.Uint64()>>11)/(1<<53) < 1/(1+math.Exp(-logit)); x.Success {
			x.Outcome = schemas.OutcomeSuccess
			won++
		} else if i%2 == 0 {
			x.Outcome = "step_limit"
		}
		scores.Results = append(scores.Results, x)
	}
	scores.Rows = []family.Row{{
		Split: "all", By: []family.Group{}, N: set.n, Flags: []string{},
		Metrics: map[string]judge.Metric{judge.MetricSuccess: judge.Share(won, set.n)},
	}}
	r := report.New(report.Input{Family: fam, Runs: []report.Run{{Name: name, Scores: scores, Set: set}}, Seed: 42})
	return r, scores.Results
}

func TestFiguresAreNumbersOfTheReport(t *testing.T) {
	r, results := plant(t)
	g := r.Groups[0]
	if len(g.Budgets) != 2 || g.Budgets[0].Points[len(g.Budgets[0].Points)-1].Budget != "8" {
		t.Fatalf("budgets %+v", g.Budgets)
	}
	for _, p := range g.Budgets[0].Points {
		n, _ := strconv.Atoi(p.Budget)
		want := int64(0)
		for _, x := range results {
			if x.Success && x.Counted <= n {
				want++
			}
		}
		if *p.Success[0].Num != want || p.Success[0].Den != 600 {
			t.Errorf("within %d turns %d of %d, want %d", n, *p.Success[0].Num, p.Success[0].Den, want)
		}
	}
	last, all := g.Budgets[1].Points, g.Splits[0].Rows[0].Metrics[judge.MetricSuccess]
	if *last[len(last)-1].Success[0].Num != *all.Num {
		t.Error("within 12 turns for each optimal one not everything is won that was won")
	}
	if len(g.Visits.Groups) != 3 || g.Visits.Groups[1].Success[0].Den != 200 {
		t.Errorf("visits %+v", g.Visits)
	}
	p := g.Planning[0]
	var optimal, counted, sum float64
	for _, x := range results {
		optimal, counted = optimal+float64(x.Optimal), counted+float64(x.Counted)
	}
	for _, x := range results {
		sum += math.Pow(optimal/counted, float64(x.Length))
	}
	if got := judge.Number(*p.Predicted); math.Abs(got-sum/600) > 1e-5 || len(p.Lengths) != 4 ||
		p.Lengths[2].Success.Den != 150 {
		t.Errorf("planning %+v, want %g", p, sum/600)
	}
}

func TestWhatWentWrongAddsUp(t *testing.T) {
	r, _ := plant(t)
	s := r.Groups[0].Splits[0]
	sum := judge.Number(*s.Rows[0].Metrics[judge.MetricSuccess].Value)
	for _, c := range s.Errors[0].Causes {
		sum += judge.Number(*c.Share.Value)
	}
	if len(s.Errors[0].Causes) != 2 || math.Abs(sum-1) > 1e-5 || s.Errors[0].Causes[0].Name != "gave up" {
		t.Errorf("causes %+v add up to %g", s.Errors[0].Causes, sum)
	}
}

func TestFitsFindWhatWasPlanted(t *testing.T) {
	r, _ := plant(t)
	fits := map[string]report.Fit{}
	for _, f := range r.Groups[0].Fits {
		fits[f.Feature] = f
	}
	if len(fits) != 3 { // kind is a name
		t.Fatalf("fits of %d features", len(fits))
	}
	hard := fits["hard"]
	if slope := judge.Number(*hard.Slope); slope > -0.2 || slope < -0.6 ||
		judge.Number(*hard.Holm) > 1e-6 || len(hard.Curve) != 25 || hard.Log {
		t.Errorf("hard: %+v, slope %g", hard, slope)
	}
	if first, last := judge.Number(hard.Curve[0].Value), judge.Number(hard.Curve[24].Value); first < 0.4 || last > 0.2 {
		t.Errorf("the curve goes from %g to %g", first, last)
	}
	if wide := fits["wide"]; !wide.Log || judge.Number(*wide.Holm) < judge.Number(*wide.P) {
		t.Errorf("wide: %+v", wide)
	}
}

func TestClustersAreRegressedOnEachMeasure(t *testing.T) {
	r, results := plant(t)
	set := r.Groups[0].Clusters[0]
	if len(r.Groups[0].Clusters) != 1 || len(set.Clusters) != 12 ||
		set.Clusters[3].Measures["rooms"] != "3" || len(set.Regressions) != 2 {
		t.Fatalf("clusters %+v", set)
	}
	won := int64(0)
	for _, x := range results[3*perCluster : 4*perCluster] {
		won += int64(judge.One(x.Success))
	}
	if m := set.Clusters[3].Success[0]; *m.Num != won || m.Den != perCluster {
		t.Errorf("the fourth cluster has %d of %d, want %d", *m.Num, m.Den, won)
	}
	rooms, same := set.Regressions[0], set.Regressions[1]
	if rooms.Measure != "rooms" || judge.Number(*rooms.Slope.Hi) >= 0 ||
		judge.Number(*rooms.R2) < 0.5 || rooms.N != 12 {
		t.Errorf("rooms: %+v", rooms)
	}
	if same.Says == "" || same.Slope.Value != nil {
		t.Errorf("a measure that is the same for all: %+v", same)
	}
}

func TestAReportIsReadAsItWasWritten(t *testing.T) {
	r, _ := plant(t)
	data := canon.MustMarshal(r)
	again, err := report.Read("report.json", append(data, '\n'))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(canon.MustMarshal(again), data) {
		t.Error("a report that was read is written otherwise")
	}
	if _, err := report.Read("report.json", []byte(`{"schema":"wikinav.report/1"}`)); err == nil {
		t.Error("an older report is read")
	}
}
