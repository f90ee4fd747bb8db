package links

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

type vector struct {
	ID, Title, Wikitext string
	Links               []string
}

func vectors(t testing.TB) []vector {
	t.Helper()
	f, err := os.Open("testdata/link-vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []vector
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func TestLinkVectors(t *testing.T) {
	all := vectors(t)
	if len(all) != 72 {
		t.Fatalf("got %d vectors, want 72", len(all))
	}
	site := wikitest.EnglishWikipedia()
	x := NewExtractor(site)
	for _, v := range all {
		own, err := site.ParsePageTitle(v.Title)
		if err != nil {
			t.Fatal(err)
		}
		if got := targets(x.Links(own, v.Wikitext)); !slices.Equal(got, v.Links) {
			t.Errorf("%s: %q: got %q, want %q", v.ID, v.Wikitext, got, v.Links)
		}
		CheckBalance(t, x.Counts())
	}
}

const workedExample = "{{Infobox x|a=[[Africa#North|N]]}} [[cat]]s and [[Feline]]<ref>[[Foo]]</ref> <!-- [[Foo]] --> [[Loop1]] [[:Category:Cats]]\n" +
	"[[File:Foo.jpg|thumb|A [[foo]]]] [[Nope]] <nowiki>[[Foo]]</nowiki> [[T#x]] [[fr:Chat]]\n"

func TestWorkedExampleOfTheSpecification(t *testing.T) {
	x := NewExtractor(wikitest.EnglishWikipedia())
	got := x.Links(titles.Title{Text: "T"}, workedExample)
	want := []Link{
		{"Africa", schemas.ProvTemplateArgs},
		{"Cat", schemas.ProvBody},
		{"Feline", schemas.ProvBody},
		{"Foo", schemas.ProvRefs | schemas.ProvCaptions},
		{"Loop1", schemas.ProvBody},
		{"Nope", schemas.ProvBody},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	counts := Counts{Found: 11, Kept: 7, Category: 1, File: 1, Self: 1, Interlanguage: 1, InFirst: 4, 1, 0, 1, 1}
	if x.Counts() != counts {
		t.Errorf("got %+v, want %+v", x.Counts(), counts)
	}
}
