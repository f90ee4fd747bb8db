package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/items"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

// rungs are the players of the ladder, the ablest first.
func rungs() []string {
	var names []string
	for percent := 10; percent < 100; percent += 10 {
		names = append(names, fmt.Sprint("noisy-shortest-", percent))
	}
	return append(names, "random")
}

// climbed has players play a release with a seed, and returns a flag for each run.
func climbed(t *testing.T, rel, flag string, seed int, players []string, more ...string) (args []string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range players {
		out := filepath.Join(dir, name)
		play := []string{"play", "--release", rel, "--player", name, "--out", out, "--seed", fmt.Sprint(seed)}
		eval(append(play, more...)...).want(t, 0)
		args = append(args, flag, out)
	}
	return args
}

func decoded[T any](t *testing.T, data []byte) (to T) {
	t.Helper()
	if err := json.Unmarshal(data, &to); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return to
}

// ladder is a release on which ten players of known strength have played, with few moves.
func ladder(t *testing.T) (rel string, runs []string) {
	t.Helper()
	rel = newRelease(t, gametest.Random(3, 150, 90, 60), 80, 3, 4)
	return rel, climbed(t, rel, "--trajectories", 42, rungs(), "--option", "max_steps=6")
}

func TestItemsRankTheLadder(t *testing.T) {
	rel, runs := ladder(t)
	out := t.TempDir()
	args := append([]string{"report", "items", "--release", rel, "--json", "--out", out}, runs...)
	printed := eval(args...).want(t, 0).stdout
	if again := eval(args...).want(t, 0).stdout; again != printed {
		t.Error("the same runs have another analysis the second time")
	}
	a := decoded[items.Analysis](t, []byte(printed))
	if len(a.Players) != 10 || len(a.Items) != 160 || len(a.Models) != 2 {
		t.Fatalf("%d players, %d items, %d models", len(a.Players), len(a.Items), len(a.Models))
	}
	for i, p := range a.Players[3:] { // three rungs apart nothing overlaps
		if above := a.Players[i]; judge.Number(p.Ability.Hi) >= judge.Number(above.Ability.Lo) {
			t.Errorf("%s %v is not weaker than %s %v", p.Player, p.Ability, above.Player, above.Ability)
		}
	}
	if len(a.Items[0].Features) < 5 || len(a.Features) < 5 {
		t.Errorf("features %v of the first instance, %v of all", a.Items[0].Features, a.Features)
	}
	checkItemFiles(t, out, printed)
}

func checkItemFiles(t *testing.T, dir, printed string) {
	t.Helper()
	if read(t, dir, "items.json") != printed {
		t.Error("items.json is not what was printed")
	}
	md := read(t, dir, "items.md")
	if !strings.Contains(md, "## Hardest") || !strings.Contains(md, "| noisy-shortest-10 |") {
		t.Errorf("items.md is\n%s", md)
	}
	for name, lines := range map[string]int{"items.csv": 161, "players.csv": 11} {
		rows, err := csv.NewReader(strings.NewReader(read(t, dir, name))).ReadAll()
		if err != nil || len(rows) != lines {
			t.Errorf("%s: %d lines, %v; want %d", name, len(rows), err, lines)
		}
	}
}

// Ten players choose 50 of 160 instances, on which ten others are predicted within what is stated.
func TestASubsetOfTheLadderPredictsOthers(t *testing.T) {
	rel, runs := ladder(t)
	check := climbed(t, rel, "--check", 43, rungs(), "--option", "max_steps=6")
	out := t.TempDir()
	args := append([]string{"report", "subset", "--n", "50", "--release", rel, "--out", out}, runs...)
	t.Log(eval(append(args, check...)...).want(t, 0).stdout)
	r := decoded[items.SubsetRecord](t, []byte(read(t, out, "subset.json")))
	ids := strings.Fields(read(t, out, "subset.txt"))
	if len(r.Chosen) != 50 || len(ids) != 50 || r.HeldOut.Players != 10 || r.Checked.Players != 10 {
		t.Fatalf("%d chosen, %d ids, held out %+v, checked %+v", len(r.Chosen), len(ids), r.HeldOut, r.Checked)
	}
	for _, h := range r.Check {
		miss := judge.Number(h.Predicted.Value) - judge.Number(*h.Score)
		if within := judge.Number(r.HeldOut.Within); max(miss, -miss) > within {
			t.Errorf("%s scored %s, predicted %s, stated within %v", h.Player, *h.Score, h.Predicted.Value, within)
		}
	}
	few := []string{"--option", "max_steps=6"}
	for _, id := range ids {
		few = append(few, "--instance", id)
	}
	one := climbed(t, rel, "--check", 44, []string{"greedy-degree"}, few...)
	got := eval(append(append(args, "--json"), one...)...).want(t, 0)
	r = decoded[items.SubsetRecord](t, []byte(got.stdout))
	if h := r.Check[0]; h.Score != nil || h.Played != 50 || r.Checked != nil {
		t.Errorf("a player of the subset alone: %+v, checked %+v", h, r.Checked)
	}
	other := climbed(t, rel, "--check", 42, []string{"random"}, "--option", "max_steps=7")
	if got := eval(append(args, other...)...).want(t, 2); !strings.Contains(got.stderr, "options.max_steps 7, not 6") {
		t.Errorf("got %s", got.stderr)
	}
}

// listedWins writes what ten players won as lists of their own: each wins what is easy enough for
// it, but for the first instance, which only the weaker half wins.
func listedWins(t *testing.T, rel string) (args []string) {
	t.Helper()
	dir := t.TempDir()
	eval("play", "--release", rel, "--player", "shortest", "--out", filepath.Join(dir, "run")).want(t, 0)
	games := strings.Fields(read(t, dir, "run", "games.jsonl"))
	for player := range 10 {
		var lines strings.Builder
		for i, line := range games {
			g := decoded[struct {
				Instance string   `json:"instance"`
				Path     []uint32 `json:"path"`
			}](t, []byte(line))
			if won := i%9 < player; i == 0 && player >= 5 || i > 0 && !won {
				g.Path = g.Path[:1]
			}
			text, err := json.Marshal(g)
			must(t, err)
			fmt.Fprintf(&lines, "%s\n", text)
		}
		path := filepath.Join(dir, fmt.Sprintf("player-%d.jsonl", player))
		put(t, path, lines.String())
		args = append(args, "--trajectories", path)
	}
	return args
}

// An instance that the weak win and the strong lose is named with its evidence, and drawn.
func TestASuspectIsNamedAndDrawn(t *testing.T) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 40, 3)
	out := t.TempDir()
	args := append([]string{"report", "items", "--wide", "--release", rel, "--out", out}, listedWins(t, rel)...)
	printed := eval(args...).want(t, 0).stdout
	a := decoded[items.Analysis](t, []byte(read(t, out, "items.json")))
	if len(a.Suspects) != 1 || a.Suspects[0] != a.Items[0].ID {
		t.Fatalf("suspects %v, want %s\n%s", a.Suspects, a.Items[0].ID, printed)
	}
	row := a.Items[0]
	if len(row.WonBy) != 5 || len(row.LostBy) != 5 || row.Drawing == nil || len(row.Drawing.Nodes) < 2 {
		t.Errorf("won by %v, lost by %v, drawing %+v", row.WonBy, row.LostBy, row.Drawing)
	}
	if svg := read(t, out, "suspect-1.svg"); !strings.HasPrefix(svg, "<svg") {
		t.Errorf("suspect-1.svg is %.80s", svg)
	}
	if !strings.Contains(printed, "Suspects") || !strings.Contains(printed, "Suspects: 1.") {
		t.Errorf("printed\n%s", printed)
	}
}

func TestItemsOfEveryFamily(t *testing.T) {
	worlds := newWorlds(t)
	addMazes(t, worlds, false)
	bans, _ := newBans(t)
	for _, c := range []struct {
		family, dir, one, other string
		options                 []string
	}{
		{"lumina", worlds, "optimal", "random", nil},
		{"mango", worlds, "random", "random", nil},
		{
			"constrained", bans, "noisy-shortest-10", "noisy-shortest-90",
			[]string{"--option", "context=none", "--option", "target_intro=0"},
		},
	} {
		more := append([]string{"--family", c.family}, c.options...)
		args := []string{"report", "items", "--release", c.dir, "--family", c.family, "--json"}
		args = append(args, climbed(t, c.dir, "--trajectories", 42, []string{c.one}, more...)...)
		args = append(args, climbed(t, c.dir, "--trajectories", 43, []string{c.other}, more...)...)
		a := decoded[items.Analysis](t, []byte(eval(args...).want(t, 0).stdout))
		one, other := judge.Number(a.Players[0].Ability.Value), judge.Number(a.Players[1].Ability.Value)
		if len(a.Items) < 2 || c.one != c.other && one <= other {
			t.Errorf("%s: %d items, players %+v", c.family, len(a.Items), a.Players)
		}
	}
}

func TestTheExamplesOfItemsWork(t *testing.T) {
	p := openPage(t, "items.md", newRelease(t, gametest.Random(3, 150, 90, 60), 40, 2, 3))
	out := p.shell(p.block("sh"))
	for _, want := range []string{"Hardest: 10 of 80", "50 of 80 instances", "Players of --check", "greedy-degree"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}
