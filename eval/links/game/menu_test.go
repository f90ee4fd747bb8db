package game_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// TestEveryMenuKeepsItsPromises walks at random over pages wider and narrower than a menu, under every pruning mode.
func TestEveryMenuKeepsItsPromises(t *testing.T) {
	for _, pruning := range []string{game.PruneTop, game.PruneTop1Random, game.PruneRandom, game.PruneNone} {
		t.Run(pruning, func(t *testing.T) { checkMenus(t, pruning, 2500) })
	}
}

func checkMenus(t *testing.T, pruning string, menus int) {
	const seed = 7
	w := gametest.Random(seed, 400, 160, 120)
	opts := game.Defaults()
	opts.Pruning = pruning
	draw := rng.New(seed, "menus", pruning)
	reordered, cut, seen := 0, 0, 0
	for i := 0; seen < menus; i++ {
		inst := racetest.Instances(w, uint64(i), 1, 2)[0]
		column, _ := w.Column(inst.Target.Node)
		g := start(t, w, inst, opts)
		sets, orders := map[uint32][]uint32{}, map[uint32][]uint32{}
		for !g.Done() {
			seen++
			u, shown := g.Page(), slices.Clone(g.Menu())
			set := slices.Sorted(slices.Values(shown))
			checkMenu(t, fmt.Sprintf("seed %d, instance %d, node %d, step %d", seed, i, u, g.Step()), pruning, w.Successors(u), set, column)
			if old, ok := sets[u]; ok {
				if !slices.Equal(old, set) {
					t.Fatalf("instance %d, node %d: the kept set changed between visits: %v, then %v", i, u, old, set)
				}
				if len(set) > 8 && slices.Equal(orders[u], shown) {
					t.Fatalf("instance %d, node %d: two visits show the same order %v", i, u, shown)
				}
				reordered++
			}
			if len(set) < len(w.Successors(u)) {
				cut++
			}
			sets[u], orders[u] = set, shown
			if g.Step()%3 == 0 {
				g.Play(game.NoMove(game.ReasonUnparsed)) // stays on the page: the next menu must be another order of this one
			} else {
				g.Play(game.Pick(draw.Below(len(shown))))
			}
		}
	}
	if reordered < menus/10 || pruning != game.PruneNone && cut < menus/10 {
		t.Errorf("the walk shows too little: %d revisits, %d cut menus of %d", reordered, cut, seen)
	}
}

func checkMenu(t *testing.T, where, pruning string, links, set []uint32, column []uint8) {
	t.Helper()
	if want := min(len(links), 50); pruning != game.PruneNone && len(set) != want {
		t.Fatalf("%s: %d links shown, want %d", where, len(set), want)
	}
	if pruning == game.PruneNone && !slices.Equal(set, links) {
		t.Fatalf("%s: shown %v, want all of %v", where, set, links)
	}
	best, offered, far := uint8(255), uint8(255), uint8(0)
	for _, v := range links {
		best = min(best, column[v])
	}
	for i, v := range set {
		if !slices.Contains(links, v) || i > 0 && set[i-1] == v {
			t.Fatalf("%s: %d is no link or stands twice", where, v)
		}
		offered, far = min(offered, column[v]), max(far, column[v])
	}
	if offered != best && (pruning == game.PruneTop || pruning == game.PruneTop1Random) {
		t.Fatalf("%s: the nearest link shown is at %d, want %d", where, offered, best)
	}
	for _, v := range links {
		if pruning == game.PruneTop && column[v] < far && !slices.Contains(set, v) {
			t.Fatalf("%s: link %d at distance %d was cut, one at %d was kept", where, v, column[v], far)
		}
	}
}

func TestTiesAtTheCutAreNotDecidedByNode(t *testing.T) {
	w := wheel(100)
	kept := make([]int, 101)
	for i := range 200 {
		for _, v := range start(t, w, racetest.Instance(w, fmt.Sprintf("wr-easy-%04d", i), 0, 101), game.Defaults()).Menu() {
			kept[v]++
		}
	}
	low, high := slices.Min(kept[1:]), slices.Max(kept[1:])
	if low < 60 || high > 140 {
		t.Errorf("of 200 menus a link is kept between %d and %d times, want about 100", low, high)
	}
}

// wheel has a source 0 with n links that are all equally far from the target n+1.
func wheel(n int) *gametest.World {
	text := "S->"
	for i := range n {
		text += fmt.Sprintf("P%d,", i)
	}
	text = text[:len(text)-1]
	for i := range n {
		text += fmt.Sprintf(" P%d->T", i)
	}
	return gametest.Parse(text + " T->S")
}

// TestMenuOrderEqualsThePublishedShuffle pins the stream names: five links in node order, permuted by the specification's vectors.
func TestMenuOrderEqualsThePublishedShuffle(t *testing.T) {
	w := wheel(5)
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 6), game.Defaults())
	for step, want := range [][]uint32{{4, 3, 2, 5, 1}, {1, 2, 3, 5, 4}} {
		if !slices.Equal(g.Menu(), want) {
			t.Errorf("step %d: menu %v, want %v", step+1, g.Menu(), want)
		}
		g.Play(game.NoMove(game.ReasonUnparsed))
	}
}

func TestOrderByTitleIsBytewise(t *testing.T) {
	w := gametest.Parse("S->b,B,a,é b->T B->T a->T é->T T->S")
	opts := game.Defaults()
	opts.Order = game.OrderTitle
	var got []string
	for _, v := range start(t, w, racetest.Instance(w, "x", 0, 5), opts).Menu() {
		got = append(got, w.Title(v))
	}
	if want := []string{"B", "a", "b", "é"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func start(t *testing.T, w game.World, inst schemas.WikiraceInstance, opts schemas.GameOptions) *game.Game {
	t.Helper()
	g, err := game.Start(w, racetest.TaskOf(inst), opts)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func BenchmarkMenuAndObservation(b *testing.B) {
	w := gametest.Random(1, 400, 160, 120)
	inst := racetest.Instances(w, 1, 1, 2)[0]
	g, err := game.Start(w, racetest.TaskOf(inst), game.Defaults())
	for b.Loop() {
		if g.Done() {
			g, err = game.Start(w, racetest.TaskOf(inst), game.Defaults())
		}
		if err != nil {
			b.Fatal(err)
		}
		g.Play(game.Pick(0))
		g.Observe("x")
	}
}
