package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/retell"
)

func TestShowSaysWhereAGameWasLost(t *testing.T) {
	rel, dir := newRelease(t, gametest.G9(), 1, 5), t.TempDir()
	// From A, at distance 5: C leads on, A leads back, and 9 is not a link.
	evalIn("1\n0\n9\nquit\n", "play", "--release", rel, "--player", "lines", "--out",
		filepath.Join(dir, "run")).want(t, 0)
	list := eval("show", filepath.Join(dir, "run"), "--release", rel).want(t, 0).stdout
	if !strings.Contains(list, "wr-tiny-0001-a1") || !strings.Contains(list,
		"step 2: moved away: 4 turns were left, now 5") {
		t.Errorf("the list is\n%s", list)
	}
	game := eval("show", filepath.Join(dir, "run"), "wr-tiny-0001", "--release", rel).want(t, 0).stdout
	for _, want := range []string{
		"step 1, at A, left 5 -> 4\n   * D\n  >* C\n   * B\n",
		"step 2, at C, left 4 -> 5\n  >  A\n   * F\n",
		"  ! moved away: 4 turns were left, now 5\n  ! came back to where it was at step 1\n",
		"  ! not valid: out_of_range\n",
	} {
		if !strings.Contains(game, want) {
			t.Errorf("%q is not in\n%s", want, game)
		}
	}
	if strings.Contains(game, "\x1b") {
		t.Errorf("what is piped has colours: %q", game)
	}
}

func TestShowTellsARunOfEveryFamily(t *testing.T) {
	rel := wholeRelease(t)
	for _, f := range families.All {
		dir := filepath.Join(t.TempDir(), "run")
		play := []string{
			"play", "--family", f.Name(), "--player", "random", "--limit", "2", "--out", dir,
			"--release", rel,
		}
		if r := eval(play...); r.code == 2 {
			eval(append(play, "--option", "target_intro=0")...).want(t, 0) // the release has no leads
		} else {
			r.want(t, 0)
		}
		var list struct{ Games []retell.Game }
		must(t, json.Unmarshal([]byte(eval("show", dir, "--release", rel, "--json").want(t, 0).stdout),
			&list))
		if len(list.Games) == 0 {
			t.Errorf("%s: no games", f.Name())
		}
		for _, g := range list.Games {
			var told retell.Told
			must(t, json.Unmarshal([]byte(eval("show", dir, g.Item, "--release", rel, "--json").want(t,
				0).stdout), &told))
			if told.Untold != "" || len(told.Turns) != g.Steps || told.Turns[0].Menu == nil || !g.Success &&
				g.Lost == 0 {
				t.Errorf("%s: %+v", f.Name(), told)
			}
		}
	}
}

// TestShowIsHarmless shows titles that move the cursor, colour, or turn the writing around.
func TestShowIsHarmless(t *testing.T) {
	w := gametest.G9()
	w.Titles[1], w.Titles[2], w.Titles[3] = "B\x1b[2J\u202eevil", "مدينة",
		"D</script>"+strings.Repeat("x", 240)
	rel, dir := newRelease(t, w, 1, 5), filepath.Join(t.TempDir(), "run")
	eval("play", "--release", rel, "--player", "random", "--out", dir).want(t, 0)
	game := eval("show", dir, "wr-tiny-0001", "--release", rel, "--full").want(t, 0).stdout
	if strings.ContainsAny(game, "\x1b\u202e") {
		t.Errorf("control characters are in %q", game)
	}
	for _, want := range []string{`B\u{001B}[2J\u{202E}evil`, "\u2068مدينة\u2069", "D</script>xxx"} {
		if !strings.Contains(game, want) {
			t.Errorf("%q is not in\n%s", want, game)
		}
	}
}

// TestShowTellsGamesOfPeopleByTheirPaths imports games that were played by none of our rules.
func TestShowTellsGamesOfPeopleByTheirPaths(t *testing.T) {
	rel, dir := newRelease(t, gametest.G9(), 1, 5), t.TempDir()
	file, out := filepath.Join(dir, "paths.tsv"), filepath.Join(dir, "run")
	put(t, file, "h\t1\t2\tA;B;E;G;H;T\t5\nh\t1\t2\tC;E\t4\n")
	eval("import", "snap-paths", file, "--release", rel, "--out", out).want(t, 0)
	var list struct{ Games []retell.Game }
	must(t, json.Unmarshal([]byte(eval("show", out, "--release", rel, "--json").want(t, 0).stdout), &list))
	if len(list.Games) != 2 {
		t.Fatalf("the games are %+v", list)
	}
	game := eval("show", out, list.Games[0].Item, "--release", rel).want(t, 0).stdout
	for _, want := range []string{"step 1\n  >  B\n", "step 5\n  >  T\n", "told by the log alone"} {
		if !strings.Contains(game, want) {
			t.Errorf("%q is not in\n%s", want, game)
		}
	}
}
