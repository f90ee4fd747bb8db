package wikitext

import (
	"reflect"
	"slices"
	"testing"
)

func TestEveryBracketIsCountedUnderItsReason(t *testing.T) {
	for text, want := range map[string]Counts{
		"[[A]] [[a]]":                      {Kept: 2, Occurrences: [5]int64{2}},
		"[[fr:A]]":                         {Interlanguage: 1},
		"[[:fr:A]]":                        {Interwiki: 1},
		"[[wikt:A]] [[:wikt:A]]":           {Interwiki: 2},
		"[[Category:A]] [[:Category:A]]":   {Category: 2},
		"[[File:A]] [[:File:A]]":           {File: 2},
		"[[File:A|x [[B]]]]":               {File: 1, Kept: 1, Occurrences: [5]int64{4: 1}},
		"[[File:{{x}}]]":                   {File: 1},
		"[[File:A|x [[B]]":                 {Unterminated: 1, Kept: 1, Occurrences: [5]int64{1}},
		"[[Media:A]] [[Help:A]] [[WP:A]]":  {OtherNS: 3},
		"[[T]] [[#x]] [[:t#x]] [[#]]":      {Self: 4},
		"[[http://x]] [[a%3Cb]] [[ ]]":     {Invalid: 3},
		"[[ [[]] [[|x]] [[A|]] [[A\n]]":    {Unterminated: 5},
		"[[{{x}}]] [[A{{x}}]] [[A|[[B]]]]": {Unterminated: 3, Kept: 1, Occurrences: [5]int64{1}},
		"<!-- [[A]] --><nowiki>[[A]]</nowiki><includeonly>[[A]]</includeonly>": {},
	} {
		want.Found = want.Kept + want.Interwiki + want.Interlanguage + want.File + want.Category + want.OtherNS + want.Self +
			want.Invalid + want.Unterminated
		x := NewExtractor(englishWikipedia())
		x.Links(Title{Text: "T"}, text)
		if got := x.Counts(); got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

func TestOnlyAPageOfNamespaceZeroLinksToItself(t *testing.T) {
	x := NewExtractor(englishWikipedia())
	if got := targets(x.Links(Title{NS: 1, Text: "T"}, "[[T]] [[{{PAGENAME}}]] [[{{FULLPAGENAME}}]]")); !slices.Equal(got, []string{"T"}) {
		t.Errorf("got %q, want T", got)
	}
	if want := (Counts{Found: 3, Kept: 2, OtherNS: 1, Occurrences: [5]int64{2}}); x.Counts() != want {
		t.Errorf("got %+v, want %+v", x.Counts(), want)
	}
}

func TestAddReachesEveryField(t *testing.T) {
	var one, sum Counts
	for i, v := 0, reflect.ValueOf(&one).Elem(); i < v.NumField(); i++ {
		if f := v.Field(i); f.CanInt() {
			f.SetInt(int64(i + 1))
		}
	}
	one.Occurrences = [5]int64{1, 2, 3, 4, 5}
	sum.Add(one)
	if sum != one {
		t.Errorf("zero and %+v: got %+v", one, sum)
	}
	sum.Add(one)
	if sum.Unterminated != 2*one.Unterminated || sum.Occurrences != [5]int64{2, 4, 6, 8, 10} {
		t.Errorf("twice %+v: got %+v", one, sum)
	}
}

func TestExtractorForgetsTheLastPage(t *testing.T) {
	x := NewExtractor(englishWikipedia())
	x.Links(Title{Text: "T"}, "{{x|\n{|\n[[A]] [[File:x|<ref>[[B]]</ref> <poem>[[C]]")
	want := []Link{{"A", 1}, {"B", 1}}
	if got := x.Links(Title{Text: "U"}, "[[A]] [[B]]"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if x.Counts().Found != 6 {
		t.Errorf("got %d found over both pages, want 6", x.Counts().Found)
	}
}
