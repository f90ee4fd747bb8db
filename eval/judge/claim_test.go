package judge_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// claims gives true summaries of easy: with missing games as failures, and partial.
func claims(t *testing.T) []judge.Summary {
	t.Helper()
	loop := `{"instance":"wr-easy-0003","path":["C","A","C"]}`
	var out []judge.Summary
	for _, partial := range []bool{false, true} {
		scores, err := judge.Score(four(), tell(t, won1, won2, loop), judge.Request{Splits: []string{"easy"}, Partial: partial})
		if err != nil {
			t.Fatal(err)
		}
		var kept judge.Scores
		if err := canon.Decode(canon.MustMarshal(scores), canon.MaxManifest, &kept); err != nil {
			t.Fatal(err)
		}
		out = append(out, kept.Summaries...)
	}
	return out
}

func TestATrueSummaryPassesForAClaim(t *testing.T) {
	for i, s := range claims(t) {
		if err := judge.CheckClaim(four(), s); err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestAClaimThatContradictsItselfOrTheReleaseIsAMismatch(t *testing.T) {
	set := func(s *judge.Summary, name string, edit func(*judge.Metric)) {
		m := s.Metrics[name]
		edit(&m)
		s.Metrics[name] = m
	}
	text := func(v string) *string { return &v }
	one := int64(1)
	for name, spoil := range map[string]func(*judge.Summary){
		"schema":        func(s *judge.Summary) { s.Schema = "summary/2" },
		"split":         func(s *judge.Summary) { s.Split = "other" },
		"split of hard": func(s *judge.Summary) { s.Split = "hard" },
		"manifest":      func(s *judge.Summary) { s.ManifestID = "other" },
		"release":       func(s *judge.Summary) { s.Release = "other" },
		"split digest":  func(s *judge.Summary) { s.SplitSHA256 = "other" },
		"attempts":      func(s *judge.Summary) { s.Attempts = 2 },
		"no attempts":   func(s *judge.Summary) { s.Attempts = 0 },
		"n":             func(s *judge.Summary) { s.N-- },
		"infra":         func(s *judge.Summary) { s.Infra++ },
		"missing":       func(s *judge.Summary) { s.Missing-- },
		"wins":          func(s *judge.Summary) { s.Outcomes[schemas.OutcomeSuccess]++ },
		"negative":      func(s *judge.Summary) { s.Outcomes["x"], s.Outcomes["y"] = -1, 1 },
		"flags":         func(s *judge.Summary) { s.Flags = nil },
		"contaminated":  func(s *judge.Summary) { s.Flags = append(s.Flags, judge.FlagContaminated) },
		"success":       func(s *judge.Summary) { set(s, judge.MetricSuccess, func(m *judge.Metric) { m.Num = &one }) },
		"success value": func(s *judge.Summary) {
			set(s, judge.MetricSuccess, func(m *judge.Metric) { m.Value = text("9.00000e-01") })
		},
		"success bound": func(s *judge.Summary) {
			set(s, judge.MetricSuccess, func(m *judge.Metric) { m.Lo = text("1.00000e-01") })
		},
		"no success": func(s *judge.Summary) { delete(s.Metrics, judge.MetricSuccess) },
		"mean": func(s *judge.Summary) {
			set(s, judge.MetricSuboptimal, func(m *judge.Metric) { m.Value = text("5.00000e+00") })
		},
		"mean's bound": func(s *judge.Summary) {
			set(s, judge.MetricSuboptimal, func(m *judge.Metric) { m.Lo = text("5.00000e+00") })
		},
		"half a bound": func(s *judge.Summary) { set(s, judge.MetricSuboptimal, func(m *judge.Metric) { m.Lo = nil }) },
		"loops": func(s *judge.Summary) {
			set(s, judge.MetricLoops, func(m *judge.Metric) { m.Hi = text("9.00000e-01") })
		},
		"no number":       func(s *judge.Summary) { set(s, judge.MetricMacro, func(m *judge.Metric) { m.Value = text("high") }) },
		"another decimal": func(s *judge.Summary) { set(s, judge.MetricMacro, func(m *judge.Metric) { m.Value = text("0.5") }) },
		"no finite one":   func(s *judge.Summary) { set(s, judge.MetricMacro, func(m *judge.Metric) { m.Value = text("NaN") }) },
	} {
		for i, s := range claims(t) {
			spoil(&s)
			if err := judge.CheckClaim(four(), s); fault.KindOf(err) != fault.Mismatch {
				t.Errorf("%s, %d: got %v, want a mismatch", name, i, err)
			}
		}
	}
}

const (
	won1 = `{"instance":"wr-easy-0001","path":["A","B","E","G","H","T"]}`
	won2 = `{"instance":"wr-easy-0002","path":["B","E","G","H","T"],"usage":{"prompt":90,"output":8,"reasoning":2}}`
)

// four is a release with four instances of G9 in "easy", of six asked for, and one in "hard".
func four() judge.Release {
	w := gametest.G9()
	var easy []schemas.WikiraceInstance
	for i, s := range []uint32{0, 1, 2, 3} {
		easy = append(easy, w.Instance(fmt.Sprintf("wr-easy-%04d", i+1), s, 8))
	}
	rel := release(w, easy)
	rel.Splits[0].Requested = 6
	rel.Splits = append(rel.Splits, judge.Split{Name: "hard", Requested: 1, Instances: []schemas.WikiraceInstance{w.Instance("wr-hard-0001", 0, 8)}})
	return rel
}

func release(w *gametest.World, instances []schemas.WikiraceInstance) judge.Release {
	return judge.Release{
		Name: "test", ID: "id", ManifestSHA256: "sum", World: w, Resolve: w.Node,
		Splits: []judge.Split{{Name: "easy", SHA256: "s", Requested: len(instances), Instances: instances}},
	}
}

// tell writes lines to a file, as a user would, and opens it.
func tell(t *testing.T, lines ...string) *trace.GameLog {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	log, err := trace.OpenGames(path)
	if err != nil {
		t.Fatal(err)
	}
	return log
}
