package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
)

// firstMenus plays three attempts at each instance and returns the menus of their first steps, by game.
func firstMenus(t *testing.T, rel string, more ...string) (map[string][]uint32, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "run")
	eval(append([]string{"play", "--release", rel, "--player", "shortest", "--attempts", "3", "--out", out}, more...)...).want(t, 0)
	eval("score", "--release", rel, "--trajectories", out).want(t, 0) // the replay finds the same menus
	log, err := openGames(out)
	must(t, err)
	menus := map[string][]uint32{}
	for _, g := range log.Games {
		menus[fmt.Sprint(g.Instance, " ", g.Attempt)] = g.Steps[0].Menu
	}
	return menus, out
}

func TestAttemptsShowMenusInAnOrderOfTheirOwnWhereTheRulesSaySo(t *testing.T) {
	rel := newRelease(t, gametest.Random(5, 300, 90, 60), 4, 3)
	plain, _ := firstMenus(t, rel)
	mixed, out := firstMenus(t, rel, "--option", "reshuffle=attempt")
	run, err := trace.ReadRun(out)
	must(t, err)
	if !strings.Contains(string(run.Rules.Options), `"reshuffle":"attempt"`) {
		t.Errorf("rules %s", run.Rules.Options)
	}
	differ := 0
	for name, menu := range mixed {
		instance, attempt, _ := strings.Cut(name, " ")
		first, published := mixed[instance+" 1"], plain[name]
		if !slices.Equal(plain[name], plain[instance+" 1"]) || attempt == "1" && !slices.Equal(menu, published) {
			t.Errorf("%s: %v, without reshuffle %v", name, menu, published)
		}
		if attempt != "1" && !slices.Equal(menu, first) {
			differ++
		}
		if !slices.Equal(slices.Sorted(slices.Values(menu)), slices.Sorted(slices.Values(published))) {
			t.Errorf("%s shows other links: %v, not %v", name, menu, published)
		}
	}
	if differ < 4 { // of eight, some of which have two links
		t.Errorf("%d of %d menus have another order than in the first attempt", differ, len(mixed))
	}
	for want, args := range map[string][]string{
		"reshuffle=attempt means nothing with order=title": {"play", "--player", "shortest", "--option", "order=title"},
		"reshuffle=attempt is not served":                  {"mcp"},
	} {
		r := eval(append(args, "--release", rel, "--option", "reshuffle=attempt")...).want(t, 2)
		if !strings.Contains(r.stderr, want) {
			t.Errorf("%v: %s", args, r.stderr)
		}
	}
}
