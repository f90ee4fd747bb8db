package report_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/tiny"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// blind plays max=5, max=6, ... as if there were less to know than under max=3.
type blind struct{ tiny.Family }

func (blind) Twin(o family.Options) (t family.Twin) {
	var of map[string]any
	if err := json.Unmarshal(o.JSON, &of); err != nil {
		panic(err)
	}
	if of["max"] != 3.0 {
		t.Less = fmt.Sprintf("max=%v", of["max"])
	}
	delete(of, "max")
	t.Rest = canon.MustMarshal(of)
	return t
}

// called sets the name of a run that a report shows, and a model of another.
func called(r report.Run, model string) report.Run {
	r.Scores.Model = &schemas.Player{Name: model}
	return r
}

func TestTwinsArePairedByGame(t *testing.T) {
	in := report.Input{Family: blind{fam}, Seed: 42, Runs: []report.Run{
		called(played(t, "a", "w0 w0 l w0"), "m"),
		called(played(t, "b", "w0 l w0 i", "max=5"), "m"),
		called(played(t, "c", "w0 w0 w0 w0"), "m"), // the second of each
		called(played(t, "d", "l l l l", "max=5"), "m"),
		called(played(t, "e", "l l l -", "max=6"), "m"), // another way to know less
		called(played(t, "f", "l l l l", "max=5"), "n"), // of nobody's
		called(played(t, "g", "w0 l l l"), "o"),         // without a twin
	}}
	told := func(in report.Input) (list []string) {
		for _, w := range report.New(in).Twins {
			p := w.Pairs
			list = append(list, fmt.Sprintf("%s%s %s %s %s: %d of %d, %d; %d %d %s",
				p.With, p.Without, w.Model, w.Split, w.Less,
				*w.All.Num, p.N, *w.Twin.Num, p.OnlyWith, p.OnlyNot, *p.Success.Value))
		}
		return list
	}
	want := []string{
		"ab m easy max=5: 2 of 3, 2; 1 1 0", "cd m easy max=5: 4 of 4, 0; 4 0 1.00000e+00",
		"ae m easy max=6: 3 of 4, 0; 3 0 7.50000e-01",
	}
	if got := told(in); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	in.Partial = true // the game that e lacks makes no pair
	want[2] = "ae m easy max=6: 2 of 3, 0; 2 0 6.66667e-01"
	if got := told(in); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	in.Runs[1].Scores.Rules.Interface = schemas.InterfaceChat // another question
	if got := told(in); len(got) != 2 || !strings.HasPrefix(got[0], "ad") {
		t.Errorf("got %q", got)
	}
	in.Family = fam
	if got := told(in); got != nil {
		t.Errorf("a family without twins has %q", got)
	}
}

// TestTheEffectOfAPlantedKnowledgeIsFound has twins of which the plain one wins what the other
// does, and a quarter more.
func TestTheEffectOfAPlantedKnowledgeIsFound(t *testing.T) {
	in := report.Input{Family: blind{fam}, Seed: 42, Runs: []report.Run{
		called(played(t, "a", "w0 w0 w0 l"), "m"), called(played(t, "b", "w0 w0 l l", "max=5"), "m"),
	}}
	r := report.New(in)
	text := string(r.Text())
	for _, want := range []string{"Twins: ", "max=5", "0.7500", "0.5000", "0.2500 [0.0000, 0.7500]"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if md := string(r.Markdown()); !strings.Contains(md, "## Twins") {
		t.Errorf("no table in\n%s", md)
	}
	back, err := report.Read("report.json", canon.MustMarshal(r))
	if err != nil || len(back.Twins) != 1 || *back.Twins[0].Pairs.Success.Value != "2.50000e-01" {
		t.Errorf("read back: %+v, %v", back, err)
	}
	if m := judge.ContrastOf(judge.Arm{}, judge.Arm{}, 1); m.N != 0 || m.McNemar != nil {
		t.Errorf("of no games: %+v", m)
	}
}
