package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// TestTheBudgetOfAGameEndsItAndIsARule gives the five turns of a game less than they take.
func TestTheBudgetOfAGameEndsItAndIsARule(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	prices := []string{"--price-prompt", "1", "--price-output", "1"}
	hashes := map[string]bool{}
	for _, c := range []struct {
		flags   []string
		outcome string
		turns   int
		reason  string
	}{
		{nil, schemas.OutcomeSuccess, 5, ""},
		{[]string{"--game-turns", "3"}, schemas.OutcomeSpent, 3, "its 3 turns are made"},
		{[]string{"--game-turns", "5"}, schemas.OutcomeSuccess, 5, ""},
		{[]string{"--game-tokens", "400"}, schemas.OutcomeSpent, 4, "tokens of 400 are used"},
		{[]string{"--game-tokens", "1000000", "--game-time", "2h"}, schemas.OutcomeSuccess, 5, ""},
		{append(prices, "--game-cost", "0.0001"), schemas.OutcomeSpent, 1, "of 0.0001 USD"},
	} {
		script(t, &ep.Endpoint{Say: best})
		out := filepath.Join(t.TempDir(), "run")
		args := modelArgs(rel, out, c.flags...)
		eval(args...).want(t, 0)
		eval(args...).want(t, 0) // nothing is left
		log, err := openGames(out)
		if err != nil {
			t.Fatal(err)
		}
		rec := log.Games[0].Record
		reason := ""
		if rec.Reason != nil {
			reason = *rec.Reason
		}
		if rec.Outcome != c.outcome || rec.Turns != c.turns || !strings.HasSuffix(reason, c.reason) {
			t.Errorf("%v: %s after %d turns, %q; want %+v", c.flags, rec.Outcome, rec.Turns, reason, c)
		}
		s := scoresOf(t, eval("score", "--release", rel, "--trajectories", out, "--json").want(t, 0))
		won := c.outcome == schemas.OutcomeSuccess
		if *s.Rows[0].Metrics[judge.MetricSuccess].Num != int64(judge.One(won)) || hashes[s.RulesSHA256] {
			t.Errorf("%v: %+v under rules %s", c.flags, s.Rows[0], s.RulesSHA256)
		}
		hashes[s.RulesSHA256] = true
		put(t, filepath.Join(out, trace.GamesFile), strings.Replace(read(t, filepath.Join(out, trace.GamesFile)), `"outcome":"success"`, `"outcome":"spent"`, 1))
		if r := eval("score", "--release", rel, "--trajectories", out); won && r.code != 3 {
			t.Errorf("%v: a game that was won and says spent: exit %d", c.flags, r.code)
		}
	}
}

// TestAGameWithoutABudgetIsNotSpent forges the outcome of a game that its player gave up.
func TestAGameWithoutABudgetIsNotSpent(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	out := filepath.Join(t.TempDir(), "run")
	evalIn("0\nquit\n", "play", "--release", rel, "--player", "lines", "--out", out).want(t, 0)
	games := filepath.Join(out, trace.GamesFile)
	put(t, games, strings.Replace(read(t, games), `"gave_up"`, `"spent"`, 1))
	if r := eval("score", "--release", rel, "--trajectories", out).want(t, 3); !strings.Contains(r.stdout, `log "spent", replay "gave_up"`) {
		t.Errorf("%s", r.stdout)
	}
}

// TestTheBudgetOfARunStopsItAndItGoesOn plays 20 games in parts, by turns and by time, and then
// whole, with the same files as in one go.
func TestTheBudgetOfARunStopsItAndItGoesOn(t *testing.T) {
	rel := newRelease(t, gametest.Random(5, 300, 90, 60), 10, 3, 4)
	play := func(out string, flags ...string) result {
		return eval(append([]string{"play", "--release", rel, "--player", "random", "--parallel", "1", "--out", out}, flags...)...)
	}
	whole, parts := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "parts")
	play(whole).want(t, 0)
	if r := play(parts, "--max-time", "1ns").want(t, 1); !strings.Contains(r.stderr, "20 of 20 games not played") || !strings.Contains(r.stderr, "--max-time") {
		t.Errorf("no time: %s", r.stderr)
	}
	left := 20
	for _, turns := range []string{"100", "300"} {
		r := play(parts, "--max-turns-total", turns).want(t, 1)
		log, err := openGames(parts)
		if err != nil {
			t.Fatal(err)
		}
		made := 0
		for _, g := range log.Games {
			made += g.Record.Turns
		}
		if len(log.Games) == 0 || len(log.Games) >= left || made > 300 || !strings.Contains(r.stderr, "not played") {
			t.Errorf("--max-turns-total %s: %d games, %d turns: %s", turns, len(log.Games), made, r.stderr)
		}
	}
	play(parts, "--max-turns-total", "30000", "--max-time", time.Hour.String()).want(t, 0)
	if a, b := read(t, filepath.Join(whole, trace.StepsFile)), read(t, filepath.Join(parts, trace.StepsFile)); clockFields.ReplaceAllString(a, "") != clockFields.ReplaceAllString(b, "") {
		t.Error("a run in parts has other files")
	}
	for flags, want := range map[string]string{
		"--max-turns-total -1": "want more than 0", "--game-time 1500ms": "want whole seconds", "--game-turns -2": "want more than 0",
		"--game-tokens 5": "means nothing to player", "--game-cost 5": "means nothing to player", "--max-time -1s": "want more than 0",
	} {
		if r := play(whole, strings.Fields(flags)...).want(t, 2); !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %s", flags, r.stderr)
		}
	}
	script(t, &ep.Endpoint{Say: best})
	for flags, want := range map[string]string{"--game-cost 5": "nothing has a price", "--game-cost x": "want a decimal number", "--game-cost 0": "want a decimal number"} {
		if r := eval(modelArgs(rel, filepath.Join(t.TempDir(), "run"), strings.Fields(flags)...)...).want(t, 2); !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %s", flags, r.stderr)
		}
	}
}
