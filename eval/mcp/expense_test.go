package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

type keeping struct {
	records []family.Record
	clients []string
}

func (k *keeping) Keep(g session.Finished) error {
	k.clients = append(k.clients, g.Client)
	k.records = append(k.records, g.Episode.Record(family.Recording{Run: &schemas.Run{}, Item: g.Game, Attempt: 1}))
	return nil
}

// with calls a tool with a _meta, and returns the text of the result.
func (c client) with(name, arguments, meta string) (text string, failed bool) {
	c.t.Helper()
	p := &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)}
	if err := json.Unmarshal([]byte(meta), &p.Meta); err != nil {
		c.t.Fatal(err)
	}
	r, err := c.CallTool(c.t.Context(), p)
	if err != nil {
		c.t.Fatal(err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// TestTheMetaOfACallTellsWhatItCost keeps it with the turn, and shows nothing of it.
func TestTheMetaOfACallTellsWhatItCost(t *testing.T) {
	log := &keeping{}
	c := connect(t, host(gametest.G9(), func(_ *schemas.GameOptions, h *session.Host) { h.Log = log }))
	c.call("start_game", `{"instance":"wr-easy-0001"}`)
	for _, wrong := range []string{
		`{"wikinav/usage":{"prompt":1}}`, `{"wikinav/usage":[1]}`, `{"wikinav/usage":{"prompt":1,"output":1.5}}`,
		`{"wikinav/usage":{"prompt":1,"output":1,"more":1}}`, `{"wikinav/cost":0.5}`, `{"wikinav/cost":"much"}`,
	} {
		text, failed := c.with("click_link", `{"step":1,"choice":0}`, wrong)
		if !failed || !strings.HasPrefix(text, "bad_field: ") || strings.Contains(text, "Go ") {
			t.Errorf("%s: %s", wrong, text)
		}
	}
	const spent = `{"wikinav/usage":{"prompt":100,"output":20,"reasoning":5},"wikinav/cost":"0.0012","other/key":1}`
	if text, failed := c.with("click_link", `{"step":1,"choice":0}`, spent); failed || strings.Contains(text, "0.0012") {
		t.Errorf("got %s", text)
	}
	c.call("click_link", `{"step":2,"choice":0}`) // tells nothing, and inherits nothing
	c.call("give_up", `{"step":3}`)
	if len(log.records) != 1 || len(log.records[0].Side) != 2 {
		t.Fatalf("kept %+v", log.records)
	}
	first, second := log.records[0].Side[0].(schemas.Step), log.records[0].Side[1].(schemas.Step)
	if first.Usage == nil || *first.Usage != (schemas.Usage{Prompt: 100, Output: 20, Reasoning: 5}) || first.Cost == nil || *first.Cost != "0.0012" {
		t.Errorf("the first turn has usage %+v, cost %v", first.Usage, first.Cost)
	}
	if second.Usage != nil || second.Cost != nil {
		t.Errorf("the second turn has usage %+v, cost %v", second.Usage, second.Cost)
	}
}
