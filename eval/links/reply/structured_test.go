package reply_test

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/reply"
)

// menuWorld has a page with links to titles that are hard to tell apart, and a redirect.
func menuWorld() *gametest.World {
	w := gametest.Parse("S->A,B,C,D,E,T A->S B->S C->S D->S E->S T->S X->S")
	w.Titles = []string{"Start", "Café", "New York", "iPhone", `Say "hi"`, "Line\nbreak", "Target", "Elsewhere"}
	w.Masks = make([]uint32, len(w.Titles))
	w.Aliases = map[string]uint32{"NYC": 2, "Elsewhere (old)": 7}
	return w
}

func observe(t *testing.T) game.Observation {
	t.Helper()
	opts := game.BanDefaults()
	opts.TargetIntro = 0
	w := menuWorld()
	g, err := game.Start(w, bantest.TaskOf(bantest.Banned(w, "cw-0001", 0, 6, "Work")), opts)
	if err != nil {
		t.Fatal(err)
	}
	return g.Observe("x")
}

func TestStructuredReplies(t *testing.T) {
	const full = `{"next_page":"New York","reasoning":"r","restriction_reasoning":"k"}`
	next := func(title string) string {
		return `{"next_page":"` + title + `","reasoning":"r","restriction_reasoning":"k"}`
	}
	o := observe(t)
	for _, c := range []struct{ name, reply, want string }{
		{"plain", full, "New York"},
		{"aliases", `{"chosen_node":"New York","justification":"r","restriction_justification":"k"}`, "New York"},
		{"mixed names", `{"chosen_node":"New York","reasoning":"r","restriction_justification":"k"}`, "New York"},
		{"code fence", "```json\n" + full + "\n```", "New York"},
		{"text before", "I choose: " + full, "New York"},
		{"trailing text", full + "\nThat is my choice.", "New York"},
		{"two objects", full + next("iPhone"), "New York"},
		{"braces that are no JSON before", "{hm} so " + full, "New York"},
		{"thoughts", `<think>{"next_page":"iPhone","reasoning":"","restriction_reasoning":""}</think>` + full, "New York"},
		{"spread over lines", "{\n \"next_page\": \"New York\",\n \"reasoning\": \"r\",\n \"restriction_reasoning\": \"k\"\n}", "New York"},
		{"a field more", `{"next_page":"New York","reasoning":"r","restriction_reasoning":"k","confidence":1}`, "New York"},
		{"third field missing", `{"next_page":"New York","reasoning":"r"}`, "New York missing"},
		{"third field empty", `{"next_page":"New York","reasoning":"r","restriction_reasoning":""}`, "New York"},
		{"both names, the same", `{"next_page":"New York","chosen_node":"New York","reasoning":"r","restriction_reasoning":"k"}`, "New York"},
		{"both names, different", `{"next_page":"New York","chosen_node":"iPhone","reasoning":"r","restriction_reasoning":"k"}`, game.ReasonFormat},
		{"duplicate key", `{"next_page":"New York","next_page":"New York","reasoning":"r","restriction_reasoning":"k"}`, game.ReasonFormat},
		{"wrong type", `{"next_page":3,"reasoning":"r","restriction_reasoning":"k"}`, game.ReasonFormat},
		{"third field null", `{"next_page":"New York","reasoning":"r","restriction_reasoning":null}`, game.ReasonFormat},
		{"no next_page", `{"reasoning":"r","restriction_reasoning":"k"}`, game.ReasonFormat},
		{"no reasoning", `{"next_page":"New York","restriction_reasoning":"k"}`, game.ReasonFormat},
		{"not closed", `{"next_page":"New York","reasoning":"r"`, game.ReasonFormat},
		{"no object", "New York", game.ReasonFormat},
		{"empty", "", game.ReasonFormat},
		{"a list", `["New York"]`, game.ReasonFormat},
		{"underscores and blanks", next(" New_York "), "New York"},
		{"decomposed", next("Cafe\u0301"), "Café"},
		{"first letter upper", next("IPhone"), "iPhone"},
		{"first letter lower", next("new York"), "New York"},
		{"other case", next("new york"), game.ReasonNotALink},
		{"a redirect", next("NYC"), "New York"},
		{"a redirect of a page that is no link", next("Elsewhere (old)"), game.ReasonNotALink},
		{"a page that is no link", next("Elsewhere"), game.ReasonNotALink},
		{"nearly a title", next("New Yorck"), game.ReasonNotALink},
		{"empty title", next(""), game.ReasonNotALink},
		{"quotes in a title", next(`Say \"hi\"`), `Say "hi"`},
		{"as the prompt spells it", next(`Line\\u{000A}break`), "Line\nbreak"},
		{"NO_PATH", next("NO_PATH"), "no path"},
		{"no_path", next("no_path"), game.ReasonNotALink},
	} {
		m, _ := reply.Structured{}.Read(c.reply, o)
		if got := readAs(m, o); got != c.want {
			t.Errorf("%s: %q reads as %q, want %q", c.name, c.reply, got, c.want)
		}
	}
}

func readAs(m game.Move, o game.Observation) string {
	switch {
	case m.NoPath:
		return "no path"
	case m.Choice == nil:
		return m.Reason
	case m.Stated.Missing:
		return o.Links[*m.Choice].Title + " missing"
	}
	return o.Links[*m.Choice].Title
}

func TestWhatAStructuredReplyStatesIsKept(t *testing.T) {
	o := observe(t)
	m, _ := reply.Structured{}.Read(`{"justification":"because","restriction_justification":"no \"work\"","chosen_node":"NYC"}`, o)
	if m.Stated == nil || *m.Stated != (game.Stated{NextPage: "NYC", Reasoning: "because", Restriction: `no "work"`}) {
		t.Errorf("got %+v", m.Stated)
	}
}

func FuzzStructured(f *testing.F) {
	for _, seed := range []string{`{"next_page":"A","reasoning":"","restriction_reasoning":""}`, "{{{{", `{"a":"\`, "```{}```", "<think>{", "\xff{\"next_page\":\"\xff\"}"} {
		f.Add(seed)
	}
	o := game.Observation{Links: []game.Link{{I: 0, Title: "A"}, {I: 1, Title: "B"}}}
	f.Fuzz(func(t *testing.T, text string) {
		m, _ := reply.Structured{}.Read(text, o)
		if m.Choice != nil && (*m.Choice < 0 || *m.Choice > 1 || m.Stated == nil) {
			t.Errorf("%q: %+v", text, m)
		}
		if m.Choice != nil && !strings.Contains(text, "{") {
			t.Errorf("%q has no object and reads as %+v", text, m)
		}
	})
}
