package mcp

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/tiny"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

// worded serves a family without tools; instances are the only ones that are offered.
func worded(t *testing.T, instances ...string) *session.Host {
	t.Helper()
	f := tiny.Family{Called: "tiny", Turns: 3, Goals: []int{4, 5}}
	o, err := f.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := f.Open(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	h := &session.Host{Family: f, Set: set, Options: o, Manner: family.Manner{Interface: schemas.InterfaceMCP}, Now: time.Now}
	if err := h.Offer(nil, instances); err != nil {
		t.Fatal(err)
	}
	return h
}

// said is what the tests read of a result of a game in words.
type said struct {
	Observation struct {
		Step     int
		Messages []schemas.Message
		Done     bool
	}
	Valid   bool
	Outcome string
}

func (c client) hear(name, arguments string) said {
	c.t.Helper()
	var s said
	if err := json.Unmarshal([]byte(c.call(name, arguments)), &s); err != nil {
		c.t.Fatal(err)
	}
	return s
}

func TestAFamilyWithoutToolsIsPlayedInWords(t *testing.T) {
	h := worded(t)
	c := connect(t, h)
	if got := strings.Join(toolNames(t, c), " "); got != "answer give_up list_instances observe start_game" {
		t.Errorf("the tools are %s", got)
	}
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	told := c.InitializeResult().Instructions
	for _, tl := range tools.Tools {
		told += tl.Description
	}
	for _, word := range []string{"link", "page", "Wikipedia"} {
		if strings.Contains(told, word) {
			t.Errorf("a family without links is described with %q: %s", word, told)
		}
	}
	if got := c.call("list_instances", `{"split":"easy","limit":1}`); got != `{"total":2,"items":[{"id":"easy-0001","turns":3}]}` {
		t.Errorf("listed: %s", got)
	}
	if text, failed := c.try("list_instances", `{"split":"closed"}`); !failed {
		t.Errorf("a closed split is listed: %s", text)
	}
	if text, failed := c.try("start_game", `{"instance":"closed-0001"}`); !failed || !strings.HasPrefix(text, family.CodeInstanceNotFound) {
		t.Errorf("an instance of a closed split is played: %s", text)
	}
	first := c.hear("start_game", `{"instance":"easy-0001"}`).Observation
	if first.Step != 1 || len(first.Messages) != 1 || !strings.Contains(first.Messages[0].Content, "The goal is 4") {
		t.Errorf("the first observation is %+v", first)
	}
	if s := c.hear("answer", `{"step":1,"reply":"no idea"}`); s.Valid || s.Observation.Step != 2 {
		t.Errorf("got %+v", s)
	}
	for range 2 { // the second time is the same turn
		if s := c.hear("answer", `{"step":2,"reply":"3"}`); !s.Valid || !strings.Contains(s.Observation.Messages[0].Content, "You are at 3") {
			t.Errorf("got %+v", s)
		}
	}
	if s := c.hear("answer", `{"step":3,"reply":"1"}`); s.Outcome != schemas.OutcomeSuccess || !s.Observation.Done || len(s.Observation.Messages) > 0 {
		t.Errorf("at the goal: %+v", s)
	}
	if text, failed := c.try("answer", `{"step":4,"choice":1}`); !failed || !strings.HasPrefix(text, "unknown_field") {
		t.Errorf("a choice is no answer: %s", text)
	}
}

func TestAPinnedInstanceIsStartedWithoutBeingNamed(t *testing.T) {
	c := connect(t, worded(t, "easy-0002"))
	if got := c.call("list_instances", `{"split":"easy"}`); got != `{"total":1,"items":[{"id":"easy-0002","turns":3}]}` {
		t.Errorf("listed: %s", got)
	}
	if o := c.hear("start_game", `{}`).Observation; !strings.Contains(o.Messages[0].Content, "The goal is 5") {
		t.Errorf("got %+v", o)
	}
	if text, failed := c.try("start_game", `{"instance":"easy-0001","restart":true}`); !failed || !strings.HasPrefix(text, family.CodeInstanceNotFound) {
		t.Errorf("another one is played: %s", text)
	}
	several := connect(t, worded(t))
	if text, failed := several.try("start_game", `{}`); !failed || !strings.HasPrefix(text, "bad_field: the argument instance is missing") {
		t.Errorf("of several instances none was named: %s", text)
	}
}

// TestTheWordsSinceTheLastReplyAreShown keeps a dialogue short for a model that has the rest of it.
func TestTheWordsSinceTheLastReplyAreShown(t *testing.T) {
	e := talking{messages: []schemas.Message{{Role: schemas.RoleSystem}, {Role: schemas.RoleUser}, {Role: schemas.RoleAssistant}, {Role: schemas.RoleUser, Content: "new"}}}
	if got := inWords(e, false).(words).Messages; !reflect.DeepEqual(got, e.messages[3:]) {
		t.Errorf("got %v", got)
	}
	if got := inWords(e, true).(words).Messages; !reflect.DeepEqual(got, e.messages) {
		t.Errorf("got %v", got)
	}
	e.messages = e.messages[:2] // a prompt that stands alone
	if got := inWords(e, false).(words).Messages; !reflect.DeepEqual(got, e.messages) {
		t.Errorf("got %v", got)
	}
}

type talking struct {
	family.Episode
	messages []schemas.Message
}

func (t talking) Messages() []schemas.Message { return t.messages }
func (talking) Step() int                     { return 2 }
func (talking) Outcome() string               { return "" }
