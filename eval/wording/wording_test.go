package wording_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

var form = wording.Form{Dialogue: true, Fields: []wording.Field{
	{Name: "target", Says: "the page to reach", Need: wording.Once},
	{Name: "links", Says: "the links", Need: wording.Each},
	{Name: "step", Says: "the turn"},
	{Name: "result", Says: "what it did", Need: wording.Later},
}}

func TestWrongTemplatesAreRefusedWithTheirLine(t *testing.T) {
	once := wording.Form{Fields: form.Fields}
	for _, c := range []struct {
		text, line, want string
		form             wording.Form
	}{
		{"Go to {{target}}.\n\nLinks: {{linkz}}", "line 3", "no field is called {{linkz}}", form},
		{"Go to {{target}}.\n", "line 1", "section user has no {{links}}, the links", form},
		{"[[system]]\nHi\n\n[[user]]\n{{links}}\n", "line 4", "section user has no {{target}}", form},
		{"{{target}} {{links}}\n[[turn]]\nand now?", "line 2", "section turn has no {{links}}", form},
		{"{{prompt}}\n[[turn]]\n{{links}}", "line 2", "section turn has no {{result}}", form},
		{"{{target}} {{links}}\n[[turn]]\n{{links}} {{result}}", "line 2", "section turn: under these rules no later turn", once},
		{"{{prompt}}\n[[sytem]]\nx", "line 2", `no section is called "sytem"`, form},
		{"{{prompt}}\n[[sytem]] \t\nx", "line 2", `no section is called "sytem"`, form},
		{"{{prompt}}\n[[user]]\nx", "line 2", "section user stands twice, first in line 1", form},
		{"[[system]]\na\n[[system]]\nb", "line 3", "section system stands twice, first in line 1", form},
		{"[[user]]\n\n[[system]]\nx", "line 1", "section user is empty", form},
		{"ok {{prompt}}\nnot {{ok", "line 2", "{{ begins no field", form},
		{"ok {{prompt}}\nnot {{Ok}}", "line 2", "{{ begins no field", form},
		{"\n\n", "", "the prompt is empty", form},
		{"\xff", "", "a text in UTF-8", form},
		{strings.Repeat("x", 1<<20+1), "", "at most 1048576 bytes", form},
		{"[[system]]\nx", "line 1", "a game is put as one text", wording.Form{Whole: true}},
	} {
		tmpl, err := wording.Parse(c.text, "my.txt")
		if err == nil {
			err = tmpl.Check(c.form)
		}
		if !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.line) ||
			!strings.Contains(err.Error(), "my.txt") {
			t.Errorf("%.60q: %v, want %s: %s", c.text, err, c.line, c.want)
		}
	}
}

// TestFieldsAreFilledInOnce fills fields with what looks like fields.
func TestFieldsAreFilledInOnce(t *testing.T) {
	values := func() wording.Values {
		return wording.Values{"target": "{{links}}", "links": "0. {{prompt}}", "step": `\{{step}}`, wording.Notes: "mind {{target}}"}
	}
	message := func(role, text string) schemas.Message { return schemas.Message{Role: role, Content: text} }
	for _, c := range []struct {
		text  string
		begin []schemas.Message
		next  string
	}{
		{
			"To {{target}}:\n{{ links }}\n", []schemas.Message{
				message("system", "You play."), message("user", "To {{links}}:\n0. {{prompt}}\n\nmind {{target}}"),
			}, "ours, later",
		},
		{
			"[[system]]\nBe brief. {{system}}\n[[user]]\n{{target}} {{links}} {{notes}}!\n\n[[turn]]\n{{step}}{{result}}\n{{links}}\n",
			[]schemas.Message{
				message("system", "Be brief. You play."), message("user", "{{links}} 0. {{prompt}} mind {{target}}!"),
			},
			"\\{{step}}\n0. {{prompt}}\n\nmind {{target}}",
		},
		{
			"[[system]]\n[[user]]\r\n\\{{target}} is {{prompt}}", []schemas.Message{message("user", "{{target}} is ours")}, "ours, later",
		},
		{"[[turn]]\n<{{prompt}}>", []schemas.Message{message("system", "You play."), message("user", "ours")}, "<ours, later>"},
	} {
		tmpl, err := wording.Parse(c.text, "my.txt")
		if err == nil {
			err = tmpl.Check(form)
		}
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := tmpl.Begin("You play.", "ours", values); !reflect.DeepEqual(got, c.begin) {
			t.Errorf("%q begins with %+v, want %+v", c.text, got, c.begin)
		}
		if got := tmpl.Next("ours, later", values); got != c.next {
			t.Errorf("%q goes on with %q, want %q", c.text, got, c.next)
		}
	}
	var none *wording.Template
	asked := func() wording.Values { t.Error("a family's own words asked for values"); return nil }
	if got := none.Begin("s", "u", asked); len(got) != 2 || none.Next("n", asked) != "n" {
		t.Errorf("no template: %v", got)
	}
}

func TestAPromptIsItsText(t *testing.T) {
	a, _ := wording.Parse("{{prompt}}\n", "a.txt")
	b, _ := wording.Parse("{{prompt}}\n", "b.txt")
	c, _ := wording.Parse("{{prompt}}\n\n", "a.txt")
	if *a.Versioned() != *b.Versioned() || *a.Versioned() == *c.Versioned() || a.Versioned().Version != wording.Version {
		t.Errorf("%v, %v, %v", a.Versioned(), b.Versioned(), c.Versioned())
	}
}
