package aar

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/aar/reader"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// giveAtlas makes the inputs of the atlas.
func giveAtlas(t *testing.T) *stagetest.Env {
	t.Helper()
	a := newAtlas()
	env := stagetest.New(t)
	g := a.graph()
	w := stagetest.Wiki{PageIDs: g.PageIDs, Succ: g.Succ, Flags: make([]uint16, g.Len())}
	for u := range uint32(g.Len()) {
		w.Titles = append(w.Titles, g.Title(u))
	}
	env.GiveGraph(w)
	env.GiveNodes(w)
	env.GiveSnapshot()
	env.GiveNone(schemas.AARCassette)
	env.Give(schemas.Texts, "texts.arrow", stages.Rows(schemas.TextsTable, arrowio.Options{},
		func(out *arrowio.Writer) error {
			for _, p := range a.pages {
				if err := out.Row(p.PageID, p.Title, p.ShortDescription, p.Text, p.Chars,
					p.Truncated); err != nil {
					return err
				}
			}
			return nil
		}))
	env.Give(schemas.Aliases, "aliases.arrow", stages.Rows(schemas.AliasesTable, arrowio.Options{},
		func(*arrowio.Writer) error { return nil }))
	return env
}

func TestTheStageWritesLegsAndTellsOfThem(t *testing.T) {
	p := params(ProfileStrict)
	p.Legs = 2
	written := map[string][]byte{}
	for _, workers := range []int{1, 3} {
		env := giveAtlas(t)
		env.NumWorkers = workers
		env.MustRun(New(p))
		for _, name := range env.OutputNames() {
			data := env.Read(name)
			if before, ok := written[name]; ok && !bytes.Equal(before, data) {
				t.Errorf("%s: other bytes with %d workers", name, workers)
			}
			written[name] = data
		}
	}
	var report aar.Report
	if err := canon.Decode(written[aar.ReportFile], canon.MaxLine, &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Groups) != 8 || len(report.Baselines) != 9*len(reader.Players) {
		t.Fatalf("%d groups and %d rows of baselines", len(report.Groups), len(report.Baselines))
	}
	for _, g := range report.Groups {
		lines := bytes.Split(bytes.TrimSpace(written[aar.LegsFile(g.Variant, g.Level)]),
			[]byte("\n"))
		failed := 0
		for _, n := range g.Failed { // a sum
			failed += n
		}
		if g.Made != 2 || len(lines) != 2 || g.Attempts != g.Made+failed {
			t.Errorf("%s %s: %d lines, %+v", g.Variant, g.Level, len(lines), g)
		}
		for k, line := range lines {
			l, err := aar.DecodeLine(line)
			if err != nil {
				t.Fatal(err)
			}
			if id := aar.LegIDIn(g.Variant, l); !strings.HasSuffix(id, "-"+pad(k+1)) ||
				aar.Variant(l) != g.Variant {
				t.Errorf("line %d of %s %s has the id %s", k, g.Variant, g.Level, id)
			}
		}
	}
	for _, b := range report.Baselines {
		golden := b.Player == reader.Golden || b.Player == reader.RuleRead
		if golden && (b.FA != "1.0000" || b.PVR != "1.0000" || b.RCR != "1.0000" &&
			b.Nulls < b.Legs) {
			t.Errorf("%+v, want 1", b)
		}
		if b.Player == reader.NoFetch && (b.PVR != "0.0000" || b.AllKnown > 0) {
			t.Errorf("%+v: pages were read", b)
		}
		if b.Player == reader.Paste && b.Variant == aar.ReportAll && b.PVRSeedless == "0.0000" &&
			b.PVR == "0.0000" {
			t.Errorf("%+v: not even the seed was read", b)
		}
	}
}

func TestWhatCannotBeMadeIsShortWithAReason(t *testing.T) {
	for _, c := range []struct {
		env  *stagetest.Env
		want string
	}{
		{give(t, article(1000, "A", "# A\n\nplain"), article(1003, "B", "# B"), article(1006, "C",
			"# C")), "no typed facts: 0 of 3"},
		{threePages(t), "no page to begin with: none of 4 has 4 headings"},
	} {
		c.env.MustRun(New(Default()))
		var list []schemas.Quota
		if err := json.Unmarshal(c.env.Read(schemas.QuotasFile), &list); err != nil ||
			len(list) != 8 {
			t.Fatalf("%v: %d quotas", err, len(list))
		}
		for _, q := range list {
			if q.Got != 0 || q.Requested != 50 || q.Status != schemas.StatusShort ||
				!strings.HasPrefix(q.Why, c.want) {
				t.Errorf("%+v, want %s", q, c.want)
			}
		}
	}
}

func TestALegAloneIsFoundByItsID(t *testing.T) {
	for _, bad := range []string{
		"", "aar-dag-hard-7", "aar-dag-hard-000", "aar-dag-odd-007",
		"dag-hard-007", "aar-dag-hard-007x",
	} {
		if x, err := parseID(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, x)
		}
	}
	if x, err := parseID("aar-linear-extreme-050"); err != nil || x != (id{
		"linear", "extreme",
		50,
	}) {
		t.Errorf("got %+v, %v", x, err)
	}
}

func TestSeedsThatAreNamedAreTaken(t *testing.T) {
	f := *atlasField(t)
	title := f.Title(f.seeds[3])
	if err := f.beginWith([]string{title}); err != nil {
		t.Fatal(err)
	}
	d, err := newMaker(t.Context(), &f, params(ProfileReleased)).draw(id{"linear", "easy", 1})
	if err != nil || d.made == nil || d.made.leg.SeedTitle != title {
		t.Errorf("%+v, %v, want a leg from %s", d, err, title)
	}
	if err := f.beginWith([]string{title, "Nowhere"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("got %v, want a usage error", err)
	}
}

func TestPhrasesReadWell(t *testing.T) {
	w := aar.NewWorld(aar.Site{}, []schemas.Text{
		article(1, "South Ruh, region", "# a"), article(2, "Saint Zar", "# b"),
		article(3, "Eats, shoots", "# c"), article(4, "South Ruh", "# d"),
	}, []aar.Alias{{Name: "Saint Zar, village (old name)", PageID: 2}})
	f := &field{World: w, kindBehind: kindsBehind(w)}
	for phrase, want := range map[string]string{
		"a order of Ela, in Republic of Mog":         "an order of Ela, in the Republic of Mog",
		"a land beside Republic of Mog, Ir":          "a land beside the Republic of Mog, Ir",
		"a land beside Ela, Republic of Mog and Ir":  "a land beside Ela, the Republic of Mog and Ir",
		"a land beside Ela and Republic of Mog":      "a land beside Ela and the Republic of Mog",
		"a town near River Zon":                      "a town near the River Zon",
		"a one-horse town in the Isle of An":         "a one-horse town in the Isle of An",
		"a European town":                            "a European town",
		"a lake in South Ruh, region, with":          "a lake in South Ruh, with",
		"a poet, born in Saint Zar, village and shy": "a poet, born in Saint Zar and shy",
		"a lake in Mog (name) and deep":              "a lake in Mog and deep",
		"a town in Mog, shoots of bamboo":            "a town in Mog, shoots of bamboo",
		"a bow of the The Prince event":              "a bow of The Prince event",
		"a novel by A. Wak about a raven":            "a novel by A. Wak about a raven",
		"a quest of Act I - …, after Come and Play!": "a quest of Act I - …, after Come and Play",
		"a poet from Mekzor, loved in Měkžor":        "a poet from Měkžor, loved in Měkžor",
		"a poet from Mosør, loved in Mosor, near Or": "a poet from Mosør, loved in Mosør, near Or",
	} {
		if got := f.smooth(phrase); got != want {
			t.Errorf("%s: got %s, want %s", phrase, got, want)
		}
	}
	if got := (&field{}).smooth("a lake in Ruh, region"); got != "a lake in Ruh, region" {
		t.Errorf("in a world without such names: got %s", got)
	}
}

// TestAPhraseEndsWhereItsSentenceDoes shows what is taken of a sentence, and that the kind is not
// hidden in names of states.
func TestAPhraseEndsWhereItsSentenceDoes(t *testing.T) {
	lead := "Zar is one of the parts of Mog, a land of rye; the next one is Ela. It is old."
	if got, want := predicate(lead), "one of the parts of Mog, a land of rye"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	m := (&field{}).maskOf([]string{"Funabia", "Republic of Funabia"})
	text := "a country beside the Republic of Mog, where Funabians live"
	if got, want := m.apply(text), "a country beside the Republic of Mog, where … live"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	place := aar.Facts("| Infobox | building |\n| --- | --- |\n| Location | Ela |\n", 2026)[0]
	if !repeats(place, "a moss that is to be found in Mog") || repeats(place, "a hall in Mog") {
		t.Errorf("%q is taken for another wording", place.Attribute())
	}
}

// TestALegThatNothingFitsIsNotTried shows that a world says at once which legs it cannot have.
func TestALegThatNothingFitsIsNotTried(t *testing.T) {
	f := *atlasField(t)
	if why := f.hopeless("dag"); why != "" {
		t.Errorf("the atlas: %s", why)
	}
	f.merges = false
	if f.hopeless("linear") != "" || !strings.Contains(f.hopeless("dag"), "no diamond") {
		t.Errorf("without places: %q, %q", f.hopeless("linear"), f.hopeless("dag"))
	}
	d, err := newMaker(t.Context(), &f, params(ProfileStrict)).draw(id{"dag", "easy", 1})
	if err != nil || d.attempts > 0 {
		t.Errorf("%d attempts, %v; want none", d.attempts, err)
	}
	f.supports = make([]bool, f.Len())
	if !strings.Contains(f.hopeless("linear"), "no template") {
		t.Errorf("without arguments of tools: %q", f.hopeless("linear"))
	}
}
