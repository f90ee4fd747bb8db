package mcp

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestTheHandshakeAndTheToolsAreGolden fails when what a client is told of the server changes.
func TestTheHandshakeAndTheToolsAreGolden(t *testing.T) {
	golden(t, connect(t, host(gametest.G9(), func(o *schemas.GameOptions, h *session.Host) { o.Back, h.Exposed = game.BackOn, true })), "testdata/tools.json")
}

func golden(t *testing.T, c client, file string) {
	t.Helper()
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(map[string]any{"server": c.InitializeResult(), "tools": tools.Tools}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got)+"\n" != string(want) {
		t.Errorf("the tools are not those of %s; make golden writes it anew:\n%s", file, got)
	}
}

func TestToolsThatTheRulesForbidAreNotListed(t *testing.T) {
	c := connect(t, host(gametest.G9(), nil))
	names := func() string { return strings.Join(toolNames(t, c), " ") }
	const plain = "click_link give_up list_instances observe start_game"
	for _, step := range []struct{ options, want string }{
		{`{}`, plain}, {`{"back":"on"}`, "click_link give_up go_back list_instances observe start_game"}, {`{}`, plain},
	} {
		if got := names(); got != plain && step.options == `{"back":"on"}` {
			t.Errorf("before any game that allows it: %s", got)
		}
		c.call("start_game", `{"instance":"wr-easy-0001","restart":true,"options":`+step.options+`}`)
		if got := names(); got != step.want {
			t.Errorf("options %s: got %s, want %s", step.options, got, step.want)
		}
	}
}

func toolNames(t *testing.T, c client) (list []string) {
	t.Helper()
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tl := range tools.Tools {
		list = append(list, tl.Name)
	}
	return list
}

func TestAGameIsPlayedThroughTools(t *testing.T) {
	c := connect(t, host(gametest.G9(), nil))
	if got, of := c.call("list_instances", `{}`), c.call("list_instances", `{"split":"easy"}`); got != of {
		t.Errorf("without a split %s is listed, want those of all: %s", got, of)
	}
	if got := c.call("list_instances", `{"split":"hard"}`); got != `{"total":0,"items":[]}` {
		t.Errorf("a split without instances: %s", got)
	}
	if got, want := c.call("list_instances", `{"split":"easy","limit":1,"offset":1}`),
		`{"total":2,"items":[{"id":"wr-easy-0002","split":"easy","source":{"page_id":101,"title":"B"},"target":{"page_id":108,"title":"T"},"max_steps":30,"max_links":50}]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	first := c.see("start_game", `{"instance":"wr-easy-0001"}`).Observation
	if first.Step != 1 || first.Current.Title != "A" || !strings.Contains(first.Task, `the page "T"`) || !strings.Contains(first.Task, "There are 30 turns") {
		t.Errorf("the first observation is %+v", first)
	}
	moves := []struct{ arguments, page, reason string }{
		{`{"step":1,"title":"B"}`, "B", ""},
		{`{"step":2,"choice":7}`, "B", "out_of_range"},
		{`{"step":3,"title":"T"}`, "B", "not_offered"},
		{`{"step":4,"title":"C"}`, "C", ""},
		{`{"step":5,"title":"F"}`, "F", ""},
		{`{"step":6,"choice":0}`, "G", ""},
		{`{"step":7,"title":"H"}`, "H", ""},
	}
	for _, m := range moves {
		o := c.see("click_link", m.arguments)
		if o.Observation.Current.Title != m.page || o.Valid != (m.reason == "") || o.Reason != m.reason || o.Done || o.Observation.Task != "" {
			t.Errorf("%s: got %+v, want the page %s, reason %q", m.arguments, o, m.page, m.reason)
		}
	}
	if o := c.see("click_link", `{"step":8,"title":"T"}`); !o.Done || o.Outcome != schemas.OutcomeSuccess || o.Observation.Outcome != o.Outcome {
		t.Errorf("at the target: %+v", o)
	}
	if o := c.see("click_link", `{"step":7,"title":"H"}`); o.Done || o.Observation.Current.Title != "H" {
		t.Errorf("an earlier move once more: %+v, want the answer that it got", o)
	}
	if text := c.call("observe", `{}`); !strings.Contains(text, `"links":[]`) {
		t.Errorf("after the end: %s", text)
	}
}

func TestWrongCallsAreAnsweredInASentence(t *testing.T) {
	c := connect(t, host(gametest.G9(), nil))
	for _, wrong := range []struct{ tool, arguments, want string }{
		{"observe", `{}`, "game_not_found: no game was started; call start_game first"},
		{"click_link", `{"step":1,"choice":0}`, "game_not_found: "},
		{"list_instances", `{"split":"x"}`, `bad_field: no split is called "x"; the splits are easy, hard`},
		{"list_instances", `{"split":"easy","limit":0}`, "bad_field: limit is 0; from 1 to 1000 are listed"},
		{"list_instances", `{"split":"easy","offset":-1}`, "bad_field: offset is -1; it counts from 0"},
		{"start_game", `{"instance":"none"}`, `instance_not_found: no instance "none"`},
		{"start_game", `{"instance":"wr-easy-0001","options":{"speed":1}}`, `bad_option: no game option is called "speed" (choose from back, `},
		{"start_game", `{"instance":"wr-easy-0001","options":{"max_steps":"many"}}`, `bad_option: game option max_steps needs a number, not "many"`},
		{"start_game", `{"instance":"wr-easy-0001","options":{"max_steps":"7"}}`, `bad_option: game option max_steps cannot be `},
		{"start_game", `{"instance":"wr-easy-0001","options":{"max_steps":0}}`, `bad_option: game option max_steps is 0, at least 1 is needed`},
		{"start_game", `{"instance":"wr-easy-0001","options":{"pruning":7}}`, `bad_option: game option pruning cannot be `},
		{"start_game", `{"instance":"wr-easy-0001","options":{"oracle":"P","renderer":"chat"}}`, "bad_option: "},
		{"start_game", `{"instance":"wr-easy-0001","options":[]}`, "bad_field: the argument options must be an object, not an array"},
		{"start_game", `{"instance":"wr-easy-0001"}`, ""},
		{"start_game", `{"instance":"wr-easy-0002"}`, "game_running: a game of wr-easy-0001 is running; play it to its end, call give_up, or pass restart:true to give it up"},
		{"click_link", `[1]`, "bad_json: the arguments are an array; they must be an object"},
		{"click_link", `{"step":"1","choice":0}`, "bad_field: the argument step must be a whole number, not a text"},
		{"click_link", `{"step":1,"choice":"0"}`, "bad_field: the argument choice must be a whole number, not a text"},
		{"click_link", `{"step":1,"title":7}`, "bad_field: the argument title must be a text, not a number"},
		{"click_link", `{"step":1,"choice":1.5}`, "bad_json: the arguments cannot be read: number 1.5 is not an integer"},
		{"click_link", `{"choice":0}`, "bad_field: the argument step is missing; this tool takes step, choice, title"},
		{"click_link", `{"step":1}`, "bad_field: the argument choice is missing, and so is title"},
		{"click_link", `{"step":1,"choice":0,"title":"B"}`, "bad_field: the arguments choice and title stand together"},
		{"click_link", `{"step":1,"page":0}`, `unknown_field: no argument is called "page"; this tool takes step, choice, title`},
		{"click_link", `{"step":1,"choice":0,"choice":1}`, `bad_json: the arguments cannot be read: key "choice" stands twice`},
		{"click_link", `{"step":0,"choice":0}`, "bad_field: step is 0; the first is 1"},
		{"click_link", `{"step":2,"choice":0}`, "step_ahead: step 2 is ahead of the game, the one to come is 1"},
		{"observe", `{"x":1}`, `unknown_field: no argument is called "x"; this tool takes none`},
		{"click_link", `{"step":1,"title":"B"}`, ""},
		{"click_link", `{"step":1,"title":"C"}`, "step_played: "},
		{"give_up", `{"step":1}`, "step_played: "},
		{"give_up", `{"step":2}`, ""},
		{"click_link", `{"step":2,"choice":0}`, "game_over: "},
	} {
		got, failed := c.try(wrong.tool, wrong.arguments)
		if failed != (wrong.want != "") || failed && !strings.HasPrefix(got, wrong.want) {
			t.Errorf("%s %s: got %s, want %s", wrong.tool, wrong.arguments, got, wrong.want)
		}
		if strings.Contains(got, " json:") || strings.Contains(got, "Go struct") || strings.Contains(got, "session.") {
			t.Errorf("%s %s: %s speaks of Go", wrong.tool, wrong.arguments, got)
		}
	}
}
