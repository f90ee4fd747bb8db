package game_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// configurations are the legal values of oracle with their renderer.
var configurations = [][2]string{
	{"none", "fresh"}, {"none", "chat"}, {"base", "chat"}, {"P", "chat"}, {"S", "chat"}, {"SP", "chat"}, {"SH", "fresh"}, {"SPH", "fresh"},
}

func set(t *testing.T, pairs ...string) schemas.GameOptions {
	t.Helper()
	opts := game.Defaults()
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		if err := game.SetOption(&opts, name, value); err != nil {
			t.Fatal(err)
		}
	}
	return opts
}

func TestOraclesAreLegalInSixCombinations(t *testing.T) {
	legal := 0
	for _, oracle := range []string{"none", "base", "P", "S", "H", "SP", "SH", "PH", "SPH", "PS"} {
		for _, renderer := range []string{"fresh", "chat"} {
			err := game.CheckOptions(set(t, "oracle="+oracle, "renderer="+renderer))
			want := slices.Contains(configurations, [2]string{oracle, renderer})
			if (err == nil) != want || err != nil && !errors.Is(err, fault.Usage) {
				t.Errorf("oracle=%s renderer=%s: %v, want legal %v", oracle, renderer, err, want)
			}
			if err == nil && oracle != "none" {
				legal++
			}
		}
	}
	if legal != 6 {
		t.Errorf("%d combinations are legal, want 6", legal)
	}
	if err := game.CheckOptions(set(t, "context=lead", "titles=anon")); !errors.Is(err, fault.Usage) {
		t.Errorf("leads of pages without a name: %v", err)
	}
}

func TestWhoFollowsThePlanNeedsTheDistance(t *testing.T) {
	w := gametest.Random(7, 150, 90, 60)
	for _, inst := range racetest.Instances(w, 7, 12, 3) {
		for _, c := range configurations {
			if !strings.Contains(c[0], "P") {
				continue
			}
			for _, pruning := range []string{"top", "top1-random", "none"} {
				g := start(t, w, inst, set(t, "oracle="+c[0], "renderer="+c[1], "pruning="+pruning))
				regret := 0
				for !g.Done() {
					o := g.Observe("x")
					best := g.Menu()[g.Best()]
					turn := g.Play(game.Pick(o.Plan.I))
					regret += turn.Regret()
					if o.Plan.Title != w.Title(*turn.To) || !turn.Optimal || best < *turn.To && turn.After == int(column(t, w, inst)[best]) {
						t.Fatalf("%s %s: plan %+v led to %+v", inst.ID, c[0], o.Plan, turn)
					}
				}
				if g.Outcome() != schemas.OutcomeSuccess || g.Turns() != inst.Distance || regret != 0 {
					t.Errorf("%s %v %s: %s after %d turns, regret %d; distance %d", inst.ID, c, pruning, g.Outcome(), g.Turns(), regret, inst.Distance)
				}
			}
		}
	}
}

func column(t *testing.T, w *gametest.World, inst schemas.WikiraceInstance) []uint8 {
	t.Helper()
	c, err := w.Column(inst.Target.Node)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRegretsAddUpToSuboptimalSteps plays at random until enough games are won; back is a move like any other.
func TestRegretsAddUpToSuboptimalSteps(t *testing.T) {
	w := gametest.Random(7, 60, 8, 12)
	won := 0
	for i, inst := range racetest.Instances(w, 7, 400, 2) {
		g, s, regret := start(t, w, inst, set(t, "back=on", "pruning=random", "max_links=4")), rng.New(7, "regret", rng.Part(i)), 0
		for !g.Done() {
			move := game.Pick(s.Below(len(g.Menu())))
			if s.Below(5) == 0 && len(g.Path()) > 1 && g.Observe("x").Back != "" {
				move = game.Back()
			}
			turn := g.Play(move)
			regret += turn.Regret()
			if turn.AvailRegret() > turn.Regret() && move.Choice != nil {
				t.Fatalf("%s: regret %d, less than the available %d", inst.ID, turn.Regret(), turn.AvailRegret())
			}
		}
		if g.Outcome() == schemas.OutcomeSuccess {
			won++
			if regret != g.Turns()-inst.Distance {
				t.Errorf("%s: regrets %d, turns %d, distance %d", inst.ID, regret, g.Turns(), inst.Distance)
			}
		}
	}
	if won < 20 {
		t.Errorf("only %d games were won: the test shows too little", won)
	}
}

func TestTheStateSumsUpTheGame(t *testing.T) {
	w := gametest.G9()
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), set(t, "oracle=S", "renderer=chat"))
	for _, title := range []string{"B", "C", "A"} {
		visit(t, w, g, title)
	}
	s := g.Observe("x").State
	want := []game.Visit{{Title: "A", Visits: 2}, {Title: "B", Visits: 1}, {Title: "C", Visits: 1}}
	if !slices.Equal(s.Visited, want) || !s.Loop || s.StepsUsed != 3 || s.StepsLeft != 27 || s.Current != "A" || s.Target != "T" {
		t.Errorf("got %+v", s)
	}
	// A offers B, C, D again; of what B and C offered, E and F are neither visited nor offered now. C was seen last.
	var seen []string
	for _, f := range s.Frontier {
		seen = append(seen, f.Title+" on "+f.On)
	}
	slices.Sort(seen)
	if !slices.Equal(seen, []string{"E on C", "F on C"}) {
		t.Errorf("frontier %q", seen)
	}
}

func TestTheFrontierIsCutAndMostRecentFirst(t *testing.T) {
	w := gametest.Random(7, 200, 150, 100)
	inst := racetest.Instances(w, 7, 1, 4)[0]
	g := start(t, w, inst, set(t, "oracle=SH"))
	order := map[string]int{w.Title(inst.Source.Node): 0}
	for range 4 {
		g.Play(game.Pick(len(g.Menu()) - 1))
		if g.Done() {
			t.Fatal("the game is over")
		}
		order[w.Title(g.Page())] = len(g.Path()) - 1
	}
	f := g.Observe("x").State.Frontier
	if len(f) == 0 || len(f) > 50 {
		t.Errorf("%d pages", len(f))
	}
	if !slices.IsSortedFunc(f, func(a, b game.Sight) int { return order[b.On] - order[a.On] }) {
		t.Errorf("seen on pages in the order %+v", f)
	}
}

func TestARewrittenTaskStartsAtTheCurrentPage(t *testing.T) {
	w := gametest.G9()
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), set(t, "oracle=SPH"))
	visit(t, w, g, "B")
	o := g.Observe("x")
	if !slices.Equal(o.Visited, []string{"B"}) || o.StepsLeft != 29 || o.State == nil || o.Plan == nil {
		t.Errorf("got %+v", o)
	}
}

// TestBackReturnsAlongTheStack plays the human game of the specification, A;B;<;C;E, and more.
func TestBackReturnsAlongTheStack(t *testing.T) {
	w := gametest.G9()
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), set(t, "back=on", "invalid=retry"))
	if turn := g.Play(game.Back()); turn.Valid() || *turn.Reason != game.ReasonNoWayBack {
		t.Errorf("back at the source: %+v", turn)
	}
	visit(t, w, g, "B")
	if o := g.Observe("x"); o.Back != "A" {
		t.Errorf("back leads to %q", o.Back)
	}
	if turn := g.Play(game.Back()); !turn.Valid() || *turn.To != 0 || turn.Optimal || turn.Regret() != 2 {
		t.Errorf("back: %+v", turn)
	}
	visit(t, w, g, "C")
	visit(t, w, g, "E")
	if !slices.Equal(g.Path(), []uint32{0, 1, 0, 2, 4}) || g.Turns() != 4 || g.MaxVisits() != 2 {
		t.Errorf("path %v, %d turns", g.Path(), g.Turns())
	}
	for range 2 {
		g.Play(game.Back())
	}
	if g.Page() != 0 || g.Observe("x").Back != "" {
		t.Errorf("after going all the way back: page %d", g.Page())
	}
}

func TestBackIsRefusedWhereItIsOff(t *testing.T) {
	w := gametest.G9()
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), game.Defaults())
	visit(t, w, g, "B")
	if turn := g.Play(game.Back()); turn.Valid() || *turn.Reason != game.ReasonBackOff || !turn.Counted || g.Observe("x").Back != "" {
		t.Errorf("got %+v", turn)
	}
}

func TestAnonymousPagesHideTitlesAndIDs(t *testing.T) {
	w := gametest.Random(7, 120, 90, 60)
	for _, order := range []string{"shuffled", "title"} {
		inst := racetest.Instances(w, 7, 1, 4)[0]
		g := start(t, w, inst, set(t, "titles=anon", "order="+order))
		names := map[uint32]string{}
		for i := 0; !g.Done() && i < 20; i++ {
			o := g.Observe("x")
			text := strings.ReplaceAll(string(canon.MustMarshal(o)), inst.Target.Title+`"`, "")
			if strings.Contains(text, "Page ") || o.Current.PageID != 0 || o.Target.PageID != inst.Target.PageID {
				t.Fatalf("step %d tells a title or an id: %s", g.Step(), text)
			}
			for k, v := range g.Menu() {
				if old, ok := names[v]; ok && old != o.Links[k].Title {
					t.Fatalf("%d is called %s and %s", v, old, o.Links[k].Title)
				}
				names[v] = o.Links[k].Title
			}
			g.Play(game.Pick(len(g.Menu()) - 1))
		}
		seen := map[string]bool{}
		for _, n := range names {
			if seen[n] {
				t.Errorf("two pages are called %s", n)
			}
			seen[n] = true
		}
	}
}

func TestLeadsAreShownWhereThereAreSome(t *testing.T) {
	w := gametest.G9()
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), set(t, "context=lead"))
	if o := g.Observe("x"); o.Context == nil || *o.Context != "A is a page." {
		t.Errorf("context %v", o.Context)
	}
	visit(t, w, g, "B")
	if o := g.Observe("x"); o.Context == nil || *o.Context != "" || g.LeadsMissing() != 1 {
		t.Errorf("a page without a lead: context %v, %d missing", o.Context, g.LeadsMissing())
	}
	bare := struct{ game.World }{w}
	if _, err := game.Start(bare, racetest.TaskOf(racetest.Instance(w, "wr-easy-0001", 0, 8)), set(t, "context=lead")); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "no leads") {
		t.Errorf("a world without leads: %v", err)
	}
}

// farther is a world with the same pages and links and other distances.
type farther struct{ *gametest.World }

func (f farther) Column(t uint32) ([]uint8, error) {
	old, err := f.World.Column(t)
	column := slices.Clone(old)
	for u := range column {
		column[u] = 200 - old[u] // even their order is another
	}
	return column, err
}

// TestDistancesReachNobodyWhoIsNotToldOfThem plays the same moves in two worlds that differ in distances alone. Menus without pruning do not
// depend on them, so nothing that is shown may differ; the plan may, and nothing else.
func TestDistancesReachNobodyWhoIsNotToldOfThem(t *testing.T) {
	w := gametest.Random(7, 80, 30, 25)
	differs := 0
	for i, inst := range racetest.Instances(w, 7, 6, 3) {
		for _, c := range configurations {
			for _, extra := range []string{"titles=anon", "context=lead", "back=on", "revisit=hide"} {
				opts := set(t, "pruning=none", "oracle="+c[0], "renderer="+c[1], extra)
				other := inst
				other.Distance = 200 - inst.Distance
				a, b := start(t, w, inst, opts), mustStart(t, farther{w}, other, opts)
				s := rng.New(7, "moves", fmt.Sprint(i))
				for k := 0; !a.Done() && k < 8; k++ {
					x, y := a.Observe("g"), b.Observe("g")
					if x.Plan != nil && y.Plan != nil && *x.Plan != *y.Plan {
						differs++
					}
					x.Plan, y.Plan = nil, nil
					if got, want := string(canon.MustMarshal(x)), string(canon.MustMarshal(y)); got != want {
						t.Fatalf("%s %v %s, step %d: the observation depends on distances\n%s\n%s", inst.ID, c, extra, a.Step(), got, want)
					}
					move := game.Pick(s.Below(len(a.Menu())))
					a.Play(move)
					b.Play(move)
				}
			}
		}
	}
	if differs == 0 {
		t.Error("plans never differ: the other world is not another")
	}
}

func mustStart(t *testing.T, w game.World, inst schemas.WikiraceInstance, opts schemas.GameOptions) *game.Game {
	t.Helper()
	g, err := game.Start(w, racetest.TaskOf(inst), opts)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
