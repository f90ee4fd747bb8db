package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/linkstest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

// banHost serves games under a ban.
func banHost(w *gametest.World, exposed bool, instances ...schemas.ConstrainedInstance) *session.Host {
	s := linkstest.Split{Name: "instances"}
	for _, inst := range instances {
		s.Tasks = append(s.Tasks, bantest.TaskOf(inst))
	}
	rules := game.BanDefaults()
	return offered(&session.Host{Exposed: exposed}, game.BanDefaults, rules, linkstest.Set(linkstest.World(w), w.Node, rules, s))
}

// k7 is the worked example: from S to T, where B is a work.
func k7(exposed bool) *session.Host {
	w := gametest.K7()
	return banHost(w, exposed, bantest.Banned(w, "cw-0001", 0, 5, "Work"))
}

func to(step int, title string) string {
	arguments, _ := json.Marshal(map[string]any{"step": step, "next_page": title, "reasoning": "on to " + title, "restriction_reasoning": ""})
	return string(arguments)
}

func TestTheToolsOfGamesUnderABanAreGolden(t *testing.T) {
	golden(t, connect(t, k7(true)), "testdata/tools-constrained.json")
}

func TestAGameUnderABanIsPlayedThroughTools(t *testing.T) {
	c := connect(t, k7(false))
	first := c.see("start_game", `{"instance":"cw-0001"}`).Observation
	if first.Banned != "Work" || !strings.Contains(first.Task, "the banned category Work (a book,") {
		t.Errorf("the first observation is %+v", first)
	}
	for i, page := range []string{"A", "c", "D"} {
		o := c.see("click_link", to(i+1, page))
		if o.Observation.Current.Title != strings.ToUpper(page) || !o.Valid || o.Observation.Task != "" {
			t.Errorf("step %d: %+v", i+1, o)
		}
	}
	if o := c.see("click_link", to(4, "T")); o.Outcome != schemas.OutcomeSuccess {
		t.Errorf("at the target: %+v", o)
	}
	c.call("start_game", `{"instance":"cw-0001"}`)
	if o := c.see("click_link", to(1, "B")); o.Valid || o.Reason != game.ReasonNotALink || o.Outcome != schemas.OutcomeInvalidAction {
		t.Errorf("what is no link: %+v", o)
	}
	c.call("start_game", `{"instance":"cw-0001","options":{"no_path":"on"}}`)
	if o := c.see("click_link", to(1, schemas.NoPathAnswer)); o.Outcome != schemas.OutcomeNoPath {
		t.Errorf("no path: %+v", o)
	}
}

func TestWrongCallsUnderABanAreAnsweredInASentence(t *testing.T) {
	c := connect(t, k7(false))
	c.call("start_game", `{"instance":"cw-0001"}`)
	const takes = "this tool takes step, next_page, reasoning, restriction_reasoning"
	for arguments, want := range map[string]string{
		`{"step":1}`:                                 "bad_field: the argument next_page is missing; " + takes,
		`{"step":1,"next_page":"A"}`:                 "bad_field: the argument reasoning is missing; " + takes,
		`{"step":1,"next_page":"A","reasoning":"x"}`: "bad_field: the argument restriction_reasoning is missing; " + takes,
		`{"step":1,"choice":0}`:                      `unknown_field: no argument is called "choice"; ` + takes,
		`{"step":1,"next_page":7,"reasoning":"x","restriction_reasoning":""}`: "bad_field: the argument next_page must be a text, not a number",
		to(2, "A"): "step_ahead: step 2 is ahead of the game, the one to come is 1",
	} {
		if got, failed := c.try("click_link", arguments); !failed || got != want {
			t.Errorf("%s: got %s, want %s", arguments, got, want)
		}
	}
}

func TestTheTaskTellsTheBanAndTheRules(t *testing.T) {
	for options, want := range map[string][]string{
		`{}`: {
			"No page that you move to may belong to the banned category Work (a book", "the target page itself is exempt", "all links", "There are 30 turns",
			"a second time", "that chooses no link of the list loses", "target_intro", "restriction_reasoning",
		},
		`{"ban_text":"name"}`: {"category Work;"},
		`{"no_path":"on"}`:    {"pass NO_PATH as next_page"},
		`{"revisit":"allow","max_links":2,"pruning":"random","invalid":"consume"}`: {"may be visited again", "at most 2 links", "costs a turn"},
	} {
		task := connect(t, k7(false)).see("start_game", `{"instance":"cw-0001","options":`+options+`}`).Observation.Task
		for _, words := range want {
			if !strings.Contains(task, words) {
				t.Errorf("%s: no %q in %s", options, words, task)
			}
		}
		if strings.ContainsAny(task, "{}\n") || strings.Contains(task, "  ") {
			t.Errorf("%s: a slot or a blank too many in %s", options, task)
		}
	}
	task := connect(t, k7(false)).see("start_game", `{"instance":"cw-0001","options":{"target_intro":0}}`).Observation.Task
	if strings.Contains(task, "target_intro") || strings.Contains(task, schemas.NoPathAnswer) {
		t.Errorf("got %s", task)
	}
}

func TestNoReplyTellsWhatLabelsTell(t *testing.T) {
	w := gametest.Random(7, 200, 90, 60).Label(7, "Work", "Place")
	instances, infeasible := bantest.BannedInstances(w, 7, 4, 3, "Work", "Place")
	c := connect(t, banHost(w, false, instances...))
	keys := slices.Concat(scanKeys, strings.Fields("banned target_intro recent from chosen justification"))
	scan := func(name, arguments string) outcome {
		var tree any
		text, _ := c.try(name, arguments)
		if json.Unmarshal([]byte(text), &tree) == nil {
			walk(tree, func(key string, value any) {
				if _, number := value.(float64); !slices.Contains(keys, key) || number && !slices.Contains(scanNumbers, key) {
					t.Errorf("%s %s tells %s = %v", name, arguments, key, value)
				}
			})
		}
		for _, word := range []string{"distance", "witness", "violat", "labels", "infeasible", "binding", "cx-"} {
			if strings.Contains(text, word) {
				t.Errorf("%s %s speaks of %s: %s", name, arguments, word, text)
			}
		}
		var o outcome
		_ = json.Unmarshal([]byte(text), &o)
		return o
	}
	scan("list_instances", `{"split":"instances"}`)
	for i, inst := range instances {
		o := scan("start_game", fmt.Sprintf(`{"instance":%q,"options":{"invalid":"consume","revisit":"allow"}}`, inst.ID)).Observation
		for !o.Done && o.Step > 0 {
			scan("observe", `{}`)
			scan("click_link", to(o.Step, "nowhere"))
			scan("click_link", to(o.Step+9, "nowhere"))
			o = scan("click_link", to(o.Step+1, o.Links[i%len(o.Links)].Title)).Observation
		}
	}
	if len(infeasible) == 0 {
		t.Error("no pair without a path: the scan says nothing of these")
	}
	for _, name := range []string{"oracle_distance", "oracle_plan", "oracle_state"} {
		if slices.Contains(toolNames(t, c), name) {
			t.Errorf("%s is listed", name)
		}
	}
}

func TestWhoFollowsTheExposedPlanKeepsToTheBan(t *testing.T) {
	c := connect(t, k7(true))
	o := c.see("start_game", `{"instance":"cw-0001"}`).Observation
	for left := 4; !o.Done; left-- {
		var d toldDistance
		var p toldPlan
		_ = json.Unmarshal([]byte(c.call("oracle_distance", `{}`)), &d)
		_ = json.Unmarshal([]byte(c.call("oracle_plan", `{}`)), &p)
		if d.Distance != left {
			t.Errorf("distance %d, want %d", d.Distance, left)
		}
		o = c.see("click_link", to(o.Step, p.Plan.Title)).Observation
	}
	if !slices.Equal(o.Visited, []string{"S", "A", "C", "D", "T"}) {
		t.Errorf("went %v", o.Visited)
	}
}

// TestWhereNoAllowedWayLeadsOnTheOracleSaysSo lets the model walk to a page that only a work leads away from.
func TestWhereNoAllowedWayLeadsOnTheOracleSaysSo(t *testing.T) {
	w := gametest.Parse("S->A,X X->B A->T B->T T->S")
	w.Masks = []uint32{0, 0, 0, 1 << 21, 0} // B is a work
	c := connect(t, banHost(w, true, bantest.Banned(w, "cw-0001", 0, 4, "Work")))
	c.call("start_game", `{"instance":"cw-0001"}`)
	c.call("click_link", to(1, "X"))
	for _, name := range []string{"oracle_distance", "oracle_plan"} {
		if text, failed := c.try(name, `{}`); !failed || text != "not_found: the oracle has no "+name[len("oracle_"):]+" to tell: there is none here" {
			t.Errorf("%s: %s", name, text)
		}
	}
	c.call("give_up", `{"step":2}`)
	if text, _ := c.try("oracle_plan", `{}`); !strings.HasPrefix(text, family.CodeGameOver) {
		t.Errorf("a plan after the end: %s", text)
	}
}

// The wording is frozen: whoever changes it raises its version and puts the new digest here.
func TestTheTaskUnderABanIsThatOfItsVersion(t *testing.T) {
	const version, sha = "mcp.task.constrained/1", "3100fe2a7cf92fd30c413366b2d7ba7f2d4f37262655b5340269018f7536972a"
	if w := wording(t, game.BanDefaults); w.Version != version || w.SHA256 != sha {
		t.Errorf("%s has SHA-256 %s, want %s of %s", w.Version, w.SHA256, sha, version)
	}
}
