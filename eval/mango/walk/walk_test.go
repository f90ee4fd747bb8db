package walk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	files "github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/mango/maze"
	"github.com/wikinav/wikinav/schemas"
)

type edges []schemas.MangoEdge

func edge(src, label, dst string) schemas.MangoEdge {
	return schemas.MangoEdge{SrcNode: src, Action: label, DstNode: dst, MangoSteps: files.Steps(1, 9999)}
}

func (list edges) open(t testing.TB) *maze.Maze {
	t.Helper()
	m, err := maze.Open("x", func(string) ([]byte, error) { return files.AppendEdges(nil, list), nil })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// random draws a maze of places a, b, ... with ways back to where they start and ways beside each
// other; a label is used once at a place.
func random(r *rand.Rand) (list edges) {
	n := 2 + r.IntN(6)
	for u := range n {
		for label := range r.IntN(5) {
			list = append(list, edge(string(rune('a'+u)), fmt.Sprintf("way %d", label), string(rune('a'+r.IntN(n)))))
		}
	}
	return list
}

// slow returns the shortest ways to dst by relaxing every edge until nothing changes.
func (list edges) slow(dst string) map[string]int {
	away := map[string]int{dst: 0}
	for changed := true; changed; {
		changed = false
		for _, e := range list {
			d, reaches := away[e.DstNode]
			if old, known := away[e.SrcNode]; reaches && (!known || d+1 < old) {
				away[e.SrcNode], changed = d+1, true
			}
		}
	}
	return away
}

func TestTheOracleNamesExactlyTheFirstMovesOfShortestWays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	states, several := 0, 0
	for range 400 {
		list := random(r)
		m := list.open(t)
		for _, dst := range []string{"a", "b", "c"} {
			away := list.slow(dst)
			for at := range away {
				q, ok := Question{Maze: m, Task: schemas.MangoRF, Src: at, Dst: dst}.Prepare()
				if !ok || q.Length() != away[at]+1 {
					t.Fatalf("%v: %s to %s is %v, %d", list, at, dst, ok, away[at])
				}
				var want []string
				for _, e := range list {
					if d, reaches := away[e.DstNode]; e.SrcNode == at && reaches && d == away[at]-1 {
						want = append(want, `move("`+e.Action+`")`)
					}
				}
				if at == dst {
					want = []string{"done()"}
				}
				slices.Sort(want)
				if got := textsOf(q.optimal(state{at: at})); !slices.Equal(got, want) {
					t.Errorf("%v, %s to %s: got %v, want %v", list, at, dst, got, want)
				}
				states++
				several += min(len(want)-1, 1)
			}
		}
	}
	t.Logf("%d states, %d with several optimal calls", states, several)
	if states < 1000 || several < 100 {
		t.Errorf("%d states, %d with several optimal calls", states, several)
	}
}

// line is a maze of three places, with two ways from the first, one from where nothing leads on.
var line = edges{
	edge("a", "north", "b"), edge("a", "walk", "b"), edge("a", "round", "a"), edge("a", "down", "pit"), edge("b", "north", "c"),
	edge("b", "back", "a"),
}

func (list edges) walk(t testing.TB, q Question, rules Rules, replies ...string) *Episode {
	t.Helper()
	q.Maze = list.open(t)
	ready, ok := q.Prepare()
	if !ok {
		t.Fatal("no walk")
	}
	e := New(ready, rules, nil)
	for _, reply := range replies {
		if !strings.HasPrefix(reply, "<") {
			reply = calls.Fence(reply)
		}
		if _, err := e.Act(family.Reply{Text: &reply}); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func TestATurnIsLegalIllegalOrUnreadableAndAWalkEndsInOneWay(t *testing.T) {
	rf := Question{Task: schemas.MangoRF, Src: "a", Dst: "c"}
	df := Question{Task: schemas.MangoDF, Src: "a", Dst: "c", Moves: []string{"North", "north"}}
	fly := `move("fly")`
	for name, c := range map[string]struct {
		q       Question
		replies []string
		outcome string
		optimal int
		at      string
	}{
		"found":              {rf, []string{`move("walk")`, `move("NORTH ")`, "done()"}, schemas.OutcomeSuccess, 3, "c"},
		"round about":        {rf, []string{`move("round")`, `move("north")`, `move("back")`}, "", 1, "a"},
		"too early":          {rf, []string{`move("north")`, "done()"}, schemas.OutcomeWrongTerminal, 1, "b"},
		"no such way":        {rf, []string{fly}, "", 0, "a"},
		"out of turns":       {rf, slices.Repeat([]string{fly}, 8), schemas.OutcomeTurns, 0, "a"},
		"no way back":        {rf, []string{`move("down")`}, schemas.OutcomeIrrecoverable, 0, "pit"},
		"prose":              {rf, []string{"<north>", "<north>"}, schemas.OutcomeFormat, 0, "a"},
		"prose, then a move": {rf, []string{"<north>", fly, "<north>"}, "", 0, "a"},
		"another task's":     {rf, []string{`answer("c")`, "move(3)"}, schemas.OutcomeFormat, 0, "a"},
		"list":               {df, []string{`move("north")`, `move("north")`, `answer("C")`}, schemas.OutcomeSuccess, 3, "c"},
		"another way there":  {df, []string{`move("walk")`}, schemas.OutcomeIrrecoverable, 0, "b"},
		"a wrong name":       {df, []string{`move("north")`, `move("north")`, `answer("b")`}, schemas.OutcomeWrongTerminal, 2, "c"},
		"named too early":    {df, []string{`answer("c")`}, schemas.OutcomeWrongTerminal, 0, "a"},
	} {
		e := line.walk(t, c.q, Rules{MaxFormatErrors: 2}, c.replies...)
		p, _ := e.Played()
		if e.Outcome() != c.outcome || p.Optimal != c.optimal || e.state.at != c.at || p.Counted != len(c.replies) {
			t.Errorf("%s: %q at %s, %d of %d optimal", name, e.Outcome(), e.state.at, p.Optimal, p.Counted)
		}
	}
}

func TestAQuestionThatCannotBeWalkedIsLeftOut(t *testing.T) {
	m := append(slices.Clone(line), edge("b", "north", "bay")).open(t) // b, north leads to bay first
	for _, q := range []Question{
		{Maze: m, Task: schemas.MangoRF, Src: "pit", Dst: "a"},
		{Maze: m, Task: schemas.MangoRF, Src: "a", Dst: "c"},
		{Maze: m, Task: schemas.MangoDF, Src: "a", Dst: "c", Moves: []string{"north", "north"}},
		{Maze: m, Task: schemas.MangoDF, Src: "pit", Dst: "a", Moves: []string{"up"}},
	} {
		if _, ok := q.Prepare(); ok {
			t.Errorf("%s from %s to %s can be walked", q.Task, q.Src, q.Dst)
		}
	}
}

// Blocks follow from the state alone: they are the same in every configuration that shows them.
func TestOraclesSayTheSameInEveryConfiguration(t *testing.T) {
	rf := Question{Task: schemas.MangoRF, Src: "a", Dst: "c"}
	said := func(cfg family.Config, header string) []string {
		var blocks []string
		for n := range 3 {
			e := line.walk(t, rf, Rules{Config: cfg, MaxFormatErrors: 3}, []string{`move("round")`, `move("north")`}[:n]...)
			_, block, _ := strings.Cut(e.shown, header)
			block, _, _ = strings.Cut(block, "\n\n")
			blocks = append(blocks, block)
		}
		return blocks
	}
	full := family.Config{Plan: true, State: true, History: true}
	for _, cfg := range family.Configs {
		if got := said(cfg, calls.PlanHeader); cfg.Plan && !slices.Equal(got, said(full, calls.PlanHeader)) {
			t.Errorf("%s plans %q", cfg, got)
		}
		if got := said(cfg, calls.StateHeader); cfg.State && !slices.Equal(got, said(full, calls.StateHeader)) {
			t.Errorf("%s states %q", cfg, got)
		}
	}
}
