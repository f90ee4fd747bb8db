package familytest

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// templates puts episodes in words of a user's own: a template of {{prompt}} alone changes nothing,
// what stands around it is said, and a field that there is not is refused.
func (s Subject) templates(t *testing.T) {
	chat := family.Manner{Interface: schemas.InterfaceChat}
	if _, ok := s.Family.(family.Templated); !ok {
		chat.Prompt = parse(t, "{{prompt}}")
		if _, err := family.WordsOf(s.Family, s.Options, chat); !errors.Is(err, fault.Usage) {
			t.Errorf("a template of a family that takes none: %v", err)
		}
		return
	}
	task := s.all()[0]
	ours, err := s.Set.Start(task, s.Options, chat)
	if err != nil {
		t.Fatal(err)
	}
	same := s.worded(t, task, "{{prompt}}\n")
	if !reflect.DeepEqual(same.Messages(), ours.Messages()) {
		t.Errorf("{{prompt}} reads %+v, want %+v", same.Messages(), ours.Messages())
	}
	said, want := s.worded(t, task, "[[system]]\nBe quick.\n[[user]]\n<<{{prompt}}>>").Messages(), ours.Messages()
	last := want[len(want)-1].Content
	if len(said) < 2 || said[0].Content != "Be quick." || said[len(said)-1].Content != "<<"+last+">>" {
		t.Errorf("<<{{prompt}}>> reads %+v, want the words %q", said, last)
	}
	s.replayed(t, task)
	for text, wrong := range map[string]bool{
		"{{prompt}} {{no_such_field}}": true, "no field that is needed": s.needs(t, chat),
	} {
		chat.Prompt = parse(t, text)
		if _, err := family.WordsOf(s.Family, s.Options, chat); errors.Is(err, fault.Usage) != wrong {
			t.Errorf("%q: %v, want a refusal: %t", text, err, wrong)
		}
	}
}

// replayed plays a task in words of a user's own, and scores it by the text that the run keeps: what
// a log tells of the prompts is that of those words.
func (s Subject) replayed(t *testing.T, task family.Task) {
	m := family.Manner{Interface: schemas.InterfaceChat}
	form, err := s.Family.(family.Templated).Form(s.Options, m)
	if err != nil {
		t.Fatal(err)
	}
	text := "Mine: {{prompt}}\n"
	if form.Dialogue {
		text += "[[turn]]\nAnd now: {{prompt}}\n"
	}
	m.Prompt = parse(t, text)
	plays := func(b family.Baseline) bool { return b.Plays(task.Split) }
	list := s.Set.Baselines()
	b := list[slices.IndexFunc(list, plays)]
	run := s.run(b.Name, schemas.KindLocal)
	run.Rules.Prompt = m.Prompt.Versioned()
	run.RulesSHA256 = family.RulesSHA256(run.Rules)
	dir := s.playRun(t, []family.Task{task}, run, m, func(e family.Episode, seat family.Seat) func() (family.Reply, error) {
		next := b.Start(e, seat)
		return func() (family.Reply, error) {
			asked := e.Messages()
			r, err := next()
			r.PromptSHA256 = prompt.Hash(asked)
			return r, err
		}
	})
	scores, err := s.Score(t, dir, family.Request{Partial: true})
	if err != nil || scores.Counts["foreign"] > 0 { // replies to questions in other words than the run's
		t.Errorf("a run in a user's own words: %v, %+v", err, scores)
	}
	put := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, trace.PromptFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(text + "!")
	if _, err := trace.Open(dir, s.Family.Layout()); !errors.Is(err, fault.Mismatch) {
		t.Errorf("a run whose prompt.txt was changed: %v", err)
	}
}

// needs reports whether a game has a field that it cannot be played without.
func (s Subject) needs(t *testing.T, m family.Manner) bool {
	t.Helper()
	form, err := s.Family.(family.Templated).Form(s.Options, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range form.Fields {
		if f.Need != wording.Free {
			return true
		}
	}
	return false
}

func parse(t *testing.T, text string) *wording.Template {
	t.Helper()
	tmpl, err := wording.Parse(text, "prompt.txt")
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

// worded starts a task in the words of a template, which the rules of a run then name.
func (s Subject) worded(t *testing.T, task family.Task, text string) family.Episode {
	t.Helper()
	m := family.Manner{Interface: schemas.InterfaceChat, Prompt: parse(t, text)}
	w, err := family.WordsOf(s.Family, s.Options, m)
	if err != nil || w.Prompt == nil || *w.Prompt != *m.Prompt.Versioned() {
		t.Fatalf("%q: %+v, %v", text, w, err)
	}
	e, err := s.Set.Start(task, s.Options, m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
