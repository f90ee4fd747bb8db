package reply_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/reply"
)

// told is a line of the table of replies: what a model wrote, on which menu, what it chose and the rule
// that reads it.
type told struct {
	Reply string   `json:"reply"`
	Menu  []string `json:"menu"`
	Want  any      `json:"want"` // a number, "back" or "invalid"
	Rule  string   `json:"rule"`
}

func table(t testing.TB) (list []told) {
	t.Helper()
	data, err := os.ReadFile("testdata/replies-2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var c told
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func says2(m game.Move) any {
	switch {
	case m.Back:
		return "back"
	case m.Choice == nil:
		return "invalid"
	}
	return float64(*m.Choice)
}

func TestTheSecondParserReadsWhatModelsWrite(t *testing.T) {
	list := table(t)
	if len(list) < 120 {
		t.Fatalf("only %d replies", len(list))
	}
	rules := map[string]int{}
	gained := 0
	for _, c := range list {
		m, rule := reply.Second{Back: true}.Parse(c.Reply, c.Menu)
		if got := says2(m); got != c.Want || rule != c.Rule {
			t.Errorf("%.80q: got %v by %s, want %v by %s", c.Reply, got, rule, c.Want, c.Rule)
		}
		rules[rule]++
		if first := says2(reply.Parser{Back: true}.Parse(c.Reply, c.Menu)); first == "invalid" && c.Want != "invalid" {
			gained++
		}
	}
	for _, rule := range []string{
		reply.RuleTag, reply.RuleWhole, reply.RulePhrase, reply.RuleLine, reply.RuleAmbiguous, reply.RuleNone,
	} {
		if rules[rule] < 5 {
			t.Errorf("%d replies of rule %s", rules[rule], rule)
		}
	}
	if gained < 60 {
		t.Errorf("%d replies are read that version 1 lost", gained)
	}
}

func TestWithoutTheWayBackTheWordIsNoChoice(t *testing.T) {
	for _, text := range []string{"back", "<answer>back</answer>"} {
		if m, rule := (reply.Second{}).Parse(text, []string{"A"}); says2(m) != "invalid" || rule != reply.RuleNone {
			t.Errorf("%q: %v by %s", text, says2(m), rule)
		}
	}
}

func TestParsersAreChosenByName(t *testing.T) {
	for name, version := range map[string]string{
		"": "wikirace/2", "2": "wikirace/2", "1": "wikirace/1", "strict": "wikirace/1", "1-lenient": "wikirace/1-lenient",
	} {
		r, ok := reply.For(game.Defaults(), name)
		if !ok || r.Version().Version != version {
			t.Errorf("%q: %v, %v, want %s", name, r, ok, version)
			continue
		}
		v := r.Version()
		if again, ok := reply.ReaderOf(&v, game.Defaults()); !ok || again != r {
			t.Errorf("%s is not found by its version", version)
		}
	}
	if _, ok := reply.For(game.Defaults(), "3"); ok {
		t.Error("there is a third parser")
	}
}

// FuzzSecond looks for replies that crash the parser, and for choices of which nothing stands in the reply.
func FuzzSecond(f *testing.F) {
	menu := []string{"A", "Serbia", "12", "", "x\n1: A", "Serbia"}
	for _, c := range []string{"5. Serbia", "<answer>", `\boxed{\text{1`, "I choose 1", "<think>", "12", "A (0)", "\xff1"} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, rule := reply.Second{}.Parse(text, menu)
		if m.Back || m.Choice != nil && (*m.Choice < 0 || *m.Choice > 999_999) {
			t.Errorf("%q: %+v by %s", text, m, rule)
		}
		if m.Choice == nil {
			return
		}
		n := strconv.Itoa(*m.Choice)
		named := *m.Choice < len(menu) && strings.Contains(strings.ToLower(text), strings.ToLower(menu[*m.Choice]))
		if !strings.Contains(text, n) && !named {
			t.Errorf("%q: %s stands nowhere, read by %s", text, n, rule)
		}
	})
}
