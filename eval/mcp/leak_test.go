package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/linkstest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

// What replies may hold: keys, and of these the ones that may be numbers.
var (
	scanKeys = []string{
		"observation", "valid", "reason", "done", "outcome", "total", "items", "id", "source", "target",
		"schema", "game", "instance", "step", "steps_left", "current", "visited", "links", "notice", "task", "page_id", "title", "i", "back", "split", "max_steps", "max_links",
	}
	scanNumbers = []string{"total", "step", "steps_left", "page_id", "i", "max_steps", "max_links"}
)

// TestNoReplyTellsWhatTheOracleKnows plays games in a world whose distances could be told, and walks all keys and values of every reply.
func TestNoReplyTellsWhatTheOracleKnows(t *testing.T) {
	w := gametest.Random(7, 200, 90, 60)
	c := connect(t, host(w, nil))
	scan := func(name, arguments string) outcome {
		var tree any
		text, _ := c.try(name, arguments)
		if json.Unmarshal([]byte(text), &tree) == nil {
			walk(tree, func(key string, value any) {
				_, number := value.(float64)
				if !slices.Contains(scanKeys, key) || number && !slices.Contains(scanNumbers, key) {
					t.Errorf("%s %s tells %s = %v", name, arguments, key, value)
				}
			})
		}
		for _, word := range []string{"distance", "witness", "feature", "d_before", "rw_menu"} {
			if strings.Contains(text, word) {
				t.Errorf("%s %s speaks of %s: %s", name, arguments, word, text)
			}
		}
		var o outcome
		_ = json.Unmarshal([]byte(text), &o)
		return o
	}
	scan("list_instances", `{"split":"easy"}`)
	for _, options := range []string{`{}`, `{"back":"on","revisit":"hide"}`, `{"titles":"anon","pruning":"random"}`, `{"oracle":"SP","renderer":"chat"}`} {
		o := scan("start_game", `{"instance":"wr-easy-0001","restart":true,"options":`+options+`}`).Observation
		for i := 0; !o.Done && o.Step > 0; i++ {
			scan("click_link", fmt.Sprintf(`{"step":%d,"choice":99}`, o.Step+7))
			scan("click_link", fmt.Sprintf(`{"step":%d,"title":"?"}`, o.Step))
			scan("observe", `{}`)
			o = scan("click_link", fmt.Sprintf(`{"step":%d,"choice":%d}`, o.Step+1, i%len(o.Links))).Observation
		}
	}
	for _, name := range []string{"oracle_distance", "oracle_plan", "oracle_state"} {
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name})
		if err == nil {
			t.Errorf("%s answers %v", name, r.Content)
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

func TestWhoFollowsTheExposedPlanNeedsTheDistance(t *testing.T) {
	c := connect(t, host(gametest.G9(), func(_ *schemas.GameOptions, h *session.Host) { h.Exposed = true }))
	o := c.see("start_game", `{"instance":"wr-easy-0001"}`).Observation
	for left := 5; !o.Done; left-- {
		var d toldDistance
		var p toldPlan
		var s toldState
		for name, into := range map[string]any{"oracle_distance": &d, "oracle_plan": &p, "oracle_state": &s} {
			if err := json.Unmarshal([]byte(c.call(name, `{}`)), into); err != nil {
				t.Fatal(err)
			}
		}
		if d.Distance != left || s.State.StepsUsed != 5-left || len(s.State.Visited) != 6-left {
			t.Errorf("%d links away: distance %d, state %+v", left, d.Distance, s.State)
		}
		o = c.see("click_link", fmt.Sprintf(`{"step":%d,"choice":%d}`, o.Step, p.Plan.I)).Observation
	}
	if o.Step != 6 {
		t.Errorf("the game took %d turns", o.Step-1)
	}
	if text, failed := c.try("oracle_plan", `{}`); !failed || !strings.HasPrefix(text, family.CodeGameOver) {
		t.Errorf("a plan after the end: %s", text)
	}
}

// TestTitlesAreShownEscaped lets a stranger name a page so that a model reads the line backwards.
func TestTitlesAreShownEscaped(t *testing.T) {
	w := gametest.G9()
	w.Titles[1], w.Titles[8] = "B\u202e\n\"", "T{turns}\u2066"
	c := connect(t, host(w, nil))
	text := c.call("start_game", `{"instance":"wr-easy-0001"}`)
	if strings.ContainsAny(text, "\u202e\n\u2066") || !strings.Contains(text, `B\u202e\n\"`) || !strings.Contains(text, `T{turns}\\u{2066}`) {
		t.Errorf("shown as %s", text)
	}
	arguments, _ := json.Marshal(map[string]any{"step": 1, "title": w.Titles[1]})
	if o := c.see("click_link", string(arguments)); !o.Valid || o.Observation.Current.Title != w.Titles[1] {
		t.Errorf("the title given back: %+v", o)
	}
}

func TestTheTaskTellsTheRules(t *testing.T) {
	for options, want := range map[string][]string{
		`{}`:                                           {"at most 50 links", "There are 30 turns", "may be visited again", "costs a turn; the game is lost after 3"},
		`{"pruning":"none","max_steps":1}`:             {"all links", "There is one turn"},
		`{"revisit":"hide","back":"on"}`:               {"are not in the list", "calling go_back"},
		`{"revisit":"fail","invalid":"retry"}`:         {"a second time", "costs no turn"},
		`{"invalid":"end","max_links":7,"back":"off"}`: {"that chooses no link of the list loses", "at most 7 links"},
	} {
		c := connect(t, host(gametest.G9(), nil))
		task := c.see("start_game", `{"instance":"wr-easy-0001","options":`+options+`}`).Observation.Task
		for _, words := range want {
			if !strings.Contains(task, words) {
				t.Errorf("%s: no %q in %s", options, words, task)
			}
		}
		if strings.ContainsAny(task, "{}\n") || strings.Contains(task, "  ") {
			t.Errorf("%s: a slot or a blank too many in %s", options, task)
		}
	}
}

func wording(t *testing.T, rules func() schemas.GameOptions) *schemas.Versioned {
	t.Helper()
	f := linkstest.Family(rules)
	o, err := f.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Words(o, family.Manner{Interface: schemas.InterfaceMCP})
	if err != nil {
		t.Fatal(err)
	}
	return w.Prompt
}

type (
	toldDistance struct{ Distance int }
	toldPlan     struct{ Plan game.Link }
	toldState    struct{ State game.State }
)

// The wording is frozen: whoever changes it raises its version and puts the new digest here.
func TestTheTaskIsThatOfItsVersion(t *testing.T) {
	const version, sha = "mcp.task/1", "1d201948a8eb4efd3839f3035b11b64fa100fdd0d8b0e23a97ec8fd1eba4c224"
	if w := wording(t, game.Defaults); w.Version != version || w.SHA256 != sha {
		t.Errorf("%s has SHA-256 %s, want %s of %s", w.Version, w.SHA256, sha, version)
	}
}
