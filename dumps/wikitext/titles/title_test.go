package titles

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/schemas/names"
)

func TestParseTitle(t *testing.T) {
	s := englishWikipedia()
	for _, c := range []struct {
		rule, raw string
		want      Title
	}{
		{"1 percent codes", "Caf%C3%A9_%e2%80%93", Title{Text: "Café –"}},
		{"1 percent alone", "50% off", Title{Text: "50% off"}},
		{"1 encoded colon", "Category%3AX", Title{NS: 14, Text: "X"}},
		{"2 leading blanks", "   foo", Title{Text: "Foo"}},
		{"2 not a scheme", "newsweek: x", Title{Text: "Newsweek: x"}},
		{"3 named", "&eacute;t&eacute;", Title{Text: "Été"}},
		{"3 a name whose text ends in a semicolon", "A&semi;B", Title{Text: "A;B"}},
		{"3 name without semicolon", "Q&notable", Title{Text: "Q&notable"}},
		{"3 hexadecimal", "A&#X2013;B", Title{Text: "A–B"}},
		{"3 once only", "A&amp;B", Title{Text: "A&B"}},
		{"4 composed", "e\u0301t", Title{Text: "Ét"}},
		{"5 forced", ":foo", Title{Text: "Foo", Forced: true}},
		{"5 forced category", ":Category:x", Title{NS: 14, Text: "X", Forced: true}},
		{"6 blanks", "_a__b\u00A0\u3000c\u2003_", Title{Text: "A b c"}},
		{"6 direction marks", "\u202Aab\u200E \u200F c", Title{Text: "Ab c"}},
		{"8 blanks around the colon", "user _talk :_x", Title{NS: 3, Text: "X"}},
		{"8 once only", "Talk:File:x", Title{NS: 1, Text: "File:x"}},
		{"8 namespace hides nothing", "2001: a", Title{Text: "2001: a"}},
		{"8 interwiki", "FR: paris", Title{Interwiki: "fr", Text: "paris"}},
		{"8 interwiki alone", "wikt:", Title{Interwiki: "wikt"}},
		{"9 fragment", "foo _#Bar_ baz#x", Title{Text: "Foo", Fragment: "Bar baz#x"}},
		{"9 bare fragment", "#x", Title{Fragment: "x"}},
		{"9 empty fragment", "#", Title{}},
		{"9 fragment after prefix", "Help:a#b", Title{NS: 12, Text: "A", Fragment: "b"}},
		{"10 dots", "...", Title{Text: "..."}},
		{"10 dot file", "a/.b", Title{Text: "A/.b"}},
		{"10 tildes", "a~~b", Title{Text: "A~~b"}},
		{"10 full length", strings.Repeat("x", 255), Title{Text: "X" + strings.Repeat("x", 254)}},
		{"10 prefix does not count", "Help:" + strings.Repeat("X", 255), Title{NS: 12, Text: strings.Repeat("X", 255)}},
		{"10 special pages", "Special:" + strings.Repeat("X", 512), Title{NS: -1, Text: strings.Repeat("X", 512)}},
		{"11 no change beyond the first", "nEW yORK", Title{Text: "NEW yORK"}},
		{"11 simple mapping", "ßx", Title{Text: "ßx"}},
		{"11 title case letters", "ǆx", Title{Text: "Ǆx"}},
		{"11 Georgian", "ნx", Title{Text: "ნx"}},
	} {
		got, err := s.ParseTitle(c.raw)
		if err != nil || got != c.want {
			t.Errorf("rule %s: %q: got %+v, error %v, want %+v", c.rule, c.raw, got, err, c.want)
		}
	}
}

func TestParseTitleRejects(t *testing.T) {
	s := englishWikipedia()
	for _, c := range []struct {
		want names.Error
		raws []string
	}{
		{errURL, []string{"http://x", " HTTPS://x", "mailto:a@b", "//x", "%2F%2Fx", "urn:x"}},
		{names.ErrReplacement, []string{"a\uFFFDb", "a%FFb", "a\xFFb", "R&#150;S", "&#x110000;", "&#99999999999999999999;", "&#xD800;"}},
		{names.ErrEmpty, []string{"", " ", "_", ":", " : ", "\u200E", "Category:", "Talk:#x"}},
		{errCharacter, []string{"a<b", "a%3Cb", "a&gt;b", "a[b", "a]b", "a{b", "a}b", "a|b", "a\nb", "a\tb", "a\x7Fb", "a&#10;b"}},
		{errEncoded, []string{"a%2541", "a&amp;amp;b", "a&nope;b", "a&am%70;nope;b"}},
		{errRelative, []string{".", "..", "./a", "../a", "a/./b", "a/../b", "a/.", "a/..", "Help:.."}},
		{errTildes, []string{"a~~~b"}},
		{errLong, []string{strings.Repeat("x", 256), strings.Repeat("é", 128), "Special:" + strings.Repeat("x", 513)}},
		{errColon, []string{"::a", "Category::b", "fr::b"}},
	} {
		for _, raw := range c.raws {
			if got, err := s.ParseTitle(raw); err != c.want {
				t.Errorf("%q: got %+v, error %v, want error %v", raw, got, err, c.want)
			}
		}
	}
}

func TestCaseRuleOfNamespaceOverridesThatOfSite(t *testing.T) {
	s := NewSite(SiteInfo{Case: "case-sensitive", Namespaces: []Namespace{
		{Key: 0, Case: "case-sensitive"},
		{Key: 2, Name: "User", Case: "first-letter"},
		{Key: 118, Name: "Reconstruction"},
	}})
	for raw, want := range map[string]string{"dog": "dog", "école": "école", "user:dog": "User:Dog", "reconstruction:dog": "Reconstruction:dog"} {
		title, err := s.ParseTitle(raw)
		if got := s.FullTitle(title); err != nil || got != want {
			t.Errorf("%q: got %q, error %v, want %q", raw, got, err, want)
		}
	}
}

func TestTurkicSitesCapitaliseDottedI(t *testing.T) {
	for lang, want := range map[string]string{"tr": "İzmir", "az": "İzmir", "kaa": "İzmir", "en": "Izmir", "": "Izmir"} {
		title, err := NewSite(SiteInfo{Lang: lang}).ParseTitle("izmir")
		if err != nil || title.Text != want {
			t.Errorf("language %q: got %q, error %v, want %q", lang, title.Text, err, want)
		}
	}
}

func TestPageTitlesAreNeverTakenForOtherWikis(t *testing.T) {
	s := englishWikipedia()
	for _, c := range []struct {
		raw, want string
		looks     bool
	}{
		{"C: x", "C: x", true},
		{"De:Bug", "De:Bug", true},
		{"Http://example.org", "Http://example.org", false},
		{"Star Trek: First Contact", "Star Trek: First Contact", false},
		{"Category:C:x", "Category:C:x", false},
		{"Plain", "Plain", false},
	} {
		title, err := s.ParsePageTitle(c.raw)
		if got := s.FullTitle(title); err != nil || got != c.want || title.Interwiki != "" {
			t.Errorf("%q: got %q (%+v), error %v, want %q", c.raw, got, title, err, c.want)
		}
		if got := s.LooksInterwiki(c.raw); got != c.looks {
			t.Errorf("%q looks interwiki: got %v, want %v", c.raw, got, c.looks)
		}
	}
	for _, raw := range []string{"", "#x", "a|b", "a\uFFFD"} {
		if title, err := s.ParsePageTitle(raw); err == nil {
			t.Errorf("%q: got %+v, want an error", raw, title)
		}
		if s.LooksInterwiki(raw) {
			t.Errorf("%q looks interwiki: got true, want false", raw)
		}
	}
}

func TestFullTitle(t *testing.T) {
	s := italianWikipedia()
	for _, c := range []struct {
		title Title
		want  string
	}{
		{Title{Text: "Roma", Fragment: "x", Forced: true}, "Roma"},
		{Title{NS: 14, Text: "Roma"}, "Categoria:Roma"},
		{Title{Interwiki: "fr", Text: "rome"}, "fr:rome"},
		{Title{NS: 2300, Text: "X"}, "Speciale:Badtitle/NS2300:X"},
	} {
		if got := s.FullTitle(c.title); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.title, got, c.want)
		}
	}
}

// The short cut for plain titles must not be seen in results.
func TestPlainTitlesEqualTheFullRules(t *testing.T) {
	s := englishWikipedia()
	for _, raw := range []string{"a", "dog", "New York City", "a (b), c's - d.", "9 to 5", "x!", strings.Repeat("y", 255)} {
		fast, ok := s.plainTitle(raw)
		lead, err := targetText(raw)
		if err != nil || !ok {
			t.Fatalf("%q: got plain %v, error %v", raw, ok, err)
		}
		if full, err := s.parse(lead, s.prefixes); err != nil || fast != full {
			t.Errorf("%q: got %+v, want %+v, error %v", raw, fast, full, err)
		}
	}
	for _, raw := range []string{"", " a", "a ", "a  b", "a_b", "a:b", "a#b", "a&b", "a%b", "a/b", "a~b", ".", "é", strings.Repeat("y", 256)} {
		if got, ok := s.plainTitle(raw); ok {
			t.Errorf("%q: got %+v, want the full rules", raw, got)
		}
	}
}

func FuzzParseTitle(f *testing.F) {
	for _, raw := range []string{
		"dog", " :Category : x #y", "Caf%C3%A9", "a&eacute;&#x41;&#66;&nope;", "e\u0301\u200E_\u3000x", "fr:Paris", "http://x",
		"a/../b", "2001: x", "#f", "i", "\u0131\u0307x", strings.Repeat("é", 127), "a\xFF%FF\uFFFD", "&notit;", "~~~",
	} {
		f.Add(raw)
	}
	sites := []*Site{englishWikipedia(), italianWikipedia(), NewSite(SiteInfo{Lang: "tr", Case: caseSensitive})}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, s := range sites {
			checkTitle(t, s, raw)
		}
	})
}

// checkTitle checks what must hold of any text. Two oddities are MediaWiki's own: removing a direction mark or raising
// a first letter can leave the text outside NFC, or longer than a title may be.
func checkTitle(t *testing.T, s *Site, raw string) {
	t.Helper()
	title, err := s.ParseTitle(raw)
	if err != nil {
		if title != (Title{}) {
			t.Errorf("%q: got %+v beside error %v", raw, title, err)
		}
		return
	}
	if strings.ContainsAny(title.Text, "#<>[]{}|_\n\x7F\uFFFD") || strings.TrimSpace(title.Text) != title.Text {
		t.Errorf("%q: got text %q", raw, title.Text)
	}
	if title.Text == "" || title.Interwiki != "" || !norm.NFC.IsNormalString(title.Text) || len(title.Text) > MaxTitleBytes {
		return
	}
	again, err := s.ParsePageTitle(s.FullTitle(title))
	if want := (Title{NS: title.NS, Text: title.Text}); err != nil || again != want {
		t.Errorf("%q: parsed again from %q: got %+v, error %v, want %+v", raw, s.FullTitle(title), again, err, want)
	}
}

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

func BenchmarkTitle(b *testing.B) {
	s := englishWikipedia()
	for _, raw := range []string{"Albert Einstein", "town", "New_York", "Category:X", "Caf%C3%A9", "São Paulo#History", "R&amp;B"} {
		b.Run(raw, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.ParseTitle(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
