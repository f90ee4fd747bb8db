package facts

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
)

// The corpora are the texts of the tables and of the specification; what fuzzing finds goes to testdata/fuzz.

func FuzzLead(f *testing.F) {
	for _, c := range leadCases {
		f.Add(c.text)
	}
	for _, unit := range wikitest.Hostile {
		f.Add(unit)
	}
	s := wikitest.EnglishWikipedia()
	f.Fuzz(func(t *testing.T, text string) {
		const limit = 40
		lead, truncated := leadOf(s, titles.Title{Text: "T"}, text, limit)
		whole, more := leadOf(s, titles.Title{Text: "T"}, text, len(text)*20+limit)
		n := utf8.RuneCountInString(lead)
		switch {
		case !utf8.ValidString(lead) || !norm.NFC.IsNormalString(lead):
			t.Errorf("%q: lead %q is not NFC", text, lead)
		case more || !strings.HasPrefix(whole, lead) || truncated != (lead != whole) || truncated && n != limit:
			t.Errorf("%q: got %q, truncated %v, whole %q, truncated %v", text, lead, truncated, whole, more)
		case strings.Contains(lead, "\n\n") || strings.HasPrefix(lead, "\n") || strings.Contains(whole, "''"):
			t.Errorf("%q: lead %q is not clean", text, whole)
		}
	})
}

func FuzzFacts(f *testing.F) {
	for _, c := range factCases {
		f.Add(c.text)
	}
	for _, unit := range wikitest.Hostile {
		f.Add(unit)
	}
	s := wikitest.EnglishWikipedia()
	f.Fuzz(func(t *testing.T, text string) {
		x := NewFacts(s, 2026)
		facts := x.Page(titles.Title{Text: "T"}, text)
		checkFactBalance(t, x.Counts())
		var keys []string
		last := 0
		for _, fact := range facts {
			if fact.Offset < last || fact.Offset >= len(text) || fact.Raw == "" || fact.Value == "" || fact.Key == "" {
				t.Errorf("%q: got %+v after offset %d", text, fact, last)
			}
			last = fact.Offset
			keys = append(keys, fact.Key)
		}
		slices.Sort(keys)
		if len(slices.Compact(keys)) != len(facts) {
			t.Errorf("%q: a key twice in %+v", text, facts)
		}
	})
}

func checkFactBalance(t testing.TB, c Counts) {
	t.Helper()
	var sum, kept int64
	for _, n := range c[Kept : Disagreed+1] {
		sum += n
	}
	for _, n := range c[KindFirst:] {
		kept += n
	}
	if c[Found] != sum || kept != c[Kept] {
		t.Errorf("counts do not add up: %+v", c)
	}
}
