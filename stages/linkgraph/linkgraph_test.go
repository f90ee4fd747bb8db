package linkgraph

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	extract "github.com/wikinav/wikinav/dumps/wikitext/links"
	wiki "github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// workedText is that of the inputs specification, 5.7.
const workedText = `{{Infobox x|a=[[Africa#North|N]]}} [[cat]]s and [[Feline]]<ref>[[Foo]]</ref> <!-- [[Foo]] --> [[Loop1]] [[:Category:Cats]]
[[File:Foo.jpg|thumb|A [[foo]]]] [[Nope]] <nowiki>[[Foo]]</nowiki> [[T#x]] [[fr:Chat]]`

// worked returns the pages of the worked example, the links as the real extractor finds them.
func worked(t *testing.T) ([]page, extract.Counts) {
	t.Helper()
	site := wiki.NewSite(wiki.SiteInfo{Case: "first-letter", Lang: "en", DBName: "enwiki"})
	x := extract.NewExtractor(site)
	own, err := site.ParsePageTitle("T")
	if err != nil {
		t.Fatal(err)
	}
	links := slices.Clone(x.Links(own, workedText))
	return []page{
		{id: 1, title: "T", links: links},
		{id: 2, title: "Africa"},
		{id: 3, title: "Cat"},
		{id: 4, title: "Foo"},
		{id: 5, title: "Feline", redirect: to("Cat")},
		{id: 6, title: "Loop1", redirect: to("Loop2")},
		{id: 7, title: "Loop2", redirect: to("Loop1")},
	}, x.Counts()
}

func TestTheWorkedExampleComesOutAsSpecified(t *testing.T) {
	t.Parallel()
	pages, extracted := worked(t)
	var targets []string
	for _, l := range pages[0].links {
		targets = append(targets, l.Target)
	}
	equal(t, "ordered targets", targets, []string{"Africa", "Cat", "Feline", "Foo", "Loop1", "Nope"})
	if extracted[extract.Category] != 1 || extracted[extract.Self] != 1 || extracted[extract.Interlanguage] != 1 || extracted[extract.File] != 1 {
		t.Errorf("dropped by the extractor: got %+v, want one each of category, self, interlanguage and file", extracted)
	}
	r := build(t, strict(), pages...)
	equal(t, "nodes", r.nodes, []string{"T", "Africa", "Cat", "Foo"})
	equal(t, "edges", r.edges, []string{"T->Africa", "T->Cat", "T->Foo"})
	wantCounts(t, r.env, map[string]int64{
		"links_read": 6, "links_resolved": 4, "links_duplicate": 1, "links_redirect_loop": 1, "links_red": 1, "links_through_redirect": 1,
		"edges": 3, "edges_only_template_args": 1, "edges_only_body": 1, "edges_mixed_parts": 1, "redirects_ok": 1, "redirects_loop": 2,
	})
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// every has a link of each outcome, all on page A.
var every = []page{
	{id: 10, title: "A", links: body("B", "Red", "Script", "Dab", "Me", "Toward B", "Gone", "R1", "Long1", "ToTalk", "ToWiki", "Selfish", "Bad")},
	{id: 11, title: "B", links: body("A")},
	{id: 12, title: "Script", model: "javascript"},
	{id: 13, title: "Dab", flags: schemas.FlagDisambiguation, links: body("A", "B")},
	{id: 14, title: "Me", redirect: to("A")},
	{id: 15, title: "Toward B", redirect: to("B"), links: body("B")},
	{id: 16, title: "Gone", redirect: to("Nowhere")},
	{id: 17, title: "R1", redirect: to("R2")},
	{id: 18, title: "R2", redirect: to("R1")},
	{id: 19, title: "Long1", redirect: to("Long2")},
	{id: 20, title: "Long2", redirect: to("Long3")},
	{id: 21, title: "Long3", redirect: to("B")},
	{id: 22, title: "ToTalk", redirect: toKind(schemas.TargetOther)},
	{id: 23, title: "ToWiki", redirect: toKind(schemas.TargetInterwiki)},
	{id: 24, title: "Selfish", redirect: to("Selfish")},
	{id: 25, title: "Bad", redirect: toKind(schemas.TargetInvalid)},
	{id: 26, ns: 1, title: "Talk:A", links: body("A", "Red")},
	{id: 27, title: "ToScript", redirect: to("Script")},
	{id: 28, ns: 1, title: "Talk:R", redirect: to("A"), links: body("A")},
}

func TestEveryLinkHasItsOutcome(t *testing.T) {
	t.Parallel()
	recipe := strict()
	recipe.RedirectHops, recipe.Dab = 2, schemas.ClassDrop
	r := build(t, recipe, every...)
	equal(t, "nodes", r.nodes, []string{"A", "B"})
	equal(t, "edges", r.edges, []string{"A->B", "B->A"})
	wantCounts(t, r.env, map[string]int64{
		"links_read": 20, "links_resolved": 3, "links_duplicate": 1, "links_red": 1, "links_non_node": 1, "links_to_dropped_page": 1,
		"links_self_after_redirect": 1, "links_from_non_nodes": 6, "links_redirect_missing": 1, "links_redirect_loop": 1,
		"links_redirect_too_long": 1, "links_redirect_non_main": 1, "links_redirect_interwiki": 1, "links_redirect_self": 1,
		"links_redirect_bad_target": 1, "links_through_redirect": 2,
		"nodes": 2, "pages_dropped_by_recipe": 1, "pages_non_node": 1, "pages_other_ns": 2, "pages_redirect": 13,
		"redirects_ok": 5, "redirects_missing": 1, "redirects_loop": 2, "redirects_too_long": 1, "redirects_non_main": 1,
		"redirects_interwiki": 1, "redirects_self": 1, "redirects_bad_target": 2,
	})
}

func TestTheStageKeepsTheContract(t *testing.T) {
	t.Parallel()
	env := stagetest.New(t)
	give(t, env, every...)
	stagetest.Run(t, New(Params{Recipe: strict(), Thresholds: DefaultThresholds()}), env)
}

func TestAnEdgeIsKeptIfAnyOfItsPartsIs(t *testing.T) {
	t.Parallel()
	pages := []page{
		{id: 1, title: "S", links: slices.Concat(body("A"), in(schemas.ProvRefs, "B"), in(schemas.ProvTables, "ToA", "C"), in(schemas.ProvBody|schemas.ProvCaptions, "D"))},
		{id: 2, title: "A"},
		{id: 3, title: "B"},
		{id: 4, title: "C"},
		{id: 5, title: "D"},
		{id: 6, title: "ToA", redirect: to("A")},
	}
	for _, c := range []struct {
		parts []string
		want  []string
		other int64
	}{
		{schemas.ProvenanceNames, []string{"S->A", "S->B", "S->C", "S->D"}, 0},
		{[]string{"body"}, []string{"S->A", "S->D"}, 2},
		{[]string{"tables"}, []string{"S->A", "S->C"}, 2}, // A's table link comes through a redirect
		{[]string{"captions", "refs"}, []string{"S->B", "S->D"}, 2},
		{[]string{"template_args"}, nil, 4},
	} {
		recipe := strict()
		recipe.LinkParts = c.parts
		r := build(t, recipe, pages...)
		equal(t, "edges", r.edges, c.want)
		wantCounts(t, r.env, map[string]int64{"links_in_other_parts": c.other, "links_duplicate": 1})
	}
}

func TestThePagesThatTheRecipeDropsAreNoNodes(t *testing.T) {
	t.Parallel()
	pages := []page{
		{id: 1, title: "A", links: body("D", "L", "Y", "Two Words", "B")},
		{id: 2, title: "D", flags: schemas.FlagDisambiguation, links: body("A")},
		{id: 3, title: "L", flags: schemas.FlagList, links: body("A")},
		{id: 4, title: "Y", flags: schemas.FlagDate | schemas.FlagList},
		{id: 5, title: "Two Words"},
		{id: 6, title: "B"},
	}
	for _, c := range []struct {
		name    string
		change  func(*schemas.Recipe)
		nodes   []string
		dropped int64
	}{
		{"keep", func(*schemas.Recipe) {}, []string{"A", "D", "L", "Y", "Two Words", "B"}, 0},
		{"no endpoint", func(r *schemas.Recipe) { r.Dab, r.Lists, r.Dates = "no-endpoint", "no-endpoint", "no-endpoint" }, []string{"A", "D", "L", "Y", "Two Words", "B"}, 0},
		{"drop dab", func(r *schemas.Recipe) { r.Dab = schemas.ClassDrop }, []string{"A", "L", "Y", "Two Words", "B"}, 1},
		{"drop lists", func(r *schemas.Recipe) { r.Lists = schemas.ClassDrop }, []string{"A", "D", "Two Words", "B"}, 2},
		{"drop dates", func(r *schemas.Recipe) { r.Dates = schemas.ClassDrop }, []string{"A", "D", "L", "Two Words", "B"}, 1},
		{"one token", func(r *schemas.Recipe) { r.TitleFilter = schemas.TitlesOneToken }, []string{"A", "D", "L", "Y", "B"}, 1},
	} {
		recipe := strict()
		c.change(&recipe)
		r := build(t, recipe, pages...)
		equal(t, c.name, r.nodes, c.nodes)
		wantCounts(t, r.env, map[string]int64{"pages_dropped_by_recipe": c.dropped, "links_to_dropped_page": c.dropped})
		flags := openOutput(t, r.env, "linkgraph.arrow", schemas.LinkGraphTable)
		if got, want := flags.Uint16s(0, 2)[0], uint16(0); got != want || len(flags.Uint16s(0, 2)) != len(c.nodes) {
			t.Errorf("%s: flags %v", c.name, flags.Uint16s(0, 2))
		}
		flags.Close()
	}
}

func TestImplausibleRatiosAreWarnedOf(t *testing.T) {
	t.Parallel()
	r := build(t, strict(), every...)
	var codes []string
	for _, w := range r.env.Warnings {
		codes = append(codes, w.Code)
	}
	equal(t, "warnings", codes, []string{"W_TITLE_SINGLE_TOKEN", "W_EDGE_COUNT", "W_REDIRECT_LOSS"})
	if got, want := r.env.Warnings[2].Measured, (schemas.Ratio{Num: 8, Den: 13}); got != want {
		t.Errorf("redirects lost: got %+v, want %+v, of namespace 0 alone", got, want)
	}
	recipe := strict()
	recipe.TitleFilter = schemas.TitlesOneToken
	if w := build(t, recipe, every...).env.Warnings; slices.ContainsFunc(w, func(w schemas.Warning) bool { return w.Code == "W_TITLE_SINGLE_TOKEN" }) {
		t.Errorf("single-token titles are warned of although the recipe wants them: %+v", w)
	}
	red := build(t, strict(), page{id: 1, title: "A", links: body("X", "Y", "B")}, page{id: 2, title: "B"})
	if w := red.env.Warnings; !slices.ContainsFunc(w, func(w schemas.Warning) bool {
		return w.Code == "W_RED_LINKS" && w.Measured == schemas.Ratio{Num: 2, Den: 3}
	}) {
		t.Errorf("2 of 3 links are red: got %+v", w)
	}
}

func TestAWikiWithoutArticlesGivesAnEmptyGraph(t *testing.T) {
	t.Parallel()
	r := build(t, strict(), page{id: 1, ns: 1, title: "Talk:A", links: body("B")})
	if len(r.nodes) != 0 || len(r.env.Warnings) != 0 {
		t.Errorf("got nodes %q, warnings %v; want none", r.nodes, r.env.Warnings)
	}
}

func TestInputsThatDoNotBelongTogetherAreRefused(t *testing.T) {
	t.Parallel()
	other := []page{{id: 1, title: "A", links: body("B")}, {id: 2, title: "B"}, {id: 3, title: "R", redirect: to("B")}}
	for _, c := range []struct {
		name    string
		foreign []page // whose links or redirects stand beside other's pages
		take    schemas.Artifact
	}{
		{"links of a page that is not there", []page{{id: 9, title: "A", links: body("B")}}, schemas.Links},
		{"links of an earlier page", []page{{id: 0, title: "A", links: body("B")}}, schemas.Links},
		{"a redirect without a record", []page{{id: 1, title: "A"}}, schemas.Redirects},
		{"a record of another page", []page{{id: 8, title: "R", redirect: to("B")}}, schemas.Redirects},
	} {
		env, from := stagetest.New(t), stagetest.New(t)
		give(t, env, other...)
		give(t, from, c.foreign...)
		files, err := from.Input(c.take)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := f.Read()
			if err != nil {
				t.Fatal(err)
			}
			env.GiveBytes(c.take, f.Name, data)
		}
		if err := env.Run(context.Background(), New(Params{Recipe: strict()})); !errors.Is(err, fault.Mismatch) {
			t.Errorf("%s: got %v, want a mismatch", c.name, err)
		}
	}
}

func TestLinksOutOfOrderAreRefused(t *testing.T) {
	t.Parallel()
	env := stagetest.New(t)
	give(t, env, page{id: 1, title: "A"}, page{id: 2, title: "B"})
	env.Give(schemas.Links, "links.arrow", func(w io.Writer) (arrowio.Summary, error) {
		return arrowio.WriteTable(w, schemas.LinksTable, arrowio.Options{}, []uint32{2, 1}, []uint64{0, 0}, []uint8{1, 1})
	})
	if err := env.Run(context.Background(), New(Params{Recipe: strict()})); !errors.Is(err, fault.Mismatch) {
		t.Errorf("got %v, want a mismatch", err)
	}
}

// TestPagelinksDecidesAboutItsOwnLoops: a row from a page to its own title is lost under drop-after and drop-before, and
// kept under keep; what the text links to itself counts for nothing.
func TestPagelinksDecidesAboutItsOwnLoops(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]int64{schemas.LoopsDropAfter: 1, schemas.LoopsDropBefore: 2, schemas.LoopsKeep: 3} {
		env := stagetest.New(t)
		give(t, env, page{id: 1, title: "A", links: body("A", "B", "C")}, page{id: 2, title: "B", self: schemas.ProvBody}, page{id: 3, title: "C", redirect: to("A")})
		for from, name := range map[string]string{"links.arrow": schemas.PageLinksFile, "link-titles.arrow": schemas.PageLinkTitlesFile} {
			layout := schemas.LinksTable
			if from != "links.arrow" {
				layout = schemas.LinkTitlesTable
			}
			giveTable(env, schemas.PageLinks, name, layout, []page{{id: 1, links: body("A", "B", "C")}}, func(w *arrowio.Writer, p page) error { return writeLinks(w, layout.ID, p) })
		}
		recipe := strict()
		recipe.LinkSource, recipe.SelfLoops = schemas.SourcePagelinks, rule
		env.MustRun(New(Params{Recipe: recipe, Thresholds: DefaultThresholds()}))
		if got := env.Counters["edges"] + env.Counters["links_duplicate"]; got != want {
			t.Errorf("%s: %d links kept, want %d", rule, got, want)
		}
		anchors := openOutput(t, env, "anchors.arrow", schemas.AnchorsTable)
		if got := anchors.Metadata(schemas.KeyAnchors); got != schemas.AnchorsOff || anchors.Rows() > 0 {
			t.Errorf("%s: anchors are %q with %d rows: rows of pagelinks have no texts", rule, got, anchors.Rows())
		}
	}
}
