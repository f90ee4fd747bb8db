package game_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// visit moves to the page called title, or makes an invalid move for "?" and an index outside the menu for "!".
func visit(t *testing.T, w *gametest.World, g *game.Game, title string) game.Turn {
	t.Helper()
	switch title {
	case "?":
		return g.Play(game.NoMove(game.ReasonUnparsed))
	case "!":
		return g.Play(game.Pick(len(g.Menu())))
	}
	u, _ := w.Node(title)
	i, ok := g.Offers(u)
	if !ok {
		t.Fatalf("%s is not offered on %s", title, w.Title(g.Page()))
	}
	return g.Play(game.Pick(i))
}

func TestOutcomes(t *testing.T) {
	w := gametest.Parse("A->A,B,C B->C C->A,B,T T->A")
	for _, c := range []struct {
		name    string
		change  func(*schemas.GameOptions)
		visits  string
		outcome string
		turns   int
		moves   int
		invalid int
	}{
		{"the target wins", nil, "B C T", "success", 3, 3, 0},
		{"invalid turns count", nil, "? B ! C T", "success", 5, 3, 2},
		{"the target wins on the last turn", limit(2), "C T", "success", 2, 2, 0},
		{"the limit", limit(2), "B C", "step_limit", 2, 2, 0},
		{"the limit by an invalid turn", limit(2), "B ?", "step_limit", 2, 1, 1},
		{"a self link is a move and a visit", limit(2), "A A", "step_limit", 2, 2, 0},
		{"three invalid in a row", nil, "? ! ?", "format", 3, 0, 3},
		{"a move ends the row", nil, "? ? B ? ? C T", "success", 7, 3, 4},
		{"three in a row at the limit", limit(3), "? ? ?", "format", 3, 0, 3},
		{"retry costs nothing", invalid("retry"), "? ? B ? C T", "success", 3, 3, 0},
		{"retry has the same limit", invalid("retry"), "B ? ? ?", "format", 1, 1, 0},
		{"end ends", invalid("end"), "B ?", "invalid_action", 2, 1, 1},
		{"fail on a revisit", revisit("fail"), "B C A", "revisit", 3, 3, 0},
		{"fail on a self link", revisit("fail"), "A", "revisit", 1, 1, 0},
		{"hide leaves nothing", revisit("hide"), "C B", "stuck", 2, 2, 0},
		{"still running", nil, "B C", "", 2, 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := game.Defaults()
			if c.change != nil {
				c.change(&opts)
			}
			g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 3), opts)
			for _, title := range strings.Fields(c.visits) {
				visit(t, w, g, title)
			}
			if g.Outcome() != c.outcome || g.Turns() != c.turns || g.Moves() != c.moves || g.Invalid() != c.invalid {
				t.Errorf("got %q %d turns %d moves %d invalid, want %q %d %d %d", g.Outcome(), g.Turns(), g.Moves(), g.Invalid(),
					c.outcome, c.turns, c.moves, c.invalid)
			}
			if g.Done() && len(g.Menu()) > 0 {
				t.Errorf("a finished game still offers %v", g.Menu())
			}
		})
	}
}

func limit(n int) func(*schemas.GameOptions) { return func(o *schemas.GameOptions) { o.MaxSteps = n } }

func invalid(v string) func(*schemas.GameOptions) {
	return func(o *schemas.GameOptions) { o.Invalid = v }
}

func revisit(v string) func(*schemas.GameOptions) {
	return func(o *schemas.GameOptions) { o.Revisit = v }
}

func TestTurnsTellDistancesAndOptimality(t *testing.T) {
	w := gametest.G9()
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), game.Defaults())
	for _, want := range []struct {
		title         string
		optimal, live bool
		before, after int
	}{
		{"B", true, true, 5, 4},
		{"C", false, true, 4, 4},
		{"?", false, true, 4, 4},
		{"A", false, true, 4, 5},
		{"D", true, true, 5, 4},
		{"F", true, true, 4, 3},
		{"G", true, true, 3, 2},
		{"H", true, true, 2, 1},
		{"T", true, true, 1, 0},
	} {
		turn := visit(t, w, g, want.title)
		if turn.Optimal != want.optimal || turn.Live != want.live || turn.Before != want.before || turn.After != want.after {
			t.Errorf("to %s: got %+v, want %+v", want.title, turn, want)
		}
	}
	if g.Outcome() != schemas.OutcomeSuccess || g.MaxVisits() != 2 {
		t.Errorf("outcome %q, %d visits at most", g.Outcome(), g.MaxVisits())
	}
}

func TestAStateIsDeadOnceTheTargetIsOutOfReach(t *testing.T) {
	w := gametest.G9()
	opts := game.Defaults()
	opts.MaxSteps = 5
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), opts)
	if live := []bool{visit(t, w, g, "B").Live, visit(t, w, g, "C").Live, visit(t, w, g, "E").Live}; !slices.Equal(live, []bool{true, true, false}) {
		t.Errorf("live before the moves: %v", live)
	}
}

func TestNewRefusesWhatTheWorldContradicts(t *testing.T) {
	w := gametest.G9()
	farther, outside := racetest.Instance(w, "x", 0, 8), racetest.Instance(w, "x", 0, 8)
	farther.Distance, outside.Target.Node = 6, 9
	for name, c := range map[string]struct {
		inst schemas.WikiraceInstance
		kind *fault.Kind
	}{
		"source is target": {racetest.Instance(w, "x", 3, 3), fault.Malformed},
		"other distance":   {farther, fault.Mismatch},
		"outside":          {outside, fault.Mismatch},
	} {
		if _, err := game.Start(w, racetest.TaskOf(c.inst), game.Defaults()); !errors.Is(err, c.kind) {
			t.Errorf("%s: got %v, want kind %v", name, err, c.kind)
		}
	}
}

func TestOptionsThatAreNotPlayedAreRefused(t *testing.T) {
	if err := game.CheckOptions(game.Defaults()); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*schemas.GameOptions){
		"max_steps":   limit(0),
		"max_links":   func(o *schemas.GameOptions) { o.MaxLinks = 1 },
		"max_invalid": func(o *schemas.GameOptions) { o.MaxInvalid = 0 },
		"pruning":     func(o *schemas.GameOptions) { o.Pruning = "" },
		"order":       func(o *schemas.GameOptions) { o.Order = "page" },
		"renderer":    func(o *schemas.GameOptions) { o.Renderer = "Chat" },
		"context":     func(o *schemas.GameOptions) { o.Context = "text" },
		"revisit":     revisit("Hide"),
		"back":        func(o *schemas.GameOptions) { o.Back = "yes" },
		"invalid":     invalid("ignore"),
		"titles":      func(o *schemas.GameOptions) { o.Titles = "hidden" },
		"oracle":      func(o *schemas.GameOptions) { o.Oracle = "PS" },
	} {
		opts := game.Defaults()
		change(&opts)
		if err := game.CheckOptions(opts); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want a usage fault that names it", name, err)
		}
		if game.OptionsSHA256(opts) == game.OptionsSHA256(game.Defaults()) {
			t.Errorf("%s: the hash does not depend on it", name)
		}
	}
}

// TestOptionsHashIsPinned fails when an option is added, renamed or gets another default: scores then need another name.
func TestOptionsHashIsPinned(t *testing.T) {
	const want = "c46c1cf8f6ab120106ea8d1ea099da29d7fa7e2ac2e79b12f0514e7778d01563"
	if got := game.OptionsSHA256(game.Defaults()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestObservationsLeakNoDistance walks all keys and values of the observations of a game in a world whose distances could be told.
func TestObservationsLeakNoDistance(t *testing.T) {
	w := gametest.G9()
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), game.Defaults())
	allowed := []string{
		"schema", "game", "instance", "step", "steps_left", "current", "target", "visited", "links", "notice", "done", "outcome",
		"page_id", "title", "i",
	}
	for _, title := range strings.Fields("B ? C A D F G H T end") {
		var tree any
		if err := json.Unmarshal(canon.MustMarshal(g.Observe("a1")), &tree); err != nil {
			t.Fatal(err)
		}
		walk(tree, func(key string, value any) {
			if !slices.Contains(allowed, key) {
				t.Errorf("step %d: key %q is not of the observation", g.Step(), key)
			}
			n, isNumber := value.(float64)
			if isNumber && key == "page_id" && n < 100 || isNumber && !slices.Contains([]string{"page_id", "i", "step", "steps_left"}, key) {
				t.Errorf("step %d: %s = %v is a number that is not a page, a place or a count of steps", g.Step(), key, n)
			}
		})
		if title != "end" {
			visit(t, w, g, title)
		}
	}
}

func walk(tree any, visit func(key string, value any)) {
	switch node := tree.(type) {
	case map[string]any:
		for k, v := range node {
			visit(k, v)
			walk(v, visit)
		}
	case []any:
		for _, v := range node {
			walk(v, visit)
		}
	}
}

func TestObservationShowsTheGame(t *testing.T) {
	w := gametest.G9()
	g := start(t, w, racetest.Instance(w, "wr-easy-0001", 0, 8), game.Defaults())
	visit(t, w, g, "B")
	visit(t, w, g, "?")
	o := g.Observe("a1")
	if o.Step != 3 || o.StepsLeft != 28 || o.Current != (game.Page{PageID: 101, Title: "B"}) || o.Target.Title != "T" || o.Notice == "" || o.Done {
		t.Errorf("got %+v", o)
	}
	for i, l := range o.Links {
		if l.I != i || l.Title != w.Title(g.Menu()[i]) {
			t.Errorf("link %d is %+v, the menu has %s", i, l, w.Title(g.Menu()[i]))
		}
	}
	if !slices.Equal(o.Visited, []string{"A", "B"}) {
		t.Errorf("visited %q", o.Visited)
	}
}

func TestOptionsAreSetByName(t *testing.T) {
	opts := game.Defaults()
	for name, value := range map[string]string{"pruning": "random", "max_steps": "7"} {
		if err := game.SetOption(&opts, name, value); err != nil {
			t.Error(err)
		}
	}
	want := game.Defaults()
	want.Pruning, want.MaxSteps = "random", 7
	if opts != want {
		t.Errorf("got %+v, want %+v", opts, want)
	}
	for name, value := range map[string]string{"speed": "1", "max_steps": "many", "max_links": "9007199254740993", "Pruning": "top"} {
		if err := game.SetOption(&opts, name, value); !errors.Is(err, fault.Usage) || opts != want {
			t.Errorf("%s=%s: got %v, %+v; want a usage fault and no change", name, value, err, opts)
		}
	}
}
