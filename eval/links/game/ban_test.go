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
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// setBan gives the rules of games with a ban, without the target's text, changed by NAME=VALUE.
func setBan(t *testing.T, pairs ...string) schemas.GameOptions {
	t.Helper()
	opts := game.BanDefaults()
	for _, p := range append([]string{"target_intro=0"}, pairs...) {
		name, value, _ := strings.Cut(p, "=")
		if err := game.SetOption(&opts, name, value); err != nil {
			t.Fatal(err)
		}
	}
	return opts
}

func startBan(t *testing.T, w *gametest.World, inst schemas.ConstrainedInstance, opts schemas.GameOptions) *game.Game {
	t.Helper()
	g, err := game.Start(w, bantest.TaskOf(inst), opts)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// follow moves along titles.
func follow(t *testing.T, g *game.Game, w *gametest.World, titles string) game.Turn {
	t.Helper()
	var turn game.Turn
	for title := range strings.FieldsSeq(titles) {
		u, _ := w.Node(title)
		i, ok := g.Offers(u)
		if !ok {
			t.Fatalf("no link to %s from %s", title, w.Title(g.Page()))
		}
		turn = g.Play(game.Pick(i))
	}
	return turn
}

func TestABannedPageCanBeLeftAndNeverIsOptimal(t *testing.T) {
	w := gametest.K7()
	g := startBan(t, w, bantest.Banned(w, "cw-0001", 0, 5, "Work"), setBan(t))
	follow(t, g, w, "A")
	turn := follow(t, g, w, "B")
	if !turn.Ban.Violates || turn.Optimal || turn.Before != 3 || turn.After != 1 || turn.Ban.Labels != w.Masks[2] {
		t.Errorf("the move onto B: %+v, %+v", turn, turn.Ban)
	}
	turn = follow(t, g, w, "T")
	if turn.Ban.Violates || !turn.Optimal || g.Outcome() != schemas.OutcomeSuccess || g.Violations() != 1 {
		t.Errorf("the move onto T: %+v, %s after %d violations", turn, g.Outcome(), g.Violations())
	}
}

func TestSourceAndTargetAreExemptWhereverTheyOccur(t *testing.T) {
	w := gametest.Parse("S->A A->S,T T->S")
	for u := range w.Len() {
		w.Masks = append(w.Masks, uint32(1)<<21*uint32(1-u%2)) // S and T are works, A is not
	}
	g := startBan(t, w, bantest.Banned(w, "cw-0001", 0, 2, "Work"), setBan(t, "revisit=allow"))
	follow(t, g, w, "A S A T")
	if g.Violations() != 0 || g.Outcome() != schemas.OutcomeSuccess {
		t.Errorf("%d violations, %s", g.Violations(), g.Outcome())
	}
}

func TestPagesWithoutALabelAreBannedWhereTheInstanceSaysSo(t *testing.T) {
	w := gametest.K7()
	w.Masks[3] = 0 // C loses its label
	inst := bantest.Banned(w, "cw-0001", 0, 5, "Work")
	inst.UnlabelledRule, inst.ConstrainedLength = schemas.UnlabelledForbid, int(schemas.Unreached)
	g := startBan(t, w, inst, setBan(t))
	follow(t, g, w, "A")
	if turn := follow(t, g, w, "C"); !turn.Ban.Violates {
		t.Error("a page without a label breaks no ban under forbid")
	}
}

func TestThePrimaryLabelCountsAloneWhereTheReleaseSaysSo(t *testing.T) {
	w := gametest.K7()
	w.Masks[2] |= 1 << 11 // B is an event, and a work only by its second label
	inst := bantest.Banned(w, "cw-0001", 0, 5, "Work")
	inst.ConstrainedLength = 3
	task := bantest.TaskOf(inst)
	task.Ban.Single = true
	g, err := game.Start(w, task, setBan(t))
	if err != nil {
		t.Fatal(err)
	}
	follow(t, g, w, "A")
	if turn := follow(t, g, w, "B"); turn.Ban.Violates {
		t.Error("a second label breaks the ban")
	}
}

func TestThePlanNamesNoBannedPageEvenWhereNothingElseIsLeft(t *testing.T) {
	w := gametest.K7()
	inst := bantest.Banned(w, "cx-0001", 0, 5, "Event") // A is all that S links to
	g := startBan(t, w, inst, setBan(t, "oracle=SPH"))
	if o := g.Observe("x"); o.Plan != nil || o.State == nil || o.State.Banned != "Event" {
		t.Errorf("plan %+v, state %+v", o.Plan, o.State)
	}
	follow(t, g, w, "A")
	if o := g.Observe("x"); !slices.Equal(o.State.Violations, []string{"A"}) || o.Plan == nil || o.Plan.Title != "B" {
		t.Errorf("violations %v, plan %+v", o.State.Violations, o.Plan)
	}
}

func TestNothingOfTheLabelsIsShown(t *testing.T) {
	w := gametest.K7()
	g := startBan(t, w, bantest.Banned(w, "cw-0001", 0, 5, "Work"), setBan(t, "oracle=SP", "history=chat"))
	follow(t, g, w, "A B")
	text := string(canon.MustMarshal(g.Observe("x")))
	for _, secret := range []string{"Place", "Event", "mask", "labels", "distance", "violates"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q stands in %s", secret, text)
		}
	}
	if !strings.Contains(text, `"recent":[{"chosen":"A","from":"S","justification":""},{"chosen":"B","from":"A","justification":""}]`) {
		t.Errorf("the last moves are not in %s", text)
	}
}

func TestWhoSaysThatThereIsNoPathEndsTheGame(t *testing.T) {
	w := gametest.K7()
	g := startBan(t, w, bantest.Banned(w, "cw-0001", 0, 5, "Work"), setBan(t))
	turn := g.Play(game.Move{NoPath: true})
	if g.Outcome() != schemas.OutcomeNoPath || turn.Valid() || turn.Counted || g.Turns() != 0 {
		t.Errorf("%s after %d turns: %+v", g.Outcome(), g.Turns(), turn)
	}
	plain, err := game.Start(w, racetest.TaskOf(racetest.Instance(w, "wr-easy-0001", 0, 5)), game.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if plain.Play(game.Move{NoPath: true}); plain.Outcome() != "" || plain.Invalid() != 1 {
		t.Errorf("without a ban: %q after %d invalid turns", plain.Outcome(), plain.Invalid())
	}
}

func TestRulesOfGamesWithABan(t *testing.T) {
	for pair, ok := range map[string]bool{
		"violation=continue": true, "violation=end": false, "back=on": false, "titles=anon": false, "context=lead": false, "format_retries=3": true,
		"format_retries=-1": false, "target_intro=-1": false, "max_links=1": true, "pruning=top": false, "history=chat": true, "renderer=chat": false,
		"revisit=hide": true, "ban_text=name": true, "no_path=maybe": false, "history=all": false, "oracle=H": false,
	} {
		opts := game.BanDefaults()
		name, value, _ := strings.Cut(pair, "=")
		err := game.SetOption(&opts, name, value)
		if err == nil {
			err = game.CheckOptions(opts)
		}
		if (err == nil) != ok || err != nil && !errors.Is(err, fault.Usage) {
			t.Errorf("%s: %v, want accepted %v", pair, err, ok)
		}
	}
	a, b := game.BanDefaults(), game.BanDefaults()
	shared := a
	if err := game.SetOption(&shared, "ban_text", "name"); err != nil || a.BanText != b.BanText {
		t.Errorf("an option of a copy changed the original: %v, %s", err, a.BanText)
	}
	if game.OptionsSHA256(shared) == game.OptionsSHA256(a) || game.OptionsSHA256(a) == game.OptionsSHA256(game.Defaults()) {
		t.Error("two rules have one hash")
	}
	w := gametest.K7()
	if _, err := game.Start(w, bantest.TaskOf(bantest.Banned(w, "cw-0001", 0, 5, "Work")), game.Defaults()); !errors.Is(err, fault.Usage) {
		t.Errorf("the rules of another family: %v", err)
	}
}
