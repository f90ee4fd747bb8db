package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/schemas"
)

// chatty is best in a form that the first parser loses: the title stands beside the number.
func chatty(m []schemas.Message) string {
	text := best(m)
	number, ok := strings.CutSuffix(text[strings.Index(text, ">")+1:], "</answer>")
	if !ok {
		return text
	}
	for title, i := range links(m) {
		if number == itoa(i) {
			return "<answer>" + number + ". " + title + "</answer>"
		}
	}
	return text
}

func itoa(n int) string { return string(rune('0' + n)) } // of a menu of G9

// TestRepliesAreReadAgainByAnotherParser: what was asked is not asked again, and a game that the other
// reading leads elsewhere is lost and counted.
func TestRepliesAreReadAgainByAnotherParser(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	for _, c := range []struct {
		name, parser, other string
		say                 func([]schemas.Message) string
		num, again          int64
		flag, rule          string
	}{
		{"both read it", "1", "2", best, 1, 1, "REPARSED 0/1", "read_by_tag"},
		{"the second alone", "2", "1", chatty, 1, 0, "REPARSED 1/1", "read_by_none"},
		{"the first had lost it", "1", "2", chatty, 0, 0, "REPARSED 1/1", "read_by_tag"},
	} {
		script(t, &ep.Endpoint{Say: c.say})
		out := filepath.Join(t.TempDir(), "run")
		eval(modelArgs(rel, out, "--parser", c.parser)...).want(t, 0)
		script(t, &ep.Endpoint{Say: func([]schemas.Message) string { t.Error("asked again"); return "" }})
		args := []string{"score", "--release", rel, "--trajectories", out, "--json"}
		s := scoresOf(t, eval(args...).want(t, 0))
		summary, err := os.ReadFile(filepath.Join(out, "summary.json"))
		if err != nil {
			t.Fatal(err)
		}
		r := scoresOf(t, eval(append(args, "--reparse", c.other)...).want(t, 0))
		if *s.Rows[0].Metrics[judge.MetricSuccess].Num != c.num || *r.Rows[0].Metrics[judge.MetricSuccess].Num != c.again {
			t.Errorf("%s: success %+v, then %+v", c.name, s.Rows[0].Metrics[judge.MetricSuccess], r.Rows[0].Metrics[judge.MetricSuccess])
		}
		if r.RulesSHA256 == s.RulesSHA256 || r.Reparsed == nil || *r.Reparsed != *s.Rules.Parser || *r.Rules.Parser == *s.Rules.Parser {
			t.Errorf("%s: the rules of both are the same: %+v, %+v", c.name, r.Reparsed, r.Rules.Parser)
		}
		if !r.Rows[0].Has(judge.FlagReparsed) || r.Rows[0].Flags[0] != c.flag || r.Counts[c.rule] == 0 {
			t.Errorf("%s: flags %q, counts %v; want %s and %s", c.name, r.Rows[0].Flags, r.Counts, c.flag, c.rule)
		}
		if after, err := os.ReadFile(filepath.Join(out, "summary.json")); err != nil || string(after) != string(summary) {
			t.Errorf("%s: the run's own summary changed: %v", c.name, err)
		}
		eval(append(args, "--reparse", "3")...).want(t, 2)
	}
}

func TestWhatHasNoOtherParserIsNotReadAgain(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	out := filepath.Join(t.TempDir(), "run")
	eval("play", "--release", rel, "--player", "random", "--out", out).want(t, 0)
	r := eval("score", "--release", rel, "--trajectories", out, "--reparse", "1").want(t, 2)
	if !strings.Contains(r.stderr, "tells of no parser") {
		t.Errorf("got %s", r.stderr)
	}
}
