package main

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/family"
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

// TestRepliesToSingleQuestionsAreReadAgain: every family of questions that has several parsers, with a
// reply that only the second one reads.
func TestRepliesToSingleQuestionsAreReadAgain(t *testing.T) {
	rel := wholeRelease(t)
	for name, said := range map[string]string{"probe": "**Yes.**", "onestep": "I choose 0."} {
		script(t, &ep.Endpoint{Say: func([]schemas.Message) string { return said }})
		runs := map[string]string{}
		for _, parser := range []string{"1", "2"} {
			runs[parser] = filepath.Join(t.TempDir(), "run")
			eval(modelArgs(rel, runs[parser], "--family", name, "--parser", parser)...).want(t, 0)
		}
		script(t, &ep.Endpoint{Say: func([]schemas.Message) string { t.Error("asked again"); return "" }})
		score := func(run string, more ...string) family.Scores {
			args := append([]string{"score", "--release", rel, "--family", name, "--trajectories", run, "--json"}, more...)
			return scoresOf(t, eval(args...).want(t, 0))
		}
		lost, read := score(runs["1"]), score(runs["2"])
		summary, err := os.ReadFile(filepath.Join(runs["1"], "summary.json"))
		must(t, err)
		n := lost.Counts["unparsed"]
		if n == 0 || lost.Counts["read_by_none"] != n || read.Counts["unparsed"] != 0 {
			t.Fatalf("%s: counts %v, and %v", name, lost.Counts, read.Counts)
		}
		for _, c := range []struct {
			run, parser string
			like, from  family.Scores
		}{{"1", "2", read, lost}, {"2", "1", lost, read}} {
			again := score(runs[c.run], "--reparse", c.parser)
			if again.Reparsed == nil || *again.Reparsed != *c.from.Rules.Parser || *again.Rules.Parser != *c.like.Rules.Parser || again.RulesSHA256 == c.from.RulesSHA256 {
				t.Errorf("%s: parsers %+v and %+v", name, again.Reparsed, again.Rules.Parser)
			}
			if !maps.Equal(again.Counts, c.like.Counts) || !reflect.DeepEqual(again.Rows[0].Metrics, c.like.Rows[0].Metrics) {
				t.Errorf("%s as %s: counts %v, want %v", name, c.parser, again.Counts, c.like.Counts)
			}
		}
		if after, err := os.ReadFile(filepath.Join(runs["1"], "summary.json")); err != nil || string(after) != string(summary) {
			t.Errorf("%s: the run's own summary changed: %v", name, err)
		}
		r := eval("score", "--release", rel, "--family", name, "--trajectories", runs["1"], "--reparse", "9").want(t, 2)
		if !strings.Contains(r.stderr, "choose from 2, 1") {
			t.Errorf("%s: %s", name, r.stderr)
		}
		mine := filepath.Join(t.TempDir(), "mine.jsonl")
		put(t, mine, "")
		eval("score", "--release", rel, "--family", name, "--trajectories", mine, "--reparse", "1").want(t, 2)
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
