package pipeline_test

import (
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/menu"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas/rng"
)

// The producer's menus, from which features and the one-step set are made, are those that players are shown: two
// implementations of one rule, which meet only here.
func TestTheMenusOfTheProducerAreThoseOfTheGame(t *testing.T) {
	opts := game.Defaults()
	opts.MaxLinks = 7
	turns, cut := 0, 0
	for seed := range uint64(10) {
		w := gametest.Random(seed, 120, 25, 60)
		for _, inst := range racetest.Instances(w, seed, 20, 2) {
			g, err := game.Start(w, racetest.TaskOf(inst), opts)
			if err != nil {
				t.Fatal(err)
			}
			column, err := w.Column(inst.Target.Node)
			if err != nil {
				t.Fatal(err)
			}
			rule := menu.Rule{Seed: inst.Seed, Instance: inst.ID, MaxLinks: opts.MaxLinks}
			moves := rng.New(seed, "menus", inst.ID)
			for !g.Done() {
				want := rule.Keep(nil, g.Page(), w.Successors(g.Page()), column)
				rule.Order(g.Step(), want)
				if !slices.Equal(g.Menu(), want) {
					t.Fatalf("seed %d, %s, step %d: the game shows %v, the producer %v", seed, inst.ID, g.Step(), g.Menu(), want)
				}
				turns++
				cut += min(1, len(w.Successors(g.Page()))/(opts.MaxLinks+1))
				g.Play(game.Pick(moves.Below(len(want))))
			}
		}
	}
	if turns < 1000 || cut < 500 {
		t.Errorf("%d turns with %d cut menus test too little", turns, cut)
	}
}
