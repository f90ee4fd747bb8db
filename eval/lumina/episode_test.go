package lumina

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

func decoded(t testing.TB, record any) *worlds.Instance {
	t.Helper()
	inst, err := worlds.Decode(canon.MustMarshal(record))
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

// playAll gives the replies in turn, and in words what became of each turn and of the episode.
func playAll(t *testing.T, e *Episode, replies ...string) string {
	t.Helper()
	var log []string
	for _, r := range replies {
		s := e.Play(r)
		word := s.Status
		if s.Optimal {
			word += "*"
		}
		log = append(log, word)
	}
	return strings.Join(append(log, e.Outcome()), " ")
}

func TestTheWorkedExampleOfTheMetrics(t *testing.T) {
	book, inst := newBook(t), listOf(t, []int{4, 9, 7}, []int{4, 7})
	if inst.TStar != 2 || inst.TMax != 7 {
		t.Errorf("t_star %d, t_max %d; want 2, 7", inst.TStar, inst.TMax)
	}
	for _, c := range []struct {
		replies []string
		want    string
	}{
		{[]string{"prose without a block", block("pop(0)")}, "format_error legal irrecoverable"},
		{[]string{block("pop(5)"), block("pop(1)"), block("done()")}, "illegal legal* legal* success"},
		{[]string{block("done()")}, "legal wrong_terminal"},
		{[]string{"a", "b", "c"}, "format_error format_error format_error format"},
		{[]string{"a", "b", block("pop(9)"), "c", "d"}, "format_error format_error illegal format_error format_error "},
		{[]string{"a", "b", block("pop(9)"), "c", "d", block("pop(9)"), block("pop(1)")}, "format_error format_error illegal format_error format_error illegal legal* turns"},
		{[]string{"a", "b", block("pop(9)"), "c", "d", block("pop(1)"), block("done()")}, "format_error format_error illegal format_error format_error legal* legal* success"},
		{[]string{block("pop(9)"), block("pop(9)"), block("pop(9)"), block("pop(9)"), "a", "b", "c"}, "illegal illegal illegal illegal format_error format_error format_error format"},
	} {
		if got := playAll(t, newEpisode(t, inst, family.Config{}, book), c.replies...); got != c.want {
			t.Errorf("%q: got %s, want %s", c.replies, got, c.want)
		}
	}
}

func TestObservationsHaveTheirFixedWording(t *testing.T) {
	book := newBook(t)
	list := listOf(t, []int{4, 9, 7, 9}, []int{4, 7})
	tree := drawn(t, 42, "tree", "test", "n007", 0)
	grid := drawn(t, 42, "grid", "test", "n04", 0)
	long := strings.Repeat("x", 70)
	for _, c := range []struct {
		inst  *worlds.Instance
		calls []string
		want  string // of the last
	}{
		{list, []string{"pop(1)"}, "Popped index 1."},
		{list, []string{"pop(7)"}, "Error: there is no element with index 7. The list is unchanged."},
		{list, []string{"pop(1)", "pop(0)"}, "Error: index 0 lies before the last popped position and can no longer be popped. The list is unchanged."},
		{list, []string{"pop(0)"}, "The list can no longer become the target. The task has ended."},
		{list, []string{"done()"}, "Task ended: failure."},
		{list, []string{"nothing"}, "Error: no valid action found. End your reply with one fenced code block that holds exactly one call: pop(i), done()."},
		{list, []string{"pop(1)", "pop(2)", "done()"}, "Task ended: success."},
		{tree, []string{`get_children("hwd836")`}, `[{"id":"fr4kg9","val":41},{"id":"tgr3we","val":50}]`},
		{tree, []string{`get_children("t5v0y6")`}, `[]`},
		{tree, []string{`get_children("ymajfx")`}, `Error: the id "ymajfx" is not known to you. Nothing was revealed.`}, // it exists
		{tree, []string{`get_children("a\"\\` + "\u202e" + `")`}, `Error: the id "a\"\\\\u{202E}" is not known to you. Nothing was revealed.`},
		{tree, []string{`get_children("` + long + `")`}, `Error: the id "` + long[:64] + `" is not known to you. Nothing was revealed.`},
		{tree, []string{`found("hwd836")`}, "Task ended: failure."},
		{tree, []string{`x`}, "Error: no valid action found. End your reply with one fenced code block that holds exactly one call: get_children(x), found(x), unreachable()."},
		{grid, []string{"down()"}, "Position: (1, 3). Remaining moves: 11."},
		{grid, []string{"up()"}, "Error: that move leaves the board. Position: (0, 3). Remaining moves: 11."},
		{grid, []string{"left()", "left()", "left()"}, "You entered a hole. Position: (0, 0). Remaining moves: 6."},
		{grid, []string{"left()", "left()", "left()", "right()", "left()", "right()"}, "No moves are left. The task has ended."},
		{grid, []string{"x"}, "Error: no valid action found. End your reply with one fenced code block that holds exactly one call: up(), down(), left(), right(), done()."},
	} {
		e, got := newEpisode(t, c.inst, family.Config{}, book), ""
		for _, call := range c.calls {
			got = e.Play(block(call)).Obs
		}
		if got != c.want {
			t.Errorf("%s %v: got %s, want %s", c.inst.Env, c.calls, got, c.want)
		}
	}
}

func TestADeadStateIsMarkedAndStillHasAPlan(t *testing.T) {
	e := newEpisode(t, drawn(t, 42, "grid", "test", "n04", 0), family.Config{Plan: true}, newBook(t))
	for _, call := range []string{"left()", "left()", "left()", "right()"} { // into the hole (0,0): 5 moves left, 3 needed
		e.Play(block(call))
	}
	e.Play(block("left()")) // again: 1 left, 4 needed
	step := e.Play(block("down()"))
	if !step.Dead || fmt.Sprint(step.AStar) != "[down() right()]" || !step.Optimal || e.Outcome() != schemas.OutcomeBudget {
		t.Errorf("got dead %t, optimal %v %t, outcome %q", step.Dead, step.AStar, step.Optimal, e.Outcome())
	}
}

func TestThePromptDigestIsThatOfTheCanonicalMessages(t *testing.T) {
	book := newBook(t)
	for _, cfg := range family.Configs {
		e := newEpisode(t, drawn(t, 42, "list", "test", "k04", 0), cfg, book)
		for !e.Done() {
			sum := sha256.Sum256(canon.MustMarshal(e.Messages()))
			call := e.best[0].String()
			if got, want := e.Play("\"quoted\" \u2028 line\n"+block(call)).PromptSHA256, hex.EncodeToString(sum[:]); got != want {
				t.Errorf("%s, turn %d: got %s, want %s", cfg, e.turn, got, want)
			}
		}
	}
}

func TestThePartsOfAPromptStandInTheirOrder(t *testing.T) {
	book, inst := newBook(t), drawn(t, 42, "list", "test", "k02", 0)
	for _, cfg := range family.Configs {
		e := newEpisode(t, inst, cfg, book)
		e.Play(block("pop(9)")) // an error that must be told
		e.Play(block("pop(0)"))
		e.Play(block("pop(9)"))
		messages := e.Messages()
		if want := map[bool]int{true: 2, false: 8}[cfg.History]; len(messages) != want {
			t.Errorf("%s: %d messages, want %d", cfg, len(messages), want)
		}
		last := messages[len(messages)-1].Content
		var order []string
		for _, part := range []string{prompt.ExamplesLine, prompt.TaskLine, "Error: there is no element", calls.PlanHeader, calls.StateHeader} {
			if i := strings.LastIndex(last, part); i >= 0 {
				order = append(order, fmt.Sprintf("%06d", i))
			}
		}
		if fmt.Sprint(order) != fmt.Sprint(sorted(order)) {
			t.Errorf("%s: parts at %v", cfg, order)
		}
		hasPlan, hasState := strings.Contains(last, "next: pop index 0"), strings.Contains(last, "Current list: 0: 479, 1: 693")
		if hasPlan != cfg.Plan || hasState != cfg.State {
			t.Errorf("%s: plan %t, state %t in %s", cfg, hasPlan, hasState, last)
		}
		if restated := strings.Contains(last, "Initial list: [479, 693, 415, 341, 68]"); restated != cfg.History {
			t.Errorf("%s: the task is stated anew: %t", cfg, restated)
		}
	}
}

func sorted(list []string) []string {
	out := append([]string{}, list...)
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func TestExamplesShowTheBlocksOfTheirConfiguration(t *testing.T) {
	book := newBook(t)
	for _, env := range schemas.LuminaEnvs {
		digests := map[string]bool{}
		for _, cfg := range family.Configs {
			first := book.pages[env+"/"+cfg.String()].head[1].Content
			plan, state := strings.Contains(first, calls.PlanHeader), strings.Contains(first, calls.StateHeader)
			if plan != cfg.Plan || state != cfg.State || strings.Count(first, "--- Example") != 2 {
				t.Errorf("%s, %s: plan %t, state %t in\n%s", env, cfg, plan, state, first)
			}
			digests[book.pages[env+"/"+cfg.String()].examples] = true
		}
		if len(digests) != len(family.Configs) {
			t.Errorf("%s: %d different examples, want %d", env, len(digests), len(family.Configs))
		}
	}
}

func TestHistoryWithoutStateIsRefused(t *testing.T) {
	for _, name := range []string{"H", "PH", "X", "", "BASE"} {
		if _, err := family.ParseConfig(name); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
	for _, cfg := range family.Configs {
		if got, err := family.ParseConfig(cfg.String()); got != cfg || err != nil {
			t.Errorf("%s: got %v, %v", cfg, got, err)
		}
	}
}
