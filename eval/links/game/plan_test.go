package game_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// planned are the configurations that hold P, with renderer and history.
var planned = [][3]string{{"P", "chat", "chat"}, {"SP", "chat", "chat"}, {"SPH", "fresh", "last2"}}

// obey goes along the plan that it is told, and looks at the next one only when all of it is done.
func obey(t *testing.T, g *game.Game, hops int) (regret int) {
	t.Helper()
	for !g.Done() {
		o := g.Observe("x")
		if o.Plan == nil {
			t.Fatalf("%s, step %d: no plan", o.Instance, o.Step)
		}
		if left := g.Distance(); len(o.Then) != min(hops, left)-1 {
			t.Fatalf("%s, step %d: %d links follow, want %d of %d", o.Instance, o.Step, len(o.Then), hops-1, left)
		}
		for _, title := range append([]string{o.Plan.Title}, o.Then...) {
			i := slices.Index(g.Observe("x").Titles(), title)
			if i < 0 {
				t.Fatalf("%s, step %d: the plan %q, %q names no link of the menu", o.Instance, g.Step(), o.Plan.Title, o.Then)
			}
			turn := g.Play(game.Pick(i))
			if !turn.Optimal || turn.Ban != nil && turn.Ban.Violates {
				t.Fatalf("%s: the plan led to %+v", o.Instance, turn)
			}
			regret += turn.Regret()
		}
	}
	return regret
}

var strengths = map[string]int{"1": 1, "2": 2, "3": 3, "path": 254}

func TestWhoeverFollowsAPlanOfAnyStrengthNeedsTheDistance(t *testing.T) {
	w := gametest.Random(7, 150, 90, 60)
	for _, inst := range racetest.Instances(w, 7, 12, 3) {
		for _, c := range planned {
			for plan, hops := range strengths {
				for _, rest := range []string{"pruning=top", "pruning=top1-random", "pruning=none", "revisit=hide", "revisit=fail"} {
					g := start(t, w, inst, set(t, "oracle="+c[0], "renderer="+c[1], "plan="+plan, rest))
					if regret := obey(t, g, hops); g.Outcome() != schemas.OutcomeSuccess || g.Turns() != inst.Distance || regret != 0 {
						t.Errorf("%s %v plan=%s %s: %s after %d turns, distance %d", inst.ID, c, plan, rest, g.Outcome(), g.Turns(), inst.Distance)
					}
				}
			}
		}
	}
}

func TestWhoeverFollowsAPlanUnderABanBreaksItNever(t *testing.T) {
	w := gametest.Random(7, 150, 40, 60).Label(7, "Place", "Event", "Work")
	feasible, _ := bantest.BannedInstances(w, 7, 15, 3, "Place", "Event", "Work")
	for _, inst := range feasible {
		for _, c := range planned {
			for plan, hops := range strengths {
				for _, rest := range []string{"pruning=none", "pruning=top"} {
					g := startBan(t, w, inst, setBan(t, "oracle="+c[0], "history="+c[2], "plan="+plan, "max_links=20", rest))
					obey(t, g, hops)
					if g.Outcome() != schemas.OutcomeSuccess || g.Turns() != inst.ConstrainedLength || g.Violations() != 0 {
						t.Errorf("%s %v plan=%s: %s after %d turns and %d violations, length %d", inst.ID, c, plan, g.Outcome(), g.Turns(), g.Violations(), inst.ConstrainedLength)
					}
				}
			}
		}
	}
}

// TestAPlanEndsWherePruningCutsTheWay plays menus drawn at random: what follows the next link is on a shortest path as far as it is told.
func TestAPlanEndsWherePruningCutsTheWay(t *testing.T) {
	w := gametest.Random(7, 150, 90, 60)
	short := 0
	for _, inst := range racetest.Instances(w, 7, 30, 4) {
		g := start(t, w, inst, set(t, "oracle=P", "renderer=chat", "plan=path", "pruning=random", "max_links=4"))
		o := g.Observe("x")
		pages := append([]string{o.Plan.Title}, o.Then...)
		last, _ := w.Node(pages[len(pages)-1])
		if last != inst.Target.Node {
			short++
		}
		for i, title := range pages {
			j := slices.Index(g.Observe("x").Titles(), title)
			if j < 0 {
				t.Fatalf("%s: %q is not offered", inst.ID, title)
			}
			if turn := g.Play(game.Pick(j)); i > 0 && turn.Regret() != 0 {
				t.Errorf("%s: link %d of the plan has regret %d", inst.ID, i+1, turn.Regret())
			}
		}
	}
	if short == 0 {
		t.Error("every plan reaches its target: the test shows nothing")
	}
}

// TestTheAntiOracleNeverEntersTheOptimalSet plays what is not optimal for as long as there is such a link.
func TestTheAntiOracleNeverEntersTheOptimalSet(t *testing.T) {
	w := gametest.Random(7, 150, 90, 60).Label(7, "Place", "Event")
	feasible, _ := bantest.BannedInstances(w, 7, 10, 3, "Place", "Event")
	var games []*game.Game
	for _, inst := range racetest.Instances(w, 7, 12, 3) {
		for _, c := range configurations {
			games = append(games, start(t, w, inst, set(t, "oracle="+c[0], "renderer="+c[1])))
		}
	}
	for _, inst := range feasible {
		games = append(games, startBan(t, w, inst, setBan(t, "revisit=allow")))
	}
	moves := 0
	for k, g := range games {
		s := rng.New(7, "anti", rng.Part(k))
		for !g.Done() {
			i, ok := worst(w, g, s)
			if !ok {
				g.Stop(schemas.OutcomeGaveUp)
				break
			}
			if turn := g.Play(game.Pick(i)); turn.Optimal {
				t.Fatalf("game %d: %+v is optimal", k, turn)
			}
			moves++
		}
		if g.Outcome() == schemas.OutcomeSuccess {
			t.Errorf("game %d succeeds without an optimal move", k)
		}
	}
	if moves < 500 {
		t.Errorf("only %d moves: the test shows too little", moves)
	}
}

// worst draws a link that an oracle of its own finds not to be optimal.
func worst(w *gametest.World, g *game.Game, s *rng.Stream) (int, bool) {
	o := g.Observe("x")
	target, _ := w.Node(o.Target.Title)
	column, _ := w.Column(target)
	if o.Banned != "" {
		bit, _ := schemas.LabelBit(o.Banned)
		source, _ := w.Node(w.Title(g.Path()[0]))
		closed := make([]bool, w.Len())
		for u := range closed {
			closed[u] = w.Mask(uint32(u))>>bit&1 == 1 && uint32(u) != source && uint32(u) != target
		}
		column, _ = w.Unbanned(target, closed)
		for u := range closed {
			if closed[u] {
				column[u] = schemas.Unreached
			}
		}
	}
	least := uint8(schemas.Unreached)
	for _, v := range g.Menu() {
		least = min(least, column[v])
	}
	var bad []int
	for i, v := range g.Menu() {
		if column[v] > least {
			bad = append(bad, i)
		}
	}
	if len(bad) == 0 {
		return 0, false
	}
	return bad[s.Below(len(bad))], true
}

func TestTheOptimalSetCostsAByteALinkAndTurn(t *testing.T) {
	w := gametest.Random(7, 150, 120, 60).Label(7, "Place", "Event")
	feasible, _ := bantest.BannedInstances(w, 7, 4, 3, "Place")
	var games []*game.Game
	for _, inst := range racetest.Instances(w, 7, 6, 3) {
		for _, c := range configurations {
			games = append(games, start(t, w, inst, set(t, "oracle="+c[0], "renderer="+c[1])))
		}
	}
	for _, inst := range feasible {
		games = append(games, startBan(t, w, inst, setBan(t, "revisit=allow", "pruning=top", "max_links=50", "oracle=SPH")))
	}
	full := 0
	for k, g := range games {
		s, reads := rng.New(7, "reads", rng.Part(k)), g.CountReads()
		for !g.Done() {
			g.Observe("x")
			g.Best()
			g.Play(game.Pick(s.Below(len(g.Menu()))))
			if *reads > 50 || !g.Done() && *reads != len(g.Menu()) {
				t.Fatalf("game %d, step %d: %d reads for a menu of %d", k, g.Step(), *reads, len(g.Menu()))
			}
			if *reads == 50 {
				full++
			}
			*reads = 0
		}
	}
	if full == 0 {
		t.Error("no menu is full: the test shows nothing")
	}
}

// TestRegretsUnderABanAddUpToSuboptimalSteps: banned pages are entered too, and can be left.
func TestRegretsUnderABanAddUpToSuboptimalSteps(t *testing.T) {
	w := gametest.Random(7, 60, 8, 12).Label(7, "Place", "Event")
	feasible, _ := bantest.BannedInstances(w, 7, 300, 2, "Place", "Event")
	won, broken := 0, 0
	for i, inst := range feasible {
		g, s, regret := startBan(t, w, inst, setBan(t, "revisit=allow")), rng.New(7, "regret", rng.Part(i)), 0
		for !g.Done() {
			regret += g.Play(game.Pick(s.Below(len(g.Menu())))).Regret()
		}
		if g.Outcome() != schemas.OutcomeSuccess {
			continue
		}
		won++
		broken += g.Violations()
		if regret != g.Turns()-inst.ConstrainedLength {
			t.Errorf("%s: regrets %d, turns %d, length %d", inst.ID, regret, g.Turns(), inst.ConstrainedLength)
		}
	}
	if won < 20 || broken == 0 {
		t.Errorf("%d games were won with %d violations: the test shows too little", won, broken)
	}
}

func TestOptionsOfOraclesAreRefusedWhereTheyMeanNothing(t *testing.T) {
	for options, ok := range map[string]bool{
		"oracle=P renderer=chat plan=2": true, "oracle=SPH plan=path": true, "oracle=SPH plan=254": true, "oracle=SPH plan=255": false, "oracle=SPH plan=0": false,
		"oracle=SPH plan=02": false, "oracle=SPH plan=all": false, "oracle=SH plan=2": false, "plan=path": false, "oracle=SPH plan=2 titles=anon": false,
		"oracle=D renderer=chat": true, "oracle=D": false, "oracle=B renderer=chat": true, "oracle=B renderer=chat revisit=fail": false,
		"oracle=B renderer=chat revisit=hide": false, "oracle=DB renderer=chat": false, "oracle=SH budget=2*d+5": true, "oracle=base renderer=chat budget=3/2*d+0": true,
		"budget=2*d+5": false, "oracle=SH budget=4/2*d+5": false, "oracle=SH budget=2/1*d+5": false, "oracle=SH budget=1/2*d+5": false,
		"oracle=SH budget=02*d+5": false, "oracle=SH budget=2*d": false, "oracle=SH budget=1.5*d+5": false, "oracle=SH budget=0*d+5": false,
	} {
		if err := game.CheckOptions(set(t, strings.Fields(options)...)); (err == nil) != ok || err != nil && !errors.Is(err, fault.Usage) {
			t.Errorf("%s: %v, want accepted %v", options, err, ok)
		}
	}
}

func TestOptionsThatChangeNothingChangeNoHash(t *testing.T) {
	base := set(t, "oracle=SPH")
	if got := set(t, "oracle=SPH", "plan=1", "budget=fixed"); game.OptionsSHA256(got) != game.OptionsSHA256(base) {
		t.Errorf("%+v has another hash than %+v", got, base)
	}
	if got := set(t, "oracle=SPH", "plan=3", "plan=1"); got != base {
		t.Errorf("what was set and taken back: %+v", got)
	}
	for _, other := range []string{"plan=2", "budget=2*d+5"} {
		if game.OptionsSHA256(set(t, "oracle=SPH", other)) == game.OptionsSHA256(base) {
			t.Errorf("%s: the hash does not depend on it", other)
		}
	}
}

func TestABudgetCountsByTheLengthOfTheInstance(t *testing.T) {
	w := gametest.G9()
	inst := racetest.Instance(w, "wr-easy-0001", 0, 8) // five links
	for budget, want := range map[string]int{"1*d+0": 5, "3/2*d+0": 8, "3/2*d+5": 13, "2*d+5": 15, "fixed": 30} {
		g := start(t, w, inst, set(t, "oracle=SPH", "budget="+budget))
		if o := g.Observe("x"); g.Limit() != want || o.StepsLeft != want || o.State.StepsLeft != want {
			t.Errorf("%s: limit %d, told %d and %d, want %d", budget, g.Limit(), o.StepsLeft, o.State.StepsLeft, want)
		}
	}
	g := start(t, w, inst, set(t, "oracle=SPH", "budget=1*d+0", "back=on"))
	visit(t, w, g, "B")
	if turn := g.Play(game.Back()); !turn.Live {
		t.Errorf("one link on, four turns left: %+v", turn)
	}
	if turn := g.Play(game.Pick(0)); turn.Live {
		t.Errorf("five links, three turns left: %+v", turn)
	}
	k7 := gametest.K7()
	hopeless := startBan(t, k7, bantest.Banned(k7, "cx-0001", 0, 5, "Event"), setBan(t, "oracle=SPH", "budget=2*d+5"))
	if hopeless.Limit() != 30 {
		t.Errorf("a pair without a path has %d turns, want max_steps", hopeless.Limit())
	}
}

func TestAGameThatCannotBeWonIsDeadHoweverLong(t *testing.T) {
	w := gametest.K7()
	g := startBan(t, w, bantest.Banned(w, "cx-0001", 0, 5, "Event"), setBan(t, "max_steps=300"))
	if turn := follow(t, g, w, "A"); turn.Live {
		t.Errorf("live at distance %d", turn.Before)
	}
}

func TestTheDistanceIsToldUnderItsOwnOracleAlone(t *testing.T) {
	w := gametest.G9()
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), set(t, "oracle=D", "renderer=chat"))
	for _, c := range []struct {
		to   string
		left int
	}{{"B", 5}, {"C", 4}, {"E", 4}, {"G", 3}} {
		if o := g.Observe("x"); o.Distance == nil || *o.Distance != c.left || o.Plan != nil || o.State != nil || o.ReturnTo != "" {
			t.Errorf("before %s: %+v", c.to, o)
		}
		visit(t, w, g, c.to)
	}
}

func TestThePageToReturnToIsToldAfterAMoveThatLostGround(t *testing.T) {
	w := gametest.G9()
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), set(t, "oracle=B", "renderer=chat", "back=on"))
	told := func(after, want string) {
		t.Helper()
		if o := g.Observe("x"); o.ReturnTo != want || o.Distance != nil || o.Plan != nil {
			t.Errorf("after %s: told %+v, want %q", after, o, want)
		}
	}
	told("the start", "")
	visit(t, w, g, "B")
	told("a good move", "")
	visit(t, w, g, "C")
	told("a move from 4 to 4", "B")
	g.Play(game.NoMove(game.ReasonUnparsed))
	told("an invalid reply", "B")
	g.Play(game.Back())
	told("going back", "")
	visit(t, w, g, "C")
	visit(t, w, g, "A")
	told("a move from 4 to 5", "C")
	visit(t, w, g, "C")
	told("returning along a link", "")
}

func TestNobodyIsSentBackOntoABannedPage(t *testing.T) {
	w := gametest.Parse("S->A,B A->T B->C,T C->A T->S")
	w.Masks = []uint32{0, 0, 1 << 21, 0, 0}
	for category, want := range map[string]string{"Work": "", "Place": "B"} {
		g := startBan(t, w, bantest.Banned(w, "cw-0001", 0, 4, category), setBan(t, "oracle=B", "history=chat", "revisit=allow"))
		follow(t, g, w, "B")
		follow(t, g, w, "C") // from 1 link to 2
		if got := g.Observe("x").ReturnTo; got != want {
			t.Errorf("banned %s: sent back to %q, want %q", category, got, want)
		}
	}
}

func TestWhoeverReturnsAsAdvisedIsNotSentBackAgain(t *testing.T) {
	w := gametest.Parse("S->A,B A->B,T B->A,T T->S")
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 3), set(t, "oracle=B", "renderer=chat"))
	for _, c := range [][2]string{{"A", ""}, {"B", "A"}, {"A", ""}, {"B", "A"}} {
		visit(t, w, g, c[0])
		if got := g.Observe("x").ReturnTo; got != c[1] {
			t.Errorf("on %s after %d moves: sent back to %q, want %q", c[0], g.Moves(), got, c[1])
		}
	}
}
