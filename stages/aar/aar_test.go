package aar

import (
	"context"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

const city = "# A\nA town\n\n| Infobox | settlement |\n| --- | --- |\n| Coordinates | 1°30′N 2°W |\n| Elevation (m) | 893 |\n" +
	"| Population total | 2,385 |\n\n[b](/wiki/B), [by another name](/wiki/Bee), [gone](/wiki/Gone), [a loop](/wiki/Loop)"

// give makes the inputs of three pages, of which the graph links A and B, and D stands alone.
func give(t *testing.T, texts ...schemas.Text) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	w := stagetest.ParseWiki("A->B B->A,C C->A,B")
	env.GiveGraph(w)
	env.GiveNodes(w)
	env.GiveSnapshot()
	env.GiveNone(schemas.AARCassette)
	env.Give(schemas.Texts, "texts.arrow", stages.Rows(schemas.TextsTable, arrowio.Options{}, func(out *arrowio.Writer) error {
		for _, p := range texts {
			if err := out.Row(p.PageID, p.Title, p.ShortDescription, p.Text, p.Chars, p.Truncated); err != nil {
				return err
			}
		}
		return nil
	}))
	env.Give(schemas.Aliases, "aliases.arrow", stages.Rows(schemas.AliasesTable, arrowio.Options{}, func(out *arrowio.Writer) error {
		for _, a := range []struct {
			title  string
			target uint32
			status string
		}{{"Bee", w.PageIDs[w.Node("B")], schemas.AliasOK}, {"Loop", 0, schemas.AliasLoop}, {"See", w.PageIDs[w.Node("C")], schemas.AliasOK}} {
			if err := out.Row(a.title, uint32(9000), "", a.target, "", uint8(1), a.status); err != nil {
				return err
			}
		}
		return nil
	}))
	return env
}

func article(id uint32, title, text string) schemas.Text {
	return schemas.Text{PageID: id, Title: title, Text: text, Chars: uint32(len([]rune(text)))}
}

func threePages(t *testing.T) *stagetest.Env {
	return give(t, article(1000, "A", city), article(1003, "B", "# B\n\n[c](/wiki/C) [a](/wiki/a)"), article(1006, "C", "# C"),
		article(1009, "D", "# D\n\n| Infobox | country |\n| --- | --- |\n| Population census | 5 |\n| Area (km²) | 6 |"))
}

func TestTheStageKeepsTheContract(t *testing.T) {
	stagetest.Run(t, New(Default()), threePages(t))
}

// written opens what a run wrote.
func written(t *testing.T, env *stagetest.Env) *aar.World {
	t.Helper()
	var files release.Files
	for _, name := range env.OutputNames() {
		f, err := env.Written(name)
		if err != nil {
			t.Fatal(err)
		}
		files.Add(name, f.Root, f.Name, f.Digest, -1, "")
	}
	w, err := aar.OpenWorld(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestTheWorldHasItsPagesAndWhatFollowsFromThem(t *testing.T) {
	env := threePages(t)
	env.MustRun(New(Default()))
	for name, want := range map[string]int64{
		"pages": 4, "aliases": 2, "links_replaced": 2, "pages_with_number_or_date": 2, "pages_with_coordinates": 1,
		"countries_with_population_and_area": 1, "scc_located_with_elevation": 1,
	} {
		if got := env.Counters[name]; got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
	w := written(t, env)
	text := w.Text(0)
	if want := "\n[b](/wiki/B), [by another name](/wiki/Bee), gone, a loop"; !strings.HasSuffix(text.Text, want) {
		t.Errorf("got %q, want it to end in %q", text.Text, want)
	}
	if got := uint32(len([]rune(text.Text))); got != text.Chars {
		t.Errorf("%d characters, said are %d", got, text.Chars)
	}
	if i, ok := w.Page("https://test.example/wiki/Bee"); !ok || w.Title(i) != "B" {
		t.Errorf("the redirect opens %d (%t)", i, ok)
	}
	want := aar.Place{Located: true, Lat: 1_500_000, Lng: -2_000_000, Elevation: "893", Settlement: true}
	if got, ok := w.Place(0); !ok || got != want {
		t.Errorf("got %+v (%t), want %+v", got, ok, want)
	}
	if hits := w.Search("see", 5); len(hits) != 1 || w.Title(hits[0].Page) != "C" {
		t.Errorf("an alias finds %v, want C", hits)
	}
	if hits := w.Search("elevation loop population", 5); len(hits) != 0 {
		t.Errorf("words of texts find %v, want nothing", hits)
	}
}

func TestAWorldOpenedIsTheWorldInMemory(t *testing.T) {
	env := threePages(t)
	env.MustRun(New(Default()))
	mapped := written(t, env)
	var pages []schemas.Text
	var names []aar.Alias
	for i := range mapped.Len() {
		pages = append(pages, mapped.Text(i))
	}
	for k := range mapped.Aliases() {
		names = append(names, mapped.Alias(k))
	}
	memory := aar.NewWorld(mapped.Site, pages, names)
	for i := range pages {
		a, isA := memory.Place(i)
		b, isB := mapped.Place(i)
		if a != b || isA != isB || memory.URL(i) != mapped.URL(i) || memory.ID(i) != mapped.ID(i) {
			t.Errorf("page %d: in memory %+v, mapped %+v", i, a, b)
		}
		for _, query := range []string{memory.Title(i), "a town see bee"} {
			a, b := memory.Search(query, 9), mapped.Search(query, 9)
			if len(a) != len(b) || len(a) > 0 && a[0] != b[0] {
				t.Errorf("%s: in memory %v, mapped %v", query, a, b)
			}
		}
	}
}

// TestALargeSnapshotGivesThePagesThatAreLinkedMost takes the rule for snapshots of more than so
// many articles.
func TestALargeSnapshotGivesThePagesThatAreLinkedMost(t *testing.T) {
	for _, c := range []struct {
		whole, size int
		want        string
	}{{4, 1, "A B C D"}, {3, 1, "A"}, {3, 2, "A B"}, {3, 3, "A B C"}, {3, 9, "A B C D"}} {
		env := threePages(t)
		var got []string
		env.MustRun(stages.Make(New(Default()).Spec(), func(_ context.Context, run *stages.Run) error {
			w, err := openWorld(run, c.whole, c.size)
			if err != nil {
				return err
			}
			for _, row := range w.rows {
				got = append(got, w.texts.Strings(0, textTitle).At(row))
			}
			return nil
		}))
		if strings.Join(got, " ") != c.want {
			t.Errorf("%d of more than %d pages: got %v, want %s", c.size, c.whole, got, c.want)
		}
	}
}

func TestWithoutTextsNothingIsPublished(t *testing.T) {
	env := give(t)
	env.MustRun(New(Default()))
	if got := strings.Join(env.OutputNames(), " "); got != schemas.QuotasFile {
		t.Errorf("got %s, want %s alone", got, schemas.QuotasFile)
	}
	files := release.Files{Counters: env.Counters}
	if published, err := aar.Part.Published(files); published || err != nil {
		t.Errorf("published: %t, %v", published, err)
	}
	notes, err := aar.Part.Tell(files)
	if want := "no page texts: run ingest with --texts on"; err != nil || len(notes) != 1 || notes[0] != want {
		t.Errorf("got %q, %v, want %q", notes, err, want)
	}
}

func TestBadParametersAreUsageErrors(t *testing.T) {
	for _, size := range []int{0, -1, 1_000_001} {
		p := Default()
		p.World = size
		if err := threePages(t).Run(t.Context(), New(p)); fault.KindOf(err) != fault.Usage {
			t.Errorf("world of %d: got %v, want a usage error", size, err)
		}
	}
}

// TestAGraphWithoutADayHasNoLegs takes an edge list, whose snapshot has no day.
func TestAGraphWithoutADayHasNoLegs(t *testing.T) {
	env := give(t)
	env.Give(schemas.SnapshotArtifact, "snapshot.json", stages.JSONDocument(schemas.Snapshot{
		Schema: schemas.SnapshotSchema, Wiki: "edges", Date: "00000000", Language: "en", Base: "x",
	}))
	env.MustRun(New(Default()))
	if got := strings.Join(env.OutputNames(), " "); got != schemas.QuotasFile {
		t.Errorf("got %s, want %s alone", got, schemas.QuotasFile)
	}
}
