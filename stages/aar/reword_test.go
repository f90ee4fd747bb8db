package aar

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
)

// model is a scripted model: it answers the messages of a call.
type model func(messages []schemas.Message) string

// rewordedBy makes legs whose rewordings a model is asked for until none is wanted.
func rewordedBy(t *testing.T, ask model, legs int) (list []drawn, asked int, tape *aar.Cassette) {
	t.Helper()
	a := newAtlas()
	site := aar.Site{Base: "https://test.example/wiki/", Language: "en", Year: 2026}
	tape = aar.NewCassette()
	in := Alone{
		World: aar.NewWorld(site, a.pages, a.aliases()), Graph: a.graph(), Cassette: tape,
		Snapshot: schemas.Snapshot{Date: "20260101"},
	}
	p := params(ProfileStrict)
	p.Verbalizer, p.Legs = VerbalizerLLM, legs
	for {
		calls, err := p.Calls(t.Context(), in, 100)
		if err != nil {
			t.Fatal(err)
		}
		if len(calls) == 0 {
			break
		}
		for _, c := range calls {
			var args struct {
				Messages    []schemas.Message
				Temperature int
			}
			if err := json.Unmarshal(c.Args, &args); err != nil || c.Tool != aar.ToolLLM ||
				args.Temperature != 0 || len(args.Messages) < 2 {
				t.Fatalf("%s %s (%v)", c.Tool, c.Args, err)
			}
			asked++
			response, _ := json.Marshal(ask(args.Messages))
			err := tape.Put(aar.Recording{
				Tool: c.Tool, Args: c.Args, Response: aar.ResponseOf(response), Status: aar.RecordedOK,
				Provider: "script", RecordedAt: "2026-01-01T00:00:00Z",
			}, false)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	f, err := p.fieldOf(t.Context(), in, tape.Answers(), 2)
	if err != nil {
		t.Fatal(err)
	}
	m := newMaker(t.Context(), f, p)
	for _, x := range p.ids() {
		d, err := m.draw(x)
		if err != nil || d.made == nil {
			t.Fatal(x, err, d.failed)
		}
		list = append(list, d)
	}
	return list, asked, tape
}

// riddleIn returns the riddle that a model was asked to reword.
func riddleIn(messages []schemas.Message) string {
	_, riddle, _ := strings.Cut(messages[1].Content, "\n\n")
	return riddle
}

var clueHead = regexp.MustCompile(`(?m)^(\d+\. )`)

// plain says the same in words of no table.
func plain(messages []schemas.Message) string {
	return clueHead.ReplaceAllString(riddleIn(messages), "${1}Well then: ")
}

func TestAModelRewordsRiddlesBehindTheGates(t *testing.T) {
	template := map[string]string{}
	p := params(ProfileStrict)
	p.Legs = 1
	m := newMaker(t.Context(), atlasField(t), p)
	for _, x := range p.ids() {
		d, err := m.draw(x)
		if err != nil || d.made == nil {
			t.Fatal(x, err)
		}
		template[x.variant+x.level] = d.made.leg.Riddle
	}
	for _, c := range []struct {
		name, want string
		asked      int // for each leg
		ask        model
	}{
		{"other words", aar.WasReworded, 1, plain},
		{
			"a riddle without its last clue", aar.LeakNumbers, aar.MaxRewordings + aar.MaxCorrections,
			func(m []schemas.Message) string {
				riddle := plain(m)
				return riddle[:strings.LastIndex(riddle, "\n\n")]
			},
		},
		{
			"one number more", aar.LeakNumbers, aar.MaxRewordings + aar.MaxCorrections,
			func(m []schemas.Message) string { return plain(m) + " It is 4." },
		},
		{
			"a tool by its name", aar.LeakNames, aar.MaxRewordings + aar.MaxCorrections,
			func(m []schemas.Message) string { return plain(m) + " Use maps_geocode." },
		},
		{"corrected once it is told", aar.WasReworded, 2, func(m []schemas.Message) string {
			if len(m) == 2 {
				return plain(m) + " Use maps_geocode."
			}
			return plain(m)
		}},
		{"the third wording", aar.WasReworded, 0, func(m []schemas.Message) string {
			if strings.HasPrefix(m[1].Content, "Wording 3 ") {
				return plain(m)
			}
			return ""
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, asked, tape := rewordedBy(t, c.ask, 1)
			if c.asked > 0 && asked != c.asked*len(list) {
				t.Errorf("%d questions for %d legs, want %d for each", asked, len(list), c.asked)
			}
			if tape.Answers() != nil {
				t.Error("rewordings are answers of tools")
			}
			for _, d := range list {
				checkReworded(t, d, c.want, template[d.variant+d.level])
			}
		})
	}
}

// checkReworded holds a leg to what became of its rewording.
func checkReworded(t *testing.T, d drawn, want, template string) {
	t.Helper()
	l := d.made.leg
	if d.made.reworded != want {
		t.Errorf("%+v: %s, want %s", d.id, d.made.reworded, want)
	}
	if yes := want == aar.WasReworded; aar.Reworded(l) != yes || (l.Riddle != template) != yes {
		t.Errorf("%+v: reworded %t:\n%s", d.id, aar.Reworded(l), l.Riddle)
	}
	if misread := aar.MisreadClues(l); len(misread) > 0 {
		t.Errorf("%+v: %+v", d.id, misread)
	}
	if issues := aar.Validate(l, false); len(issues) > 0 {
		t.Errorf("%+v: %+v", d.id, issues)
	}
	again, err := aar.DecodeLine(aar.EncodeLine(l))
	if err != nil || !bytes.Equal(aar.EncodeLine(again), aar.EncodeLine(l)) {
		t.Errorf("%+v is read as another leg: %v", d.id, err)
	}
	if e, _, err := aar.FinishOf(l); err != nil || len(e.Operands) < 2 {
		t.Errorf("%+v: no finish (%v)", d.id, err)
	}
}

func TestWithoutRecordingsRiddlesStay(t *testing.T) {
	p := params(ProfileStrict)
	p.Verbalizer = VerbalizerLLM
	m := newMaker(t.Context(), atlasField(t), p)
	x := id{"linear", "easy", 1}
	d, err := m.draw(x)
	same, errSame := newMaker(t.Context(), atlasField(t), params(ProfileStrict)).draw(x)
	if err != nil || errSame != nil || d.made.reworded != notRecorded ||
		!bytes.Equal(aar.EncodeLine(d.made.leg), aar.EncodeLine(same.made.leg)) {
		t.Errorf("%v %v %+v", err, errSame, d.made)
	}
}
