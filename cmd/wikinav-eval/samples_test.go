package main

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/wikinav/wikinav/eval/wikirace/racetest"

	wikiracefiles "github.com/wikinav/wikinav/artifacts/wikirace"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// ltgRelease builds the release of a real wiki, or skips the test where its dump is not there.
func ltgRelease(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the release of a wiki, which takes seconds")
	}
	root := os.Getenv("WIKINAV_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	dump := filepath.Join(root, "data", "dumps", "ltgwiki-20170901-pages-articles-multistream.xml.bz2")
	if _, err := os.Stat(dump); err != nil {
		t.Skipf("sample data are not there: %v", err)
	}
	dir := t.TempDir()
	program, work, out := filepath.Join(dir, "wikinav"), filepath.Join(dir, "work"), filepath.Join(dir, "release")
	for _, args := range [][]string{
		{"go", "build", "-o", program, "../wikinav"},
		{program, "build", "--dump", dump, "--work", work},
		{program, "release", "--work", work, "--out", out, "--allow-short"},
	} {
		if text, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args[:2], err, text)
		}
	}
	return out
}

func TestOnARealWiki(t *testing.T) {
	rel := ltgRelease(t)
	t.Run("shortest is perfect wherever an optimal link is kept", func(t *testing.T) { shortestIsPerfect(t, rel) })
	t.Run("random walks succeed as often as the instances say", func(t *testing.T) { randomWalksAgree(t, rel) })
}

func shortestIsPerfect(t *testing.T, rel string) {
	for _, pruning := range []string{game.PruneTop, game.PruneTop1Random, game.PruneNone} {
		out := filepath.Join(t.TempDir(), "run")
		eval("play", "--release", rel, "--player", "shortest", "--option", "pruning="+pruning, "--out", out).want(t, 0)
		for _, s := range scoresOf(t, eval("score", "--release", rel, "--trajectories", out, "--json").want(t, 0)).Rows {
			won, extra := s.Metrics[judge.MetricSuccess], s.Metrics[judge.MetricSuboptimal]
			if s.N == 0 || int(*won.Num) != s.N || *extra.Num != 0 {
				t.Errorf("%s, %s: %d of %d games won, %d steps too many", pruning, s.Split, *won.Num, s.N, *extra.Num)
			}
		}
	}
}

// walkGames is the environment variable with the number of walks from every instance, in place of a sample.
const walkGames = "WIKINAV_WALK_GAMES"

// randomWalksAgree plays a uniform random player and compares its successes with rw_menu, which was computed and not drawn.
func randomWalksAgree(t *testing.T, rel string) {
	instances, world := realGames(t, rel)
	games, stride := 2000, max(1, len(instances)/10)
	if text := os.Getenv(walkGames); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("%s=%s: want a number of games", walkGames, text)
		}
		games, stride = n, 1
	}
	compared, inside := 0, 0
	for i := 0; i < len(instances); i += stride {
		inst := instances[i]
		p, err := strconv.ParseFloat(inst.Features.RWMenu, 64)
		if err != nil {
			t.Fatal(err)
		}
		won := walks(t, world, inst, games)
		// Wilson's interval holds p where the deviation is at most z of its own; a half game corrects for counts being whole.
		off := max(0, math.Abs(float64(won)-float64(games)*p)-0.5) / math.Sqrt(float64(games)*p*(1-p))
		compared++
		if off <= 1.96 {
			inside++
		}
		if math.IsNaN(off) || off > 4.5 {
			t.Errorf("%s: %d of %d walks succeed, want a share of %s (%.1f deviations)", inst.ID, won, games, inst.Features.RWMenu, off)
		}
	}
	t.Logf("%d of %d instances inside the 95 %% interval, %d walks each", inside, compared, games)
	// Of 100 instances about 95 are inside; a bias that no single instance shows would push many out.
	if low := 0.95*float64(compared) - 4*math.Sqrt(0.95*0.05*float64(compared)); float64(inside) < low {
		t.Errorf("%d of %d instances inside the 95 %% interval, want at least %.0f", inside, compared, low)
	}
}

func realGames(t *testing.T, rel string) ([]schemas.WikiraceInstance, game.World) {
	t.Helper()
	src, err := open.Open(rel)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	world, err := src.World()
	if err != nil {
		t.Fatal(err)
	}
	var all []schemas.WikiraceInstance
	for _, name := range wikiracefiles.Splits(src.Release) {
		list, err := wikiracefiles.Instances(src.Release, name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	if len(all) < 10 {
		t.Fatalf("the release has %d instances", len(all))
	}
	return all, world
}

// walks gives the number of random walks that reach the target.
func walks(t *testing.T, w game.World, inst schemas.WikiraceInstance, games int) (won int) {
	t.Helper()
	stream := rng.New(42, "test", "walks", inst.ID)
	for range games {
		g, err := game.Start(w, racetest.TaskOf(inst), game.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		for !g.Done() {
			g.Play(game.Pick(stream.Below(len(g.Menu()))))
		}
		if g.Outcome() == schemas.OutcomeSuccess {
			won++
		}
	}
	return won
}
