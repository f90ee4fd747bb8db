package judge_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// probe asks 200 questions of each class; in its world node 0 links to node 1 and not back.
func probe() (judge.Release, []schemas.ProbeInstance) {
	w := gametest.Parse("A->B B->C C->A")
	page := func(u uint32) schemas.PageRef {
		return schemas.PageRef{Node: u, PageID: w.PageID(u), Title: w.Title(u)}
	}
	var list []schemas.ProbeInstance
	for _, class := range schemas.ProbeClasses {
		for i := range 200 {
			q := schemas.ProbeInstance{Schema: schemas.ProbeInstanceSchema, ID: fmt.Sprintf("pr-%s-%04d", class, i+1), Class: class, Source: page(1), Target: page(0), Gold: schemas.GoldNo, Distance: 2}
			if class == schemas.ProbeConnected {
				q.Source, q.Target, q.Gold, q.Distance = page(0), page(1), schemas.GoldYes, 1
			}
			list = append(list, q)
		}
	}
	return release(w, nil), list
}

func TestTheProbeHasItsAnchors(t *testing.T) {
	rel, questions := probe()
	for _, c := range []struct {
		name           string
		reply          func(schemas.ProbeInstance) string
		all, parsed    string
		connected, any string // accuracy of a class
	}{
		{"always yes", func(schemas.ProbeInstance) string { return `\boxed{yes}` }, "3.33333e-01", "3.33333e-01", "1.00000e+00", "0"},
		{"always no", func(schemas.ProbeInstance) string { return `\boxed{No.}` }, "0", "0", "0", "1.00000e+00"},
		{"perfect", func(q schemas.ProbeInstance) string { return `so \boxed{\text{` + q.Gold + `}}` }, "1.00000e+00", "1.00000e+00", "1.00000e+00", "1.00000e+00"},
		{"unparsed", func(schemas.ProbeInstance) string { return "yes" }, "0", "-", "0", "0"},
		{"half of the yes unparsed", func(q schemas.ProbeInstance) string {
			if q.Class == schemas.ProbeConnected && q.ID > "pr-connected-0100" {
				return ""
			}
			return `\boxed{` + q.Gold + `}`
		}, "6.66667e-01", "1.00000e+00", "5.00000e-01", "1.00000e+00"},
	} {
		replies := map[string]trace.Reply{}
		for _, q := range questions {
			replies[q.ID] = trace.Reply{ID: q.ID, Reply: c.reply(q)}
		}
		s, err := judge.ScoreProbe(rel, questions, replies)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{valueOf(s.Metrics[judge.MetricF1All]), valueOf(s.Metrics[judge.MetricF1Parsed]), valueOf(s.ByClass[schemas.ProbeConnected]), valueOf(s.ByClass[schemas.ProbeD3])}
		if want := []string{c.all, c.parsed, c.connected, c.any}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
		if s.TP+s.FP+s.FN+s.TN != *s.Metrics[judge.MetricParseRate].Num || s.Missing != 0 || s.Unknown != 0 {
			t.Errorf("%s: counts %+v", c.name, s)
		}
	}
}

func valueOf(m judge.Metric) string {
	if m.Value == nil {
		return "-"
	}
	return *m.Value
}

func TestMissingAndUnknownRepliesAreCounted(t *testing.T) {
	rel, questions := probe()
	s, err := judge.ScoreProbe(rel, questions, map[string]trace.Reply{"pr-d2-0001": {Reply: `\boxed{no}`}, "other": {}})
	if err != nil || s.Missing != 999 || s.Unknown != 1 || s.TN != 1 {
		t.Errorf("got %+v, %v", s, err)
	}
}

func TestAGoldenAnswerThatTheGraphContradictsIsAMismatch(t *testing.T) {
	rel, questions := probe()
	questions[3].Gold = schemas.GoldNo
	if _, err := judge.ScoreProbe(rel, questions, nil); !errors.Is(err, fault.Mismatch) {
		t.Errorf("got %v", err)
	}
}

func TestProbeRepliesAreParsed(t *testing.T) {
	for reply, want := range map[string]string{
		`\boxed{yes}`: "yes", `\boxed{ YES }`: "yes", `\boxed{"no"}`: "no", `\boxed{\text{No}}`: "no", `\boxed{\text{yes.}}`: "yes", `\boxed{no.}`: "no",
		`\boxed{yes} but \boxed{no}`: "no", `\boxed{no} then \boxed{yes`: "no", `\boxed{maybe}`: "", `\boxed{yes no}`: "", `boxed{yes}`: "", "yes": "",
		`\boxed{}`: "", `\boxed{{yes}}`: "", `\boxed{no} \boxed{?}`: "", "": "", `\boxed{`: "",
	} {
		if got := judge.ParseProbe(reply); got != want {
			t.Errorf("%q: got %q, want %q", reply, got, want)
		}
	}
}

// oneStep is the first turn from C of G9: A, E and F are 5, 3 and 3 links from T.
func oneStep() (judge.Release, schemas.OneStepInstance) {
	w := gametest.G9()
	inst := schemas.OneStepInstance{ID: "os-onestep-0001", Source: schemas.PageRef{Node: 2}, Target: schemas.PageRef{Node: 8}, Distance: 4, Best: []uint32{1, 2}}
	for i, u := range []uint32{0, 4, 5} {
		inst.Menu = append(inst.Menu, schemas.OneStepLink{I: i, Node: u, Title: w.Title(u)})
	}
	return release(w, nil), inst
}

func TestOneStepRewards(t *testing.T) {
	rel, inst := oneStep()
	for _, c := range []struct {
		reply         string
		exact, graded string
		unparsed      int
	}{
		{"1", "1.00000e+00", "1.00000e+00", 0},
		{"2. F", "1.00000e+00", "1.00000e+00", 0},
		{"0", "0", "1.00000e-01", 0}, // two links more
		{"3", "0", "0", 1},
		{"I say 1 or 2", "0", "0", 1},
	} {
		for graded, want := range map[bool]string{false: c.exact, true: c.graded} {
			s, err := judge.ScoreOneStep(rel, []schemas.OneStepInstance{inst}, map[string]trace.Reply{inst.ID: {Reply: c.reply}}, graded, 1)
			if err != nil {
				t.Fatal(err)
			}
			name := map[bool]string{false: judge.MetricReward, true: judge.MetricGraded}[graded]
			if got := valueOf(s.Metrics[name]); got != want || s.Unparsed != c.unparsed || len(s.Metrics) != 1 || valueOf(s.ByDistance[0].Metrics[name]) != want {
				t.Errorf("%q, graded %v: got %s, %+v; want %s", c.reply, graded, got, s, want)
			}
		}
	}
	s, err := judge.ScoreOneStep(rel, []schemas.OneStepInstance{inst}, nil, false, 1)
	if err != nil || s.Missing != 1 || valueOf(s.Metrics[judge.MetricReward]) != "0" {
		t.Errorf("without a reply: %+v, %v", s, err)
	}
}

func TestAOneStepInstanceThatTheGraphContradictsIsAMismatch(t *testing.T) {
	for name, change := range map[string]func(*schemas.OneStepInstance){
		"best":    func(i *schemas.OneStepInstance) { i.Best = []uint32{0} },
		"no link": func(i *schemas.OneStepInstance) { i.Menu[0].Node = 7 },
		"outside": func(i *schemas.OneStepInstance) { i.Target.Node = 9 },
		"no menu": func(i *schemas.OneStepInstance) { i.Menu = nil },
	} {
		rel, inst := oneStep()
		change(&inst)
		if _, err := judge.ScoreOneStep(rel, []schemas.OneStepInstance{inst}, nil, false, 1); !errors.Is(err, fault.Mismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMcNemarIsExact(t *testing.T) {
	for _, c := range []struct {
		b, c int
		want string
	}{{0, 0, "1.00000e+00"}, {1, 1, "1.00000e+00"}, {0, 5, "6.25000e-02"}, {5, 0, "6.25000e-02"}, {1, 9, "2.14844e-02"}, {0, 1, "1.00000e+00"}, {10, 25, "1.66738e-02"}} {
		if got := judge.McNemar(c.b, c.c); got != c.want {
			t.Errorf("%d against %d: got %s, want %s", c.b, c.c, got, c.want)
		}
	}
}
