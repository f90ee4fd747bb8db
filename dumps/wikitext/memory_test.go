package wikitext

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestLinksOutliveTheNextPage(t *testing.T) {
	x := NewExtractor(englishWikipedia())
	kept := slices.Clone(x.Links(Title{Text: "T"}, "<!-- x -->[[abc]] [[Def]] <ref>[[Ghi]]</ref> [[j_k]] [[:é]]"))
	x.Links(Title{Text: "U"}, "<!-- x -->[[xyz]] [[Uvw]] <ref>[[Rst]]</ref> [[o_p]] [[:ü]]")
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
	x := NewExtractor(englishWikipedia())
	for _, n := range []int{smallIndex * 40, 3} { // the second page has a table of ordinary size again
		var text strings.Builder
		for range 2 {
			for i := range n {
				fmt.Fprintf(&text, "[[L%d]]", i)
			}
		}
		links := x.Links(Title{Text: "T"}, text.String())
		if len(links) != n || links[n-1].Target != fmt.Sprintf("L%d", n-1) {
			t.Errorf("got %d links, want %d", len(links), n)
		}
	}
	if len(x.seen.slots) != smallIndex {
		t.Errorf("got %d slots after a small page, want %d", len(x.seen.slots), smallIndex)
	}
}

func TestNextMarkEqualsALookAtEveryByte(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for n := range 20_000 {
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = "abcz\x00\x01\x0A\x0B\x5A\x5B\x5C\x5D\x5E\x7A\x7B\x7C\x7D\x7E\x80\x8A\xDB\xDD\xFB\xFD\xFF        "[r.IntN(33)]
		}
		s := string(b)
		for i := range len(s) + 1 {
			want := strings.IndexAny(s[i:], "\n[]{}")
			if want += i; want < i {
				want = len(s)
			}
			if got := nextMark(s, i); got != want {
				t.Fatalf("seed %d text %d %q from %d: got %d, want %d", seed, n, s, i, got, want)
			}
		}
	}
}
