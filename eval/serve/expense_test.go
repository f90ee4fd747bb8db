package serve_test

import (
	"slices"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

// keeping holds the records of the games that ended.
type keeping struct{ records []family.Record }

func (k *keeping) Keep(g session.Finished) error {
	k.records = append(k.records, g.Episode.Record(family.Recording{Run: &schemas.Run{}, Item: g.Game, Attempt: 1}))
	return nil
}

// steps lists what was kept of each turn of the only game.
func (k *keeping) steps(t *testing.T) (steps []schemas.Step) {
	t.Helper()
	if len(k.records) != 1 {
		t.Fatalf("%d games were kept", len(k.records))
	}
	for _, s := range k.records[0].Side {
		steps = append(steps, s.(schemas.Step))
	}
	return steps
}

// TestWhatATurnUsedAndCostIsKept plays turns of every kind, each of which tells what it used.
func TestWhatATurnUsedAndCostIsKept(t *testing.T) {
	conf, log := g9(), &keeping{}
	conf.Host.Log, conf.Host.Options = log, links.Packed(backOn())
	c := serving(t, conf)
	at := "/v1/games/" + c.start("wr-easy-0001", `{}`).Game
	const spent = `,"usage":{"prompt":100,"output":20,"reasoning":5},"cost":"0.00120"}`
	for _, turn := range []string{
		`/move {"step":1,"choice":2` + spent, `/back {"step":2` + spent, `/move {"step":3,"reply":"\\boxed{0}"` + spent,
		`/move {"step":4,"choice":0,"usage":{"prompt":1,"cached":1,"output":0}}`,
		`/move {"step":4,"choice":0,"usage":{"prompt":7,"output":7},"cost":"7"}`, // the same turn again
	} {
		path, body := turn[:5], turn[6:]
		c.ask("POST", at+path, body, new(any))
	}
	c.ask("POST", at+"/give-up", `{"step":5}`, new(any))
	steps := log.steps(t)
	for i, s := range steps[:3] {
		if s.Usage == nil || *s.Usage != (schemas.Usage{Prompt: 100, Output: 20, Reasoning: 5}) || s.Cost == nil || *s.Cost != "0.00120" {
			t.Errorf("turn %d: usage %+v, cost %v", i+1, s.Usage, s.Cost)
		}
	}
	if s := steps[3]; len(steps) != 4 || *s.Usage != (schemas.Usage{Prompt: 1, Cached: 1}) || s.Cost != nil {
		t.Errorf("%d turns, the last with usage %+v, cost %v", len(steps), s.Usage, s.Cost)
	}
	if game := log.records[0].Main.(schemas.Game); game.Cost != nil || game.Usage.Prompt != 301 {
		t.Errorf("the game has usage %+v, cost %v, which one turn does not tell", game.Usage, game.Cost)
	}
}

func TestExpensesThatMeanNothingAreRefused(t *testing.T) {
	c := serving(t, g9())
	at := "/v1/games/" + c.start("wr-easy-0001", `{}`).Game + "/move"
	for _, wrong := range []string{
		`"usage":{}`, `"usage":{"prompt":1}`, `"usage":{"prompt":-1,"output":1}`,
		`"usage":{"prompt":2000000000,"output":1}`, `"usage":{"prompt":1,"cached":2,"output":1}`,
		`"cost":""`, `"cost":"-1"`, `"cost":"1e9"`, `"cost":"1/2"`, `"cost":"free"`,
	} {
		c.refused(400, "bad_field", wrong[1:slices.Index([]byte(wrong[1:]), '"')+1], "POST", at, `{"step":1,"choice":0,`+wrong+`}`)
	}
	c.refused(400, "bad_field", "cost", "POST", at, `{"step":1,"choice":0,"cost":1}`)
	c.refused(400, "unknown_field", "usage", "POST", at, `{"step":1,"choice":0,"usage":{"prompt":1,"output":1,"total":2}}`)
}

// TestOneInstanceAloneNeedsNoName starts it without being told which.
func TestOneInstanceAloneNeedsNoName(t *testing.T) {
	conf := g9()
	if err := conf.Host.Offer(nil, []string{"wr-easy-0001"}); err != nil {
		t.Fatal(err)
	}
	c := serving(t, conf)
	var b begun
	if c.ask("POST", "/v1/games", `{}`, &b); b.Observation.Instance != "wr-easy-0001" {
		t.Errorf("got %+v", b)
	}
}
