package links

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
)

func TestLinksOutliveTheNextPage(t *testing.T) {
	x := NewExtractor(wikitest.EnglishWikipedia())
	kept := slices.Clone(x.Links(titles.Title{Text: "T"}, "<!-- x -->[[abc]] [[Def]] <ref>[[Ghi]]</ref> [[j_k]] [[:é]]"))
	x.Links(titles.Title{Text: "U"}, "<!-- x -->[[xyz]] [[Uvw]] <ref>[[Rst]]</ref> [[o_p]] [[:ü]]")
	if got, want := targets(kept), []string{"Abc", "Def", "Ghi", "J k", "É"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestArenaKeepsWhatItWasGiven(t *testing.T) {
	var a arena
	var got, want []string
	for i := range 5_000 {
		s := strings.Repeat(fmt.Sprint(i), i%40)
		got, want = append(got, a.keep(s)), append(want, s)
	}
	got, want = append(got, a.keep(strings.Repeat("x", 100_000))), append(want, strings.Repeat("x", 100_000))
	if !slices.Equal(got, want) {
		t.Error("a kept string has changed")
	}
}

func TestLinkIndexFindsEveryLinkOnce(t *testing.T) {
	x := NewExtractor(wikitest.EnglishWikipedia())
	for _, n := range []int{smallIndex * 40, 3} { // the second page has a table of ordinary size again
		var text strings.Builder
		for range 2 {
			for i := range n {
				fmt.Fprintf(&text, "[[L%d]]", i)
			}
		}
		links := x.Links(titles.Title{Text: "T"}, text.String())
		if len(links) != n || links[n-1].Target != fmt.Sprintf("L%d", n-1) {
			t.Errorf("got %d links, want %d", len(links), n)
		}
	}
	if len(x.seen.slots) != smallIndex {
		t.Errorf("got %d slots after a small page, want %d", len(x.seen.slots), smallIndex)
	}
}
