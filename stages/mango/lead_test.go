package mango

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// giveLeads gives leads.arrow; lead is "" for a page without, and nil for a table without rows.
func giveLeads(env *stagetest.Env, w stagetest.Wiki, lead func(u int) string) {
	env.Give(schemas.Leads, "leads.arrow", func(out io.Writer) (arrowio.Summary, error) {
		t, err := arrowio.NewWriter(out, schemas.LeadsTable, arrowio.Options{})
		if err != nil {
			return arrowio.Summary{}, err
		}
		for u, page := range w.PageIDs {
			if lead == nil {
				break
			}
			if err := t.Row(page, lead(u), false, make([]byte, 32)); err != nil {
				return arrowio.Summary{}, err
			}
		}
		return t.Close()
	})
}

// giveAliases gives aliases.arrow: page u is also called alias(u), and one alias leads nowhere.
func giveAliases(env *stagetest.Env, w stagetest.Wiki, alias func(u int) string) {
	env.Give(schemas.Aliases, "aliases.arrow", func(out io.Writer) (arrowio.Summary, error) {
		t, err := arrowio.NewWriter(out, schemas.AliasesTable, arrowio.Options{})
		if err != nil {
			return arrowio.Summary{}, err
		}
		row := func(title, target string, page uint32, status string) error {
			return t.Row(title, uint32(1), target, page, "", uint8(1), status)
		}
		for u, page := range w.PageIDs {
			if err := row(alias(u), w.Titles[u], page, schemas.AliasOK); err != nil {
				return arrowio.Summary{}, err
			}
		}
		if err := row("Leading", "", 0, "missing"); err != nil {
			return arrowio.Summary{}, err
		}
		return t.Close()
	})
}

func aliasOf(u int) string { return fmt.Sprintf("Place No %d", u) }

// gossip is a lead that names every page of the town, by title and alias, in brackets and across lines.
func gossip(w stagetest.Wiki) func(u int) string {
	return func(u int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s is leading.\n", w.Titles[u])
		for i := range 8 {
			v := (u + i*i + 1) % len(w.Titles)
			fmt.Fprintf(&b, "It has a [link] to PAGE\n%d, or %s! ", v, aliasOf(v))
		}
		return b.String()
	}
}

// checkLead: the middle line is the page's own text, short enough, and names no other page of the maze; the oracle is a regular
// expression.
func checkLead(t *testing.T, m tale, s schemas.MangoStep, lead string) {
	t.Helper()
	if !strings.HasPrefix(lead, s.Dst+" is leading.") || utf8.RuneCountInString(lead) > 300 || strings.ContainsAny(lead, "[]\n") || !strings.HasSuffix(lead, "!") {
		t.Errorf("%s: step %d shows the lead %q of %s", m.record.MazeID, s.Step, lead, s.Dst)
	}
	for _, page := range m.record.Pages {
		number := strings.TrimPrefix(page.Location, "Page ")
		if page.Location != s.Dst && regexp.MustCompile(`(?i)(page|place no) `+number+`([^0-9]|$)`).MatchString(lead) {
			t.Errorf("%s: step %d names %s in %q", m.record.MazeID, s.Step, page.Location, lead)
		}
	}
}

func TestNamesAreShownWhereNoPageHasALead(t *testing.T) {
	for name, lead := range map[string]func(int) string{"no rows": nil, "no text": func(int) string { return " " }} {
		w := town(60)
		env := envOf(t, w)
		giveLeads(env, w, lead)
		p := small()
		p.Mazes = 1
		env.MustRun(New(p))
		if len(env.Warnings) != 1 || env.Warnings[0].Code != "W_MANGO_NO_LEADS" || env.Counters["nodes_with_lead"] != 0 {
			t.Errorf("%s: warnings %v, counters %v", name, env.Warnings, env.Counters)
		}
		records := read[schemas.MangoMaze](t, env, "mazes.jsonl")
		if len(records) != 1 || records[0].Params.Observation != schemas.MangoObserveName {
			t.Fatalf("%s: records %+v", name, records)
		}
		for _, s := range read[schemas.MangoStep](t, env, "maze-0000.steps.jsonl") {
			if strings.Count(s.Observation, "\n") != 1 {
				t.Errorf("%s: step %d shows %q", name, s.Step, s.Observation)
			}
		}
	}
}

func TestLeadsAreNotReadWhereNamesAreAskedFor(t *testing.T) {
	env, p := envOf(t, town(60)), small()
	p.Mazes, p.Observation = 1, schemas.MangoObserveName
	env.MustRun(New(p))
	if len(env.Warnings) != 0 || strings.Contains(string(env.Read("maze-0000.walkthrough")), "is leading") {
		t.Errorf("warnings %v, walkthrough %s", env.Warnings, env.Read("maze-0000.walkthrough"))
	}
}

func TestPagesWithoutLeadAreNoLocations(t *testing.T) {
	w := town(80)
	env := envOf(t, w)
	giveLeads(env, w, func(u int) string {
		if u%4 == 0 {
			return ""
		}
		return gossip(w)(u)
	})
	p := small()
	p.Mazes = 6
	env.MustRun(New(p))
	records := read[schemas.MangoMaze](t, env, "mazes.jsonl")
	if len(records) == 0 || env.Counters["nodes_with_lead"] != 60 {
		t.Fatalf("%d mazes, counters %v", len(records), env.Counters)
	}
	for _, r := range records {
		for _, page := range r.Pages {
			if w.Node(page.Location)%4 == 0 {
				t.Errorf("%s has %s, which has no lead", r.MazeID, page.Location)
			}
		}
	}
}

func TestMaskBlanksOtherNamesOnly(t *testing.T) {
	for _, c := range []struct {
		text   string
		kept   []string
		hidden []string
		want   string
	}{
		{"Tirana and IRAN.", nil, []string{"iran"}, "Tirana and ____."},
		{"The North Sea is a sea.", nil, []string{"sea", "north sea"}, "The ____ is a ____."},
		{"US Army of the US", []string{"us army"}, []string{"us"}, "US Army of the ____"},
		{"A b c", []string{"a b"}, []string{"b c"}, "A ____"}, // an own name that overlaps hides nothing
		{"x a b c y", nil, []string{"a b", "b c"}, "x ____ y"},
		{"a,b", nil, []string{"a", "b"}, "____,____"},
		{"İİ Ağrı İzmir!", nil, []string{"izmir"}, "İİ Ağrı ____!"}, // capitals of two bytes, small letters of one
		{"nothing", nil, []string{"", "thing"}, "nothing"},
	} {
		if got := mask(c.text, c.kept, c.hidden); got != c.want {
			t.Errorf("%q without %q: got %q, want %q", c.text, c.hidden, got, c.want)
		}
	}
}

func TestACutEndsASentenceElseAWord(t *testing.T) {
	for _, c := range []struct {
		line  string
		limit int
		want  string
	}{
		{"One. Two.", 9, "One. Two."},
		{"One. Two.", 8, "One."},
		{"One. Two.", 4, "One."},
		{"One. Two.", 3, "One"},
		{"It said (so!) then left", 20, "It said (so!)"},
		{"Version 1.5 of it", 14, "Version 1.5 of"},
		{"Iranian war", 5, ""},
		{"an Iranian war", 7, "an"},
		{"一。二三。四", 4, "一。"},
		{"一、二三四", 4, "一、"},
		{"anything", 0, ""},
	} {
		if got := cut(c.line, c.limit); got != c.want {
			t.Errorf("%q at %d: got %q, want %q", c.line, c.limit, got, c.want)
		}
	}
}

func TestNamesAreSpokenWithoutTheirParenthesis(t *testing.T) {
	got := spoken([]string{"Mercury (planet)", "(What's the Story)", "Array[1]"})
	if want := []string{"mercury (planet)", "mercury", "(what's the story)", "array(1)"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNoHiddenNameIsLeft tries random names in random texts: what is masked and cut names nobody but the page itself.
func TestNoHiddenNameIsLeft(t *testing.T) {
	const seed = 11
	s := rng.New(seed, "mask")
	words := func(most int) string {
		out := make([]string, 1+s.Below(most))
		for i := range out {
			out[i] = []string{"a", "B", "ab", "É", "b.", "(a", "ba"}[s.Below(7)]
		}
		return strings.Join(out, " ")
	}
	masked := 0
	for i := range 3000 {
		text, own, limit := words(20), strings.ToLower(words(3)), s.Below(40)
		var hidden []string
		for range 3 {
			if name := strings.ToLower(words(3)); !holds(own, name) {
				hidden = append(hidden, name)
			}
		}
		got := cut(mask(text, []string{own}, hidden), limit)
		masked += strings.Count(got, blank)
		for _, name := range hidden {
			if regexp.MustCompile(`(^|[^\pL\pN])` + regexp.QuoteMeta(name) + `($|[^\pL\pN])`).MatchString(strings.ToLower(got)) {
				t.Fatalf("seed %d, case %d: %q is left in %q, of %q on the page %q", seed, i, name, got, text, own)
			}
		}
	}
	if masked < 1000 {
		t.Errorf("only %d names were masked", masked)
	}
}
