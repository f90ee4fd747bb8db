package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// oddPages has one page for each thing that ingest decides. They are out of id order.
var oddPages = []testPage{
	{id: 30, title: "Zebra", text: "[[Apple]] {{x|[[apple]]}} [[Talk:Foo]] [[:fr:Chat]] [[fr:Chat]] [[File:A.png]] [[Category:C]] [[Zebra#x]] [[a~~~b]] [[open"},
	{id: 3, title: "Apple", text: "<ref>[[Zebra]]</ref> and [[Fruit]]"},
	{id: 12, ns: 1, title: "Talk:Apple", text: "[[Zebra]]"},
	{id: 5, title: "Fruit", redirect: "Apple", text: "#REDIRECT [[Apple#Sweet]]"},
	{id: 6, title: "Frucht", text: "#REDIRECT [[Talk:Apple]]"},
	{id: 9, title: "Odd", redirect: "Apple", text: "#REDIRECT [[Zebra]]"},
	{id: 10, title: "Script", model: "javascript", text: "x = '[[Apple]]' // {{disambig}}"},
	{id: 11, title: "Moved", model: "javascript", redirect: "Script", text: "#REDIRECT [[Apple]]"},
	{id: 2, title: "Gone", deleted: true},
	{id: 21, title: "List of fruit", text: "none"},
	{id: 22, title: "Foo (disambiguation)", text: "none"},
	{id: 23, title: "1999", text: "none"},
	{id: 24, ns: 0, title: "Talk:Elsewhere", text: "[[Elsewhere]] [[Apple]]"}, // the number wins over the prefix
	{id: 25, ns: 1, title: "Apple", text: ""},                                 // no other page of namespace 1 has this title
}

func runOn(t *testing.T, dump []byte) *stagetest.Env {
	t.Helper()
	env := envOf(t, dump)
	env.MustRun(New(Params{VerifyText: "count"}, ""))
	return env
}

func TestEachPageIsARecordInOrderOfIDs(t *testing.T) {
	env := runOn(t, dumpOf(oddPages...))
	var want []string
	for _, p := range slices.SortedFunc(slices.Values(oddPages), func(a, b testPage) int { return a.id - b.id }) {
		model, flags := schemas.ModelWikitext, map[int]uint16{2: schemas.FlagTextDeleted, 21: schemas.FlagList, 22: schemas.FlagDisambiguation, 23: schemas.FlagDate}[p.id]
		if p.model != "" {
			model, flags = p.model, schemas.FlagNonWikitext
		}
		redirect := slices.Contains([]int{5, 6, 9, 11}, p.id)
		self := map[string]int{"Zebra": 1}[p.title]
		want = append(want, fmt.Sprintf("%d|%d|%s|%t|%s|%d|2026-01-%02dT00:00:00Z|%d|%x|%d|%d",
			p.id, p.ns, p.title, redirect, model, 1000+p.id, p.id%28+1, len(p.text), sha256.Sum256([]byte(p.text)), flags, self))
	}
	equal(t, "pages", lines(t, env, "pages.arrow", schemas.PagesTable), want)
}

func TestTheInfoboxOfEachArticleIsKept(t *testing.T) {
	env := envOf(t, dumpOf(
		testPage{id: 4, title: "B", text: "{{Infobox river|length=3}} {{Infobox lake}}"}, testPage{id: 2, title: "A", text: "{{Taxobox}}"},
		testPage{id: 7, title: "C", text: "none"}, testPage{id: 9, ns: 1, title: "Talk:A", text: "{{Taxobox}}"},
	))
	env.MustRun(New(Params{VerifyText: "count", LeadRunes: 500}, ""))
	equal(t, "infoboxes", lines(t, env, "infoboxes.arrow", schemas.InfoboxesTable), []string{"2|Taxobox", "4|Infobox river"})
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRedirectsAreInOrderOfTitlesWithTheTargetOfTheElement(t *testing.T) {
	env := runOn(t, dumpOf(oddPages...))
	equal(t, "redirects", lines(t, env, "redirects.arrow", schemas.RedirectsTable), []string{
		"Frucht|6|Talk:Apple||1", // from the text; another namespace
		"Fruit|5|Apple|Sweet|0",
		"Moved|11|Script||0", // not wikitext: its text does not count
		"Odd|9|Apple||0",     // the element wins
	})
	for name, want := range map[string]int64{"redirect_from_text": 1, "redirect_text_disagrees": 1, "pages_redirect": 4} {
		if got := env.Counters[name]; got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
}

func TestLinksStandUnresolvedInOrderOfTheirPages(t *testing.T) {
	env := runOn(t, dumpOf(oddPages...))
	links := []struct {
		id     int
		target string
		prov   schemas.Provenance
	}{
		{3, "Zebra", schemas.ProvRefs},
		{3, "Fruit", schemas.ProvBody},
		{5, "Apple", schemas.ProvBody},
		{9, "Zebra", schemas.ProvBody},
		{12, "Zebra", schemas.ProvBody},
		{24, "Elsewhere", schemas.ProvBody},
		{24, "Apple", schemas.ProvBody},
		{30, "Apple", schemas.ProvBody | schemas.ProvTemplateArgs},
	}
	var want, titles []string
	for _, l := range links {
		want = append(want, fmt.Sprintf("%d|%d|%d", l.id, xxhash.Sum64String(l.target), l.prov))
		titles = append(titles, l.target)
	}
	equal(t, "links", lines(t, env, "links.arrow", schemas.LinksTable), want)
	equal(t, "link titles", lines(t, env, "link-titles.arrow", schemas.LinkTitlesTable), titles)
}

func TestTheBooksBalanceAndNameEveryDrop(t *testing.T) {
	env := runOn(t, dumpOf(oddPages...))
	checkBooks(t, env.Counters)
	for name, want := range map[string]int64{
		"pages": 14, "pages_ns_0": 12, "pages_ns_1": 2, "pages_redirect": 4, "pages_non_wikitext": 1, "pages_article": 7,
		"pages_disambiguation": 1, "pages_list": 1, "pages_date": 1, "ns_mismatch": 2,
		"links_kept": 9, "links_interwiki": 1, "links_interlanguage": 1, "links_file": 1, "links_category": 1,
		"links_other_ns": 2, "links_self": 1, "links_invalid": 1, "links_unterminated": 1, "links_found": 18,
		"links_in_body": 7, "links_in_template_args": 1, "links_in_refs": 1,
	} {
		if got := env.Counters[name]; got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
}

func TestTheSnapshotIsNamedByTheParamsAndElseByTheDump(t *testing.T) {
	for _, c := range []struct{ params, want Params }{
		{Params{}, Params{Wiki: "testwiki", Date: "20260128"}},
		{Params{Wiki: "enwiki", Date: "20250101"}, Params{Wiki: "enwiki", Date: "20250101"}},
	} {
		env := envOf(t, dumpOf(oddPages[0], testPage{id: 27, title: "Newest"}))
		env.MustRun(New(c.params, ""))
		var got schemas.Snapshot
		if err := canon.Decode(env.Read("snapshot.json"), canon.MaxManifest, &got); err != nil {
			t.Fatal(err)
		}
		if got.Wiki != c.want.Wiki || got.Date != c.want.Date || got.Language != "en" || got.SiteName != "Test" || got.IndexChecked {
			t.Errorf("params %+v: got %+v", c.params, got)
		}
	}
}

func TestATitleThatTwoPagesHaveIsRefused(t *testing.T) {
	for _, second := range []testPage{{id: 8, title: "Apple"}, {id: 8, title: "apple"}, {id: 8, title: "Apple", redirect: "Zebra"}} {
		err := envOf(t, dumpOf(oddPages[0], second, oddPages[1])).Run(context.Background(), New(Params{}, ""))
		if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "pages 8 and 3 have the same title") {
			t.Errorf("second page %q: got %v, want malformed, naming pages 8 and 3", second.title, err)
		}
	}
}

func TestMalformedPagesAreSkippedAsFarAsToleratedAndListed(t *testing.T) {
	bad := []testPage{{id: 40, title: "A[b"}, {id: 41, title: "C|d"}}
	dump := dumpOf(oddPages[0], bad[0], oddPages[1], bad[1])
	if err := envOf(t, dump).Run(context.Background(), New(Params{Tolerate: 1}, "")); !errors.Is(err, fault.Malformed) {
		t.Errorf("two bad pages, one tolerated: got %v, want malformed", err)
	}
	env := envOf(t, dump)
	env.MustRun(New(Params{Tolerate: 2}, ""))
	checkBooks(t, env.Counters)
	if got := env.Counters["pages_skipped"]; got != 2 {
		t.Errorf("pages_skipped: got %d, want 2", got)
	}
	skipped := strings.Split(strings.TrimSpace(string(env.Read("skipped.jsonl"))), "\n")
	if len(skipped) != 2 || !strings.Contains(skipped[0], ":40,") || !strings.Contains(skipped[1], ":41,") {
		t.Errorf("skipped.jsonl: got %q, want a line each for pages 40 and 41", skipped)
	}
	equal(t, "pages", firstFields(lines(t, env, "pages.arrow", schemas.PagesTable)), []string{"3", "30"})
}

func firstFields(lines []string) []string {
	for i, line := range lines {
		lines[i], _, _ = strings.Cut(line, "|")
	}
	return lines
}

func TestTheStageKeepsTheContract(t *testing.T) {
	pages := manyPages(200)
	dump, index := multistream(t, 7, pages...)
	env := stagetest.New(t) // as from the stage demo: files without roles
	env.GiveBytes(schemas.Dump, "testwiki-pages-articles-multistream.xml.bz2", dump)
	env.GiveBytes(schemas.Dump, "testwiki-pages-articles-multistream-index.txt.bz2", index)
	stagetest.Run(t, New(Params{VerifyText: "count"}, ""), env)
	env.MustRun(New(Params{VerifyText: "count"}, ""))
	if got := env.Counters["pages"]; got != int64(len(pages)) {
		t.Errorf("got %d pages, want %d", got, len(pages))
	}
	if snapshot := string(env.Read("snapshot.json")); !strings.Contains(snapshot, `"index_checked":true`) {
		t.Errorf("the index was not known by its name: %s", snapshot)
	}
}

// manyPages fills several chunks, ids descending.
func manyPages(n int) []testPage {
	pages := slices.Clone(oddPages)
	for i := range n {
		pages = append(pages, testPage{id: 5000 - i, title: fmt.Sprintf("Page %d", i), text: fmt.Sprintf("[[Page %d]] [[Apple]]", i*i%n)})
	}
	return pages
}

func TestAnIndexAddsItsCheckAndNothingElse(t *testing.T) {
	pages := manyPages(200)
	dump, index := multistream(t, 7, pages...)
	plain, multi := runOn(t, dumpOf(pages...)), envOf(t, dump)
	multi.GiveExternal(schemas.Dump, "test-index.txt.bz2", roleIndex, index)
	multi.MustRun(New(Params{VerifyText: "count"}, ""))
	sameBut(t, plain, multi, "snapshot.json")
	a, b := string(plain.Read("snapshot.json")), string(multi.Read("snapshot.json"))
	if want := strings.Replace(a, `"index_checked":false`, `"index_checked":true`, 1); a == b || b != want {
		t.Errorf("snapshot of the multistream dump: got %s, want %s", b, want)
	}
}

// sameBut wants equal outputs, but for one file.
func sameBut(t *testing.T, a, b *stagetest.Env, except string) {
	t.Helper()
	if !slices.Equal(a.OutputNames(), b.OutputNames()) || len(a.Outputs) < 6 {
		t.Fatalf("outputs %v and %v", a.OutputNames(), b.OutputNames())
	}
	for name, out := range a.Outputs {
		if name != except && out != b.Outputs[name] {
			t.Errorf("%s: %+v and %+v", name, out, b.Outputs[name])
		}
	}
}

func TestSpillingChangesNoByte(t *testing.T) {
	dump := dumpOf(manyPages(200)...)
	whole, small := runOn(t, dump), envOf(t, dump)
	small.MustRun(stage{Params{VerifyText: "count"}, "", 1000})
	sameBut(t, whole, small, "")
}

func TestADumpThatIsNotThereIsNamed(t *testing.T) {
	env := stagetest.New(t)
	env.GiveExternal(schemas.Dump, "test-index.txt.bz2", roleIndex, packed(t, ""))
	if err := env.Run(context.Background(), New(Params{}, "")); !errors.Is(err, fault.NotFound) {
		t.Errorf("got %v, want not found", err)
	}
}

func TestPagePropsNameDisambiguationPages(t *testing.T) {
	table := "CREATE TABLE `page_props` (\n  `pp_page` int(8) NOT NULL,\n  `pp_propname` varbinary(60) NOT NULL,\n  `pp_value` blob NOT NULL,\n  PRIMARY KEY (`pp_page`)\n);\n" +
		"INSERT INTO `page_props` VALUES (3,'disambiguation',''),(30,'wikibase_item','Q1'),(22,'disambiguation',''),(999,'disambiguation','');\nUNLOCK TABLES;\n"
	env := envOf(t, dumpOf(oddPages...))
	env.GiveExternal(schemas.Dump, "props-index.txt.bz2", "sql-00000", []byte(table)) // any name of the artifact will do
	env.MustRun(New(Params{VerifyText: "count"}, ""))
	for name, want := range map[string]int64{"pages_disambiguation": 2, "pages_disambiguation_by_props_only": 1, "page_props_rows": 4} {
		if got := env.Counters[name]; got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
	other := envOf(t, dumpOf(oddPages...))
	other.GiveExternal(schemas.Dump, "props-index.txt.bz2", "sql-00000", []byte(strings.ReplaceAll(table, "page_props", "pagelinks")))
	if err := other.Run(context.Background(), New(Params{VerifyText: "count"}, "")); !errors.Is(err, fault.Usage) {
		t.Errorf("another table: %v", err)
	}
}

// TestASiteInfoOfAnotherWikiIsWarnedOf: links to pictures and categories in words that the siteinfo does not know would all be articles.
func TestASiteInfoOfAnotherWikiIsWarnedOf(t *testing.T) {
	for text, want := range map[string]bool{
		strings.Repeat("[[A]] ", 18) + "[[Datei:A.jpg|thumb]] [[Kategorie:B]]":               true,
		strings.Repeat("[[A]] ", 9) + "[[Категория:Б]]":                                      true,
		strings.Repeat("[[A]] ", 19) + "[[Datei:A.jpg|thumb]]":                               false,
		"[[2001: A Space Odyssey]] [[Star Wars: A]] [[12:30]] [[File:A.jpg]] [[Category:B]]": false,
	} {
		env := runOn(t, dumpOf(testPage{id: 1, title: "P", text: text}))
		got := slices.ContainsFunc(env.Warnings, func(w schemas.Warning) bool {
			return w.Code == CodeForeignSite && w.Threshold == schemas.Ratio{Num: 1, Den: 20}
		})
		if got != want {
			t.Errorf("%q: warnings %v", text, env.Warnings)
		}
	}
}

// TestStreamsWithoutAnIndexAreWarnedOf: one that is missing is found with the index alone.
func TestStreamsWithoutAnIndexAreWarnedOf(t *testing.T) {
	var pages []testPage
	for id := 1; id <= 60; id++ {
		pages = append(pages, testPage{id: id, title: fmt.Sprintf("P%d", id), text: "[[P1]]"})
	}
	dump, index := multistream(t, 10, pages...)
	var offsets []int
	for at := 0; at < len(dump); at++ {
		if strings.HasPrefix(string(dump[at:]), "BZh1") {
			offsets = append(offsets, at)
		}
	}
	cut := slices.Concat(dump[:offsets[2]], dump[offsets[3]:])
	for name, c := range map[string]struct {
		dump, index []byte
		warned      bool
	}{
		"whole": {dump, nil, true}, "one dropped": {cut, nil, true}, "with the index": {dump, index, false},
		"one stream": {packed(t, string(dumpOf(pages...))), nil, false}, "plain": {dumpOf(pages...), nil, false},
	} {
		env := envOf(t, c.dump)
		if c.index != nil {
			env.GiveExternal(schemas.Dump, "test-index.txt.bz2", roleIndex, c.index)
		}
		env.MustRun(New(Params{}, ""))
		if got := slices.ContainsFunc(env.Warnings, func(w schemas.Warning) bool { return w.Code == "W_NO_INDEX" }); got != c.warned {
			t.Errorf("%s: warnings %v", name, env.Warnings)
		}
	}
	env := envOf(t, cut)
	env.GiveExternal(schemas.Dump, "test-index.txt.bz2", roleIndex, index)
	if err := env.Run(context.Background(), New(Params{}, "")); !errors.Is(err, fault.Malformed) {
		t.Errorf("one dropped, with the index: %v", err)
	}
}
