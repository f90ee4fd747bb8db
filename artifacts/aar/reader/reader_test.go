package reader

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
)

// page makes a town with an elevation that links to others.
func page(id uint32, title, says string, metres int, links ...string) schemas.Text {
	text := "# " + title + "\nTown\n\n| Infobox | settlement |\n| --- | --- |\n| Coordinates | " + string('1'+rune(id)) +
		"0°N 5°E |\n| Elevation (m) | " + string(aar.IntegerValue(int64(metres))) + " |\n\n" + title + " is " + says + ".\n"
	for _, l := range links {
		text += "\n[it](/wiki/" + l + ")"
	}
	return schemas.Text{
		PageID: id, Title: title, ShortDescription: "Town", Text: text,
		Chars: uint32(len([]rune(text))),
	}
}

// three is a world of three towns, and a riddle from the first to the third.
func three() (*aar.Tools, []aar.Clue) {
	w := aar.NewWorld(aar.Site{Base: "https://test.example/wiki/", Year: 2026}, []schemas.Text{
		page(1, "Alpha", "a town with a mint on the lake", 120, "Beta", "Gamma"),
		page(2, "Beta", "a town with a ferry on the river", 33, "Gamma"),
		page(3, "Gamma", "a town with a kiln on the cliffs", 7, "Alpha"),
	}, nil)
	return &aar.Tools{World: w}, []aar.Clue{
		{Slot: aar.SlotSeed, Kind: "elevation", Unit: "m"},
		{
			Slot: aar.SlotLink, A: 1, Phrase: "a town with a ferry on the river", Kind: "elevation",
			Unit: "m",
		},
		{Slot: "tool.geocode_distance", A: 1, B: 2},
		{
			Slot: aar.SlotSearch, Phrase: "a town with a kiln on the cliffs", Kind: "elevation",
			Unit: "m",
		},
		{Slot: "tool.math_conversion", A: 4, From: "metres", To: "feet", Factor: "3.28084"},
		{Slot: "reason.digit_sum", A: 1},
		{Slot: "merge.abs_diff", A: 2, B: 5},
		{Slot: "finish.mod10", List: []int{6, 7}},
	}
}

func TestTheReaderFollowsARiddle(t *testing.T) {
	tools, clues := three()
	x := Over(tools).Read(t.Context(), aar.Riddle(clues), "https://test.example/wiki/Alpha")
	var got []string
	for _, s := range x.Stops {
		got = append(got, string(s.Value))
	}
	if want := "120 33 1111.951 7 22 3 11 4"; strings.Join(got, " ") != want || !x.Known ||
		x.Code != 4 {
		t.Errorf("got %v, code %d (%t), want %s", got, x.Code, x.Known, want)
	}
}

func TestWhatIsNotUnderstoodIsUnknown(t *testing.T) {
	tools, clues := three()
	r := Over(tools)
	for name, riddle := range map[string]string{
		"no wording": strings.Replace(aar.Riddle(clues), "Add", "Ponder",
			1) + " And then some.",
		"no such link":    strings.Replace(aar.Riddle(clues), "clue 1", "clue 9", 1),
		"another factor":  strings.Replace(aar.Riddle(clues), "3.28084", "3.3", 1),
		"nothing":         "",
		"only a number":   "1. ",
		"a later operand": strings.Replace(aar.Riddle(clues), "clues 6 and 7", "clues 7 and 8", 1),
	} {
		if x := r.Read(t.Context(), riddle, "https://test.example/wiki/Alpha"); x.Known {
			t.Errorf("%s: the code is %d", name, x.Code)
		}
	}
	x := r.Read(t.Context(), aar.Riddle(clues), "https://test.example/wiki/Nowhere")
	if x.Known || x.Stops[0].Page != -1 || x.Stops[3].Page != 2 {
		t.Errorf("without a seed: %+v", x.Stops)
	}
}

func TestPlayersLackWhatTheyLack(t *testing.T) {
	tools, clues := three()
	set := NewSet(Over(tools), 42)
	leg := func(passcode int) *schemas.AARLeg {
		url, expression := "https://test.example/wiki/Alpha", "(3 + 11) % 10"
		return &schemas.AARLeg{
			SeedURL: url, Riddle: aar.Riddle(clues), Passcode: passcode,
			Stops: []schemas.AARStop{
				{Type: schemas.AARPage, PageURL: &url, ExtractedValue: schemas.AARValue("3")},
				{Type: schemas.AARReason, ExtractedValue: schemas.AARValue("11")},
				{
					Type: schemas.AARCompute, ExtractedValue: schemas.AARValue("4"),
					Bridge: schemas.AARBridge{Expression: &expression, ReferencedStops: []int{
						0,
						1,
					}},
				},
			},
		}
	}
	legs := []*schemas.AARLeg{leg(4), leg(9), leg(9), leg(4)}
	for _, l := range legs {
		set.Add(l)
	}
	// of the first: 9 is most frequent among the others
	for player, want := range map[string]string{
		Golden: "4", LastClue: "9", NoFetch: "9", RuleRead: "4",
	} {
		p, err := set.Play(t.Context(), player, "aar-linear-easy-001", legs[0])
		if err != nil || p.Answer != want {
			t.Errorf("%s answers %s (%v), want %s", player, p.Answer, err, want)
		}
		s := set.Score(legs[0], p)
		if wantPage := player == Golden || player == RuleRead; (s.PVR == 1) != wantPage ||
			s.FA != (p.Answer == "4") || s.RCR != -1 {
			t.Errorf("%s: %+v", player, s)
		}
	}
	a, _ := set.Play(t.Context(), Random, "aar-linear-easy-001", legs[0])
	b, _ := set.Play(t.Context(), Random, "aar-linear-easy-001", legs[1])
	if a.Answer != b.Answer || len(a.Turns) > 0 {
		t.Errorf("the digit of an instance is %s and %s", a.Answer, b.Answer)
	}
}

func TestGatesNameWhatIsWrong(t *testing.T) {
	tools, clues := three()
	r := Over(tools)
	leg := func(pages ...string) *schemas.AARLeg {
		l := &schemas.AARLeg{
			SeedURL: "https://test.example/wiki/Alpha", Riddle: aar.Riddle(clues),
			Passcode: 4,
		}
		values := strings.Fields("120 33 1111.951 7 22 3 11 4")
		for i, kind := range strings.Fields("page page tool page tool reason tool compute") {
			s := schemas.AARStop{Type: kind, ExtractedValue: schemas.AARValue(values[i])}
			if kind == schemas.AARPage {
				url := tools.World.URLOf(pages[0])
				s.PageURL, pages = &url, pages[1:]
			}
			l.Stops = append(l.Stops, s)
		}
		expression := "(3 + 11) % 10"
		l.Stops[7].Bridge = schemas.AARBridge{Expression: &expression, ReferencedStops: []int{5, 6}}
		source := 0
		l.Stops[5].ReasonSourceStop = &source
		return l
	}
	for _, c := range []struct {
		name   string
		change func(l *schemas.AARLeg)
		want   string
	}{
		{"as it is", func(*schemas.AARLeg) {}, ""},
		{"another code", func(l *schemas.AARLeg) { l.Passcode = 5 }, GateReader},
		{"a title", func(l *schemas.AARLeg) {
			l.Riddle = strings.Replace(l.Riddle, "a ferry",
				"a Gamma ferry", 1)
		}, aar.LeakTitle},
		{"a clue that search knows", func(l *schemas.AARLeg) {
			l.Riddle = strings.Replace(l.Riddle, "a ferry", "a Beta ferry", 1)
		}, GatePaste},
	} {
		l := leg("Alpha", "Beta", "Gamma")
		c.change(l)
		got := ""
		if closed := r.Gates(t.Context(), l, c.want == GatePaste); closed != nil {
			got = closed.Gate
		}
		if got != c.want {
			t.Errorf("%s: the gate %q, want %q", c.name, got, c.want)
		}
	}
}
