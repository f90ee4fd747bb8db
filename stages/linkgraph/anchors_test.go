package linkgraph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	extract "github.com/wikinav/wikinav/dumps/wikitext/links"
	wiki "github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// anchorLines returns the rows of both tables as text, those of further anchors with a +.
func anchorLines(t testing.TB, env *stagetest.Env) (lines []string) {
	t.Helper()
	f := openOutput(t, env, "anchors.arrow", schemas.AnchorsTable)
	defer f.Close()
	for b := range f.Batches() {
		for i, src := range f.Uint32s(b, 0) {
			lines = append(lines, fmt.Sprintf("%d>%d #%d %05b %s|%s", src, f.Uint32s(b, 1)[i], f.Uint32s(b, 2)[i],
				f.Uint8s(b, 3)[i], f.Strings(b, 4).At(i), f.Strings(b, 5).At(i)))
		}
	}
	g := openOutput(t, env, "further-anchors.arrow", schemas.FurtherAnchorsTable)
	defer g.Close()
	for b := range g.Batches() {
		for i, src := range g.Uint32s(b, 0) {
			lines = append(lines, fmt.Sprintf("+%d #%d %s", src, g.Uint32s(b, 1)[i], g.Strings(b, 2).At(i)))
		}
	}
	return lines
}

// extracted returns a page as the real extractor reads it.
func extracted(id uint32, title, text string) page {
	x := extract.NewExtractor(wiki.NewSite(wiki.SiteInfo{Case: "first-letter", Lang: "en", DBName: "enwiki"}))
	x.ReadAnchors(true)
	links := slices.Clone(x.Links(wiki.Title{Text: title}, text))
	return page{id: id, title: title, links: links, self: x.SelfLinks(), anchors: append([]extract.Anchor{}, x.Anchors()...)}
}

func TestTheWorkedExampleHasItsAnchors(t *testing.T) {
	t.Parallel()
	pages, _ := worked(t)
	pages[0] = extracted(1, "T", workedText+" [[feline|tom]]cats")
	r := build(t, strict(), pages...)
	equal(t, "anchors", anchorLines(t, r.env), []string{
		"1>2 #0 00010 N|", "1>3 #1 00001 cats|", "1>4 #2 11000 Foo|", "+1 #1 Feline", "+1 #1 tomcats", "+1 #2 foo",
	})
	wantCounts(t, r.env, map[string]int64{"anchors": 3, "anchors_further": 3, "anchors_via_redirect": 0, "edges_without_anchor": 0})
}

// The first occurrence that the recipe keeps decides about order, anchor and alias.
func TestAnchorsAreThoseOfTheFirstKeptOccurrence(t *testing.T) {
	t.Parallel()
	pages := []page{
		extracted(9, "S", "<ref>[[A|r]]</ref> {{x|[[B|t]]}} [[ToA|a]]s [[B]] [[A|r]] [[A|a]]s [[C|]] [[C|{{x}}]] [[Red]]"),
		{id: 3, title: "A"},
		{id: 2, title: "B"},
		{id: 1, title: "C"},
		{id: 4, title: "ToA", redirect: to("A")},
	}
	for _, c := range []struct {
		parts, want []string
	}{
		{schemas.ProvenanceNames, []string{"9>3 #0 01001 r|", "9>2 #1 00011 t|", "9>1 #2 00001 |", "+9 #0 as", "+9 #1 B"}},
		{[]string{"body"}, []string{"9>3 #0 01001 as|ToA", "9>2 #1 00011 B|", "9>1 #2 00001 |", "+9 #0 r"}},
		{[]string{"template_args"}, []string{"9>2 #0 00011 t|"}},
		{[]string{"refs", "template_args"}, []string{"9>3 #0 01001 r|", "9>2 #1 00011 t|"}},
		{[]string{"captions"}, nil},
	} {
		recipe := strict()
		recipe.LinkParts = c.parts
		r := build(t, recipe, pages...)
		equal(t, fmt.Sprint(c.parts), anchorLines(t, r.env), c.want)
	}
}

func TestSelfLoopsOfThePageItselfHaveNoAnchor(t *testing.T) {
	t.Parallel()
	pages := []page{
		extracted(1, "A", "[[A]] [[B]]"), extracted(2, "B", "[[B]] [[ToB|b]]s"), extracted(3, "C", "[[C]]"), {id: 4, title: "ToB", redirect: to("B")},
	}
	recipe := strict()
	recipe.SelfLoops = schemas.LoopsKeep
	r := build(t, recipe, pages...)
	equal(t, "edges", r.edges, []string{"A->A", "A->B", "B->B", "C->C"})
	equal(t, "anchors", anchorLines(t, r.env), []string{"1>2 #0 00001 B|", "2>2 #0 00001 bs|ToB"})
	wantCounts(t, r.env, map[string]int64{"edges": 4, "anchors": 2, "edges_without_anchor": 2})
}

func TestAnchorsThatWereNotReadAreSaidToBeOff(t *testing.T) {
	t.Parallel()
	env := stagetest.New(t)
	pages, _ := worked(t)
	give(t, env, pages...)
	env.MustRun(New(Params{Recipe: strict()}))
	graph := env.Outputs["linkgraph.arrow"]
	checkMode(t, env, schemas.AnchorsOn)
	giveAnchors(env, schemas.AnchorsOff, pages)
	env.MustRun(New(Params{Recipe: strict()}))
	checkMode(t, env, schemas.AnchorsOff)
	checkBooks(t, env.Counters)
	if got := anchorLines(t, env); len(got) > 0 {
		t.Errorf("got anchors %q, want none", got)
	}
	if env.Outputs["linkgraph.arrow"] != graph {
		t.Errorf("the graph depends on anchors")
	}
}

func checkMode(t *testing.T, env *stagetest.Env, want string) {
	t.Helper()
	for name, layout := range map[string]schemas.Table{"anchors.arrow": schemas.AnchorsTable, "further-anchors.arrow": schemas.FurtherAnchorsTable} {
		f := openOutput(t, env, name, layout)
		if got := f.Metadata(schemas.KeyAnchors); got != want {
			t.Errorf("%s: %s = %q, want %q", name, schemas.KeyAnchors, got, want)
		}
		f.Close()
	}
}

func TestAnchorsThatDoNotBelongToTheLinksAreRefused(t *testing.T) {
	t.Parallel()
	b := func(link uint32, prov uint8) extract.Anchor {
		return extract.Anchor{Link: link, Provenance: prov, Text: "b"}
	}
	for _, c := range []struct {
		what, mode string
		anchors    []extract.Anchor
	}{
		{"a mode that is none", "maybe", nil},
		{"a link without anchor", schemas.AnchorsOn, []extract.Anchor{b(0, 1)}},
		{"a link without an early anchor", schemas.AnchorsOn, []extract.Anchor{b(1, 1)}},
		{"anchors out of order", schemas.AnchorsOn, []extract.Anchor{b(1, 1), b(0, 1)}},
		{"another provenance than the link's", schemas.AnchorsOn, []extract.Anchor{b(0, 1), b(1, 1)}},
	} {
		env := stagetest.New(t)
		pages := []page{
			{id: 1, title: "A", links: slices.Concat(body("B"), in(schemas.ProvRefs, "C")), anchors: c.anchors}, {id: 2, title: "B"}, {id: 3, title: "C"},
		}
		give(t, env, pages...)
		giveAnchors(env, c.mode, pages)
		recipe := strict()
		recipe.LinkParts = []string{"body"}
		if err := env.Run(context.Background(), New(Params{Recipe: recipe})); !errors.Is(err, fault.Mismatch) {
			t.Errorf("%s: got %v, want a mismatch", c.what, err)
		}
	}
}
