package family_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// scored ends a score of results told as letters: w for won, l for lost, i where the endpoint
// failed; what lacks of the attempts is missing.
func scored(t *testing.T, req family.Request, tasks ...string) *family.Scores {
	t.Helper()
	sc, err := family.Begin("tiny", family.Source{Name: "r"}, &trace.Log{Path: "x"}, req)
	if err != nil {
		t.Fatal(err)
	}
	row := sc.Row(family.Split{Name: "easy"}, nil)
	row.Metrics = map[string]judge.Metric{}
	for i, letters := range tasks {
		for a, letter := range letters {
			outcome := map[rune]string{'w': schemas.OutcomeSuccess, 'l': "lost", 'i': schemas.OutcomeInfra}[letter]
			row.Outcomes[outcome]++
			sc.Scores.Results = append(sc.Scores.Results, family.Result{
				Split: "easy", Task: fmt.Sprint(i), Attempt: a + 1, Outcome: outcome, Success: letter == 'w',
			})
		}
		row.Missing += req.Attempts - len(letters)
	}
	sc.Scores.Rows = []family.Row{row}
	s, err := sc.End()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPassAtKCountsEveryTask(t *testing.T) {
	for _, c := range []struct {
		name  string
		req   family.Request
		tasks string
		want  string // k:tasks/left=value
	}{
		{"one attempt", family.Request{Attempts: 1}, "w l", ""},
		{"all k", family.Request{Attempts: 3}, "wll lll", "1:2/0=1.66667e-01 2:2/0=3.33333e-01 3:2/0=5.00000e-01"},
		{"asked", family.Request{Attempts: 3, PassAt: []int{3, 1, 3, 9}}, "wll lll", "1:2/0=1.66667e-01 3:2/0=5.00000e-01"},
		{"a missing attempt is lost", family.Request{Attempts: 2}, "w l", "1:2/0=2.50000e-01 2:2/0=5.00000e-01"},
		{"an unplayed task is lost", family.Request{Attempts: 2}, "ww -", "1:2/0=5.00000e-01 2:2/0=5.00000e-01"},
		{"partial", family.Request{Attempts: 2, Partial: true}, "wl w -", "1:2/0=7.50000e-01 2:1/1=1.00000e+00"},
		{"the endpoint failed", family.Request{Attempts: 2, MaxInfra: 9}, "wi ll ii", "1:2/1=5.00000e-01 2:1/2=0"},
	} {
		var tasks, got []string
		for _, task := range strings.Fields(c.tasks) {
			tasks = append(tasks, strings.Trim(task, "-"))
		}
		for _, p := range scored(t, c.req, tasks...).Passes {
			got = append(got, fmt.Sprintf("%d:%d/%d=%s", p.K, p.Den, p.Left, *p.Value))
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%s: %s, want %s", c.name, all, c.want)
		}
	}
	var ks []int
	for _, p := range scored(t, family.Request{Attempts: 120}, strings.Repeat("wl", 60)).Passes {
		ks = append(ks, p.K)
	}
	if n := len(ks); n != 23 || ks[19] != 20 || ks[20] != 50 || ks[21] != 100 || ks[22] != 120 {
		t.Errorf("of 120 attempts: %v", ks)
	}
}

// TestACostHasACurrency has turns that tell what they cost: of a run that is one in its currency,
// and of a file without a run it is in none, and left out.
func TestACostHasACurrency(t *testing.T) {
	for run, want := range map[*schemas.Run]string{
		nil: "", {Family: "tiny"}: schemas.DefaultCurrency, {Family: "tiny", Currency: "EUR"}: "EUR",
	} {
		sc, err := family.Begin("tiny", family.Source{Name: "r"}, &trace.Log{Path: "x", Run: run}, family.Request{})
		if err != nil {
			t.Fatal(err)
		}
		var row family.Row
		sc.Account(&row, nil, []*string{new("0.5"), new("0.25")})
		if got := row.Currency; (row.Cost != nil) != (want != "") || want != "" && *got != want {
			t.Errorf("%+v: cost %v, currency %v", run, row.Cost, got)
		}
	}
}
