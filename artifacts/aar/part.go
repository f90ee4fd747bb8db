package aar

import (
	"fmt"
	"runtime"
	"slices"
	"unicode/utf8"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Part is the folder of the family in a release. Its texts are those of the snapshot, and have
// its licence.
var Part = part{release.Base{Artifact: schemas.AAR, Kinds: []release.Kind{
	release.TableKind(TextsFile, schemas.TextsTable),
	release.TableKind(PlacesFile, schemas.AARPlacesTable),
	release.TableKind(IndexFile, schemas.AARIndexTable),
	release.TableKind(AliasesFile, schemas.AARAliasesTable),
	{Pattern: LegsFile("*", "*"), Schema: schemas.AARLegSchema, Rows: true},
	release.RecordKind(LegsTable, LegRows),
	{Pattern: CassetteFile, Schema: RecordingSchema, Rows: true},
	{Pattern: ReportFile, Schema: ReportSchema},
}, Of: "titles, ids and texts of pages: what readers see, as plain lines and cut at a length"}}

type part struct{ release.Base }

// Contents is the type of Part, for package reader, whose part does all that this one does.
type Contents = part

// WhyNotCarried is documented at release.Uncarried.
func (part) WhyNotCarried() string {
	return "a leg is checked against the texts, facts and places of the snapshot that it was made from"
}

// Published reports whether there is a world: without texts there is none.
func (part) Published(f release.Files) (bool, error) { return f.Has(TextsFile), nil }

// Counters of the stage.
const (
	counterPages     = "pages"
	counterTyped     = "pages_with_number_or_date"
	counterLocated   = "pages_with_coordinates"
	counterCountries = "countries_with_population_and_area"
)

// Counters returns what a stage counts of a survey.
func (s Survey) Counters() map[string]int64 {
	return map[string]int64{
		counterPages: s.Pages, counterTyped: s.Typed, counterLocated: s.Located,
		counterCountries: s.Countries,
	}
}

// Tell says why there are no legs.
func (part) Tell(f release.Files) ([]string, error) {
	pages, counted := f.Counters[counterPages]
	switch {
	case !counted:
	case pages == 0:
		return []string{"no page texts: run ingest with --texts on"}, nil
	case f.Counters[counterTyped] == 0:
		return []string{fmt.Sprintf("no typed facts: 0 of %d", pages)}, nil
	}
	return nil, nil
}

func (p part) Card(f release.Files) (release.Card, error) {
	card := release.Card{Text: fmt.Sprintf(cardText,
		f.Rows(TextsFile), f.Rows(PlacesFile), f.Rows(AliasesFile), f.Counters[counterTyped],
		f.Counters[counterLocated], f.Counters[counterCountries])}
	if len(legFiles(f.Has)) == 0 {
		return card, nil
	}
	card.Configs = []release.Config{{
		Name: p.Artifact.Name + "_legs", Rows: f.Rows(LegsTable),
		Files: []release.ConfigFile{{Split: "test", Name: LegsTable}},
	}}
	if f.Has(ReportFile) {
		var r Report
		if err := f.Document(ReportFile, &r); err != nil {
			return card, err
		}
		card.Text += "\n" + r.Text()
	}
	card.Text += "\n" + release.FieldTable(p.Folder()+"/"+LegsTable, LegRows.Doc())
	return card, nil
}

const cardText = "## The world of the Amazing Agent Race (aar)\n\n" +
	"An agent follows a riddle over pages, tool calls and small computations to one digit. The\n" +
	"pages are those of `aar/texts.arrow`: the text of each as its readers see it, at most 8,000\n" +
	"characters, with links to these pages alone. Tools answer from these files and from nothing\n" +
	"else.\n\n" +
	"| what | number |\n| --- | ---: |\n| pages | %d |\n| places | %d |\n| aliases | %d |\n" +
	"| pages with a number or date fact | %d |\n| pages with coordinates | %d |\n" +
	"| countries with population and area | %d |\n"

// Check holds the world to itself: its texts have the form that they must and links that open,
// and places, search index and counters are those of the texts and aliases.
func (part) Check(c *release.Check) {
	tables := map[string]schemas.Table{
		TextsFile: schemas.TextsTable, PlacesFile: schemas.AARPlacesTable,
		IndexFile: schemas.AARIndexTable, AliasesFile: schemas.AARAliasesTable,
	}
	whole := true
	for name, t := range tables { // findings of their own
		c.Need(name)
		c.CheckTable(name, t)
		whole = whole && c.Files().Has(name)
	}
	if !whole {
		c.Skip("the world of %s: some of its files are damaged or missing", TextsFile)
		return
	}
	w, err := OpenWorld(c.Files())
	if err != nil {
		c.Fail("world", TextsFile, err)
		return
	}
	defer w.Close()
	tape, err := ReleasedCassette(c.Files())
	if err != nil {
		c.Fail("records", CassetteFile, err)
		return
	}
	err = arrowio.Guard(func() error {
		checkTexts(c, w)
		checkAliases(c, w)
		checkIndex(c, w)
		survey, err := SurveyOf(c.Context(), w, runtime.GOMAXPROCS(0))
		if err != nil {
			return err
		}
		checkLegs(c, &Tools{World: w, Cassette: tape}, survey)
		checkPlaces(c, w, survey)
		return nil
	})
	if err != nil && c.Context().Err() == nil {
		c.Fail("world", TextsFile, err)
	}
}

// checkTexts checks the form of every text, its page, and that each of its links opens.
func checkTexts(c *release.Check, w *World) {
	if !c.Wants(TextsFile) {
		return
	}
	g := c.Graph()
	for i := range w.Len() {
		if c.Context().Err() != nil {
			return
		}
		t, where := w.Text(i), release.Row(i)
		bad := func(field string, want, got any) { c.Add(field, TextsFile, where, want, got) }
		if j, _ := w.Titled(t.Title); j != i {
			bad("title", "one that no other page has", t.Title)
		}
		if g != nil {
			if u, ok := g.Node(t.PageID); ok && g.Title(u) != t.Title {
				bad("title", g.Title(u), t.Title)
			}
		}
		n := uint32(utf8.RuneCountInString(t.Text))
		if n > schemas.TextLimit || n > t.Chars || !t.Truncated && n != t.Chars {
			bad("chars", fmt.Sprintf("those of a text of %d, at most %d", t.Chars, schemas.TextLimit), n)
		}
		relink(t.Text, func(l link) bool {
			if _, ok := w.Page(linkPath + l.target); !ok {
				bad("link", "one that opens a page of the world", l.target)
			}
			return true
		})
	}
}

// checkAliases checks that every alias is the name of one page of the world, and no title.
func checkAliases(c *release.Check, w *World) {
	if !c.Wants(AliasesFile) {
		return
	}
	before := ""
	for k := range w.Aliases() {
		a, where := w.Alias(k), release.Row(k)
		if _, ok := w.Number(a.PageID); !ok {
			c.Add("page_id", AliasesFile, where, "a page of "+TextsFile, a.PageID)
		}
		if _, title := w.Titled(a.Name); title || k > 0 && a.Name == before {
			c.Add("alias", AliasesFile, where, "a name that no other page has", a.Name)
		}
		before = a.Name
	}
	checkRedirects(c, w)
}

// checkRedirects compares the aliases of pages of the graph with the redirects of the graph: both
// are in the order of their names.
func checkRedirects(c *release.Check, w *World) {
	g, t := c.Graph(), c.Aliases()
	if g == nil || t == nil {
		c.Skip("%s against the redirects of the graph: these are damaged or missing", AliasesFile)
		return
	}
	k := 0
	alias := func() (Alias, bool) { // the next one of a page of the graph
		for ; k < w.Aliases(); k++ {
			if _, ok := g.Node(w.Alias(k).PageID); ok {
				return w.Alias(k), true
			}
		}
		return Alias{}, false
	}
	extra := func(a Alias) {
		c.Add("alias", AliasesFile, release.Row(k), "a redirect of the graph", a.Name)
	}
	col := schemas.ReleaseAliasesTable.Index
	for b := range t.Batches() {
		titles, nodes := t.Strings(b, col("title")), t.Uint32s(b, col("node"))
		for i, node := range nodes {
			if int(node) >= g.Len() {
				continue // a finding of its own
			}
			want := Alias{titles.At(i), g.PageIDs[node]}
			if _, ok := w.Number(want.PageID); !ok {
				continue
			}
			a, ok := alias()
			for ; ok && a.Name < want.Name; a, ok = alias() {
				extra(a)
				k++
			}
			if !ok || a != want {
				c.Add("alias", AliasesFile, "", fmt.Sprint(want.Name, " of page ", want.PageID), "none")
			}
			if ok && a.Name == want.Name {
				k++
			}
		}
	}
	for a, ok := alias(); ok; a, ok = alias() {
		extra(a)
		k++
	}
}

// checkPlaces compares places and counters with those that the texts give.
func checkPlaces(c *release.Check, w *World, survey Survey) {
	if c.Wants(TextsFile) {
		for name, want := range survey.Counters() { // findings of their own
			if got, counted := c.Files().Counters[name]; counted {
				release.Differ(c, name, TextsFile, "counters", want, got)
			}
		}
	}
	if !c.Wants(PlacesFile) {
		return
	}
	for i := range w.Len() {
		want, must := survey.Places[i]
		got, is := w.Place(i)
		if want != got || must != is {
			c.Add("place", PlacesFile, fmt.Sprint("page ", w.ID(i)),
				fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got))
		}
	}
}

// checkIndex compares the index with that of the titles, aliases and short descriptions.
func checkIndex(c *release.Check, w *World) {
	if !c.Wants(IndexFile) {
		return
	}
	want := IndexOf(w)
	release.Differ(c, "tokens", IndexFile, "", len(want), w.Index.rows.len())
	for i := range min(len(want), w.Index.rows.len()) {
		p, k := w.Index.rows.at(i)
		same := slices.Equal(p.docs.At(k), want[i].Docs) && slices.Equal(p.counts.At(k), want[i].Count)
		if token := p.tokens.At(k); token != want[i].Token || !same {
			c.Add("token", IndexFile, release.Row(i), "the pages and counts of "+want[i].Token, token)
		}
	}
}
