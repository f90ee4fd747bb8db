package links

import (
	"slices"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
)

func TestEveryBracketIsCountedUnderItsReason(t *testing.T) {
	for text, want := range map[string]Counts{
		"[[A]] [[a]]":                      {Kept: 2, InFirst: 2},
		"[[fr:A]]":                         {Interlanguage: 1},
		"[[:fr:A]]":                        {Interwiki: 1},
		"[[wikt:A]] [[:wikt:A]]":           {Interwiki: 2},
		"[[Category:A]] [[:Category:A]]":   {Category: 2},
		"[[File:A]] [[:File:A]]":           {File: 2},
		"[[File:A|x [[B]]]]":               {File: 1, Kept: 1, InFirst + 4: 1},
		"[[File:{{x}}]]":                   {File: 1},
		"[[File:A|x [[B]]":                 {Unterminated: 1, Kept: 1, InFirst: 1},
		"[[Media:A]] [[Help:A]] [[WP:A]]":  {OtherNS: 3},
		"[[T]] [[#x]] [[:t#x]] [[#]]":      {Self: 4},
		"[[http://x]] [[a%3Cb]] [[ ]]":     {Invalid: 3},
		"[[ [[]] [[|x]] [[A|]] [[A\n]]":    {Unterminated: 5},
		"[[{{x}}]] [[A{{x}}]] [[A|[[B]]]]": {Unterminated: 3, Kept: 1, InFirst: 1},
		"<!-- [[A]] --><nowiki>[[A]]</nowiki><includeonly>[[A]]</includeonly>": {},
	} {
		for _, n := range want[Kept : Unterminated+1] {
			want[Found] += n
		}
		x := NewExtractor(wikitest.EnglishWikipedia())
		x.Links(titles.Title{Text: "T"}, text)
		if got := x.Counts(); got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

func TestOnlyAPageOfNamespaceZeroLinksToItself(t *testing.T) {
	x := NewExtractor(wikitest.EnglishWikipedia())
	if got := targets(x.Links(titles.Title{NS: 1, Text: "T"}, "[[T]] [[{{PAGENAME}}]] [[{{FULLPAGENAME}}]]")); !slices.Equal(got, []string{"T"}) {
		t.Errorf("got %q, want T", got)
	}
	if want := (Counts{Found: 3, Kept: 2, OtherNS: 1, InFirst: 2}); x.Counts() != want {
		t.Errorf("got %+v, want %+v", x.Counts(), want)
	}
}

func TestAddReachesEveryField(t *testing.T) {
	var one, sum Counts
	for i := range one {
		one[i] = int64(i + 1)
	}
	sum.Add(one)
	if sum != one {
		t.Errorf("zero and %+v: got %+v", one, sum)
	}
	sum.Add(one)
	for i := range one {
		if sum[i] != 2*one[i] {
			t.Errorf("twice %+v: got %+v", one, sum)
		}
	}
	if n := len(sum.ByName()); n != numCounts {
		t.Errorf("got %d names for %d counts", n, numCounts)
	}
}

func TestExtractorForgetsTheLastPage(t *testing.T) {
	x := NewExtractor(wikitest.EnglishWikipedia())
	x.Links(titles.Title{Text: "T"}, "{{x|\n{|\n[[A]] [[File:x|<ref>[[B]]</ref> <poem>[[C]]")
	want := []Link{{"A", 1}, {"B", 1}}
	if got := x.Links(titles.Title{Text: "U"}, "[[A]] [[B]]"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if x.Counts()[Found] != 6 {
		t.Errorf("got %d found over both pages, want 6", x.Counts()[Found])
	}
}
