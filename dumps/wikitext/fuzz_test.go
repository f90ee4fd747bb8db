package wikitext

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The corpora are the texts of the tables and of the specification; what fuzzing finds goes to testdata/fuzz.

func FuzzTitle(f *testing.F) {
	for _, raw := range []string{"a", ":Category:x#y", "fr:b", "A%20b&amp;_c", "&#x41;", "//x", "2001: a", "e\u0301", "\u200Ea~~~"} {
		f.Add(raw)
	}
	s := englishWikipedia()
	f.Fuzz(func(t *testing.T, raw string) {
		title, err := s.ParseTitle(raw)
		if err != nil || title.Interwiki != "" || title.Text == "" {
			return
		}
		again, err := s.ParsePageTitle(s.FullTitle(title))
		if again.Text != title.Text || again.NS != title.NS || err != nil {
			t.Errorf("%q: got %+v, which reads as %+v, error %v", raw, title, again, err)
		}
	})
}

func FuzzTemplates(f *testing.F) {
	for _, text := range append(templateTexts(), hostile...) {
		f.Add(text)
	}
	s := englishWikipedia()
	f.Fuzz(func(t *testing.T, text string) {
		x := NewTemplates(s)
		within, last := "", -1
		x.Each(text, func(c *Template) {
			if within != c.Within {
				within, last = c.Within, -1
			}
			checkTemplate(t, text, c, last)
			if c.Within == "" {
				last = c.Start
			}
		})
		c := x.Counts()
		if c.Found != c.Visited+c.TooDeep+c.TooManyArguments {
			t.Errorf("%q: counts do not add up: %+v", text, c)
		}
	})
}

// checkTemplate checks that positions point to what they say, and that c begins after the template before it.
func checkTemplate(t *testing.T, text string, c *Template, last int) {
	t.Helper()
	if c.Start <= last || text[c.Start] != '{' || text[c.End-1] != '}' || c.Depth < 1 {
		t.Fatalf("%q: got template %+v after one at %d", text, *c, last)
	}
	for _, a := range c.Args {
		raw := text[a.Start:a.End]
		if a.Start < c.Start || a.End > c.End || !strings.Contains(raw, "<") && raw != a.Value {
			t.Fatalf("%q: argument %+v points to %q", text, a, raw)
		}
	}
}

func FuzzLead(f *testing.F) {
	for _, c := range leadCases {
		f.Add(c.text)
	}
	for _, unit := range hostile {
		f.Add(unit)
	}
	s := englishWikipedia()
	f.Fuzz(func(t *testing.T, text string) {
		const limit = 40
		lead, truncated := s.Lead(Title{Text: "T"}, text, limit)
		whole, more := s.Lead(Title{Text: "T"}, text, len(text)*20+limit)
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
	for _, unit := range hostile {
		f.Add(unit)
	}
	s := englishWikipedia()
	f.Fuzz(func(t *testing.T, text string) {
		x := NewFacts(s, 2026)
		facts := x.Page(Title{Text: "T"}, text)
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

func checkFactBalance(t testing.TB, c FactCounts) {
	t.Helper()
	kept := int64(0)
	for _, n := range c.ByKind {
		kept += n
	}
	if c.Found != c.Kept+c.Refused+c.Aside+c.Repeated+c.Disagreed || kept != c.Kept {
		t.Errorf("counts do not add up: %+v", c)
	}
}
