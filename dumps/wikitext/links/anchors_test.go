package links

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
)

// anchorCases have the anchors of a text as "Target: first, second".
var anchorCases = []struct {
	what, text string
	want       []string
}{
	{"a target is its own anchor", "[[Cat]]", []string{"Cat: Cat"}},
	{"letters after a link belong to it", "[[cat]]s", []string{"Cat: cats"}},
	{"a label loses its italics before the trail", "[[A|''b'']]c", []string{"A: bc"}},
	{"bold italics", "[[A|'''''b''''' c]]", []string{"A: b c"}},
	{"an apostrophe of the label stays", "[[A|a's b]]", []string{"A: a's b"}},
	{"a digit ends the trail", "[[cat]]s2x", []string{"Cat: cats"}},
	{"an apostrophe ends the trail", "[[cat]]'s", []string{"Cat: cat"}},
	{"a capital ends the trail", "[[cat]]sS", []string{"Cat: cats"}},
	{"a letter beyond ASCII ends the English trail", "[[cat]]né", []string{"Cat: catn"}},
	{"a hyphen is no trail", "[[cat]]-like", []string{"Cat: cat"}},
	{"nowiki ends the trail", "[[cat]]<nowiki/>s", []string{"Cat: cat"}},
	{"a comment does not", "[[cat]]<!-- x -->s", []string{"Cat: cats"}},
	{"another link ends the trail", "[[cat]]s[[dog]]s", []string{"Cat: cats", "Dog: dogs"}},
	{"a template ends the trail", "[[cat]]{{s}}", []string{"Cat: cat"}},
	{"the fragment shows where there is no label", "[[Africa#North]]", []string{"Africa: Africa#North"}},
	{"a pipe in the label stays", "[[A|b|c]]", []string{"A: b|c"}},
	{"{{!}} is a pipe", "[[A{{!}}b]]", []string{"A: b"}},
	{"layout templates show their argument", "[[A|{{nowrap|b c}} d]]", []string{"A: b c d"}},
	{"other templates show nothing", "[[A|{{flag|x}} b]]", []string{"A: b"}},
	{"an anchor may be empty", "[[A|{{flag|x}}]]", []string{"A: "}},
	{"tags vanish and leave their text", "[[A|<small>b</small><br />c]]", []string{"A: bc"}},
	{"a reference in the label vanishes", "[[A|b<ref>see [[C]]</ref>]]", []string{"A: b", "C: C"}},
	{"character references are decoded", "[[A|b&nbsp;&amp;&#160;c &lt;d&gt;]]", []string{"A: b & c <d>"}},
	{"and those of a target", "[[R&amp;B]]", []string{"R&B: R&B"}},
	{"and the percent codes of a target", "[[Caf%C3%A9]]", []string{"Café: Café"}},
	{"but none in a label", "[[A|50%25]]", []string{"A: 50%25"}},
	{"a leading colon does not show", "[[:cat]]s", []string{"Cat: cats"}},
	{"underscores show", "[[New_York]]", []string{"New York: New_York"}},
	{"blanks are tidied", "[[A| b \n\t c ]]d", []string{"A: b c d"}},
	{"a label in brackets", "[[A|[1]]]", []string{"A: [1]"}},
	{"a label that is a bracket", "[[A|]]]", []string{"A: ]"}},
	{"an external link in the label", "[[A|[http://x.org y]]]z", []string{"A: yz"}},
	{"NFC", "[[A|e\u0301]]", []string{"A: é"}},
	{"captions of files", "[[File:A.png|thumb|The [[cat]]s of [[B|b]]]]", []string{"Cat: cats", "B: b"}},
	{"galleries", "<gallery>\nA.png|[[cat]]s\n</gallery>", []string{"Cat: cats"}},
	{"occurrences of other text come after the first", "[[cat]] [[Cat|tom]] [[cat]] [[Cats|x]] [[cat]]s", []string{"Cat: cat, tom, cats", "Cats: x"}},
	{"and of other provenance", "<ref>[[cat]]</ref> [[cat]] {{x|[[cat]]}} [[cat]]", []string{"Cat: cat, cat, cat"}},
	{"links to the page itself have none", "[[T]]s [[#x]] [[A]]", []string{"A: A"}},
	{"other namespaces have none", "[[:Category:X|y]] [[fr:Z]] [[A]]", []string{"A: A"}},
	{"hatnotes", "{{main|cat#x}}s {{see also|:B}}", []string{"Cat: cat#x", "B: B"}},
}

func TestAnchorsAreWhatReadersSeeOfALink(t *testing.T) {
	x := NewExtractor(wikitest.EnglishWikipedia())
	x.ReadAnchors(true)
	x.ReadHatnotes()
	for _, c := range anchorCases {
		if got := anchorsOf(t, x, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s: got %q, want %q", c.what, c.text, got, c.want)
		}
	}
}

// anchorsOf gives the anchors of a text in the form of anchorCases, after checks that hold for any text.
func anchorsOf(t testing.TB, x *Extractor, text string) []string {
	t.Helper()
	links := x.Links(titles.Title{Text: "T"}, text)
	list := x.Anchors()
	checkAnchors(t, text, links, list)
	var got []string
	for _, a := range list {
		if int(a.Link) == len(got) {
			got = append(got, links[a.Link].Target+": "+a.Text)
			continue
		}
		got[len(got)-1] += ", " + a.Text
	}
	return got
}

// checkAnchors holds anchors to their promises: by link and place, every link has one, the first ones are in the order of
// the links, and the provenances of a link add up.
func checkAnchors(t testing.TB, text string, links []Link, list []Anchor) {
	t.Helper()
	var masks []uint8
	last := Anchor{}
	for i, a := range list {
		if i > 0 && (a.Link < last.Link || a.Link == last.Link && a.At <= last.At) {
			t.Fatalf("%q: anchor %+v stands after %+v", text, a, last)
		}
		last = a
		if int(a.Link) == len(masks) {
			masks = append(masks, 0)
		}
		if int(a.Link) != len(masks)-1 {
			t.Fatalf("%q: no anchor for link %d", text, len(masks))
		}
		masks[a.Link] |= a.Provenance
		if strings.Trim(a.Text, " \n\t") != a.Text || strings.ContainsAny(a.Text, "\n\t\x7F") {
			t.Errorf("%q: anchor %q is not tidy", text, a.Text)
		}
	}
	if len(masks) != len(links) {
		t.Fatalf("%q: %d links, anchors for %d", text, len(links), len(masks))
	}
	for i, l := range links {
		if masks[i] != l.Provenance {
			t.Errorf("%q: link %d has provenance %b, its anchors %b", text, i, l.Provenance, masks[i])
		}
	}
}

func TestAnchorsChangeNoLink(t *testing.T) {
	plain, with := NewExtractor(wikitest.EnglishWikipedia()), NewExtractor(wikitest.EnglishWikipedia())
	with.ReadAnchors(true)
	for _, c := range anchorCases {
		got := slices.Clone(with.Links(titles.Title{Text: "T"}, c.text))
		if want := plain.Links(titles.Title{Text: "T"}, c.text); !slices.Equal(got, want) {
			t.Errorf("%s: got %v with anchors, %v without", c.text, got, want)
		}
		if plain.Anchors() != nil {
			t.Errorf("%s: anchors that nobody asked for", c.text)
		}
	}
	if plain.Counts() != with.Counts() {
		t.Errorf("counts: got %+v with anchors, %+v without", with.Counts(), plain.Counts())
	}
}

func TestTheTrailIsThatOfTheSiteElseOfItsLanguage(t *testing.T) {
	for _, c := range []struct {
		lang, pattern, text, want string
		known                     bool
	}{
		{"en", "", "[[A]]bé", "A: Ab", true},
		{"fr", "", "[[A]]bé", "A: Abé", true},
		{"ru", "", "[[Кот]]ами", "Кот: Котами", true},
		{"zh", "", "[[貓]]s", "貓: 貓", true},
		{"he", "", "[[A]]bא", "A: Ab", true},
		{"he", "/^([a-zא-ת]+)(.*)$/sDu", "[[A]]bא", "A: Abא", true},
		{"fr", "/^(?i:odd)(.*)$/sDu", "[[A]]bé", "A: Abé", false},
	} {
		s := titles.NewSite(titles.SiteInfo{Lang: c.lang, Case: "first-letter", LinkTrail: c.pattern})
		x := NewExtractor(s)
		x.ReadAnchors(true)
		if got := fmt.Sprint(anchorsOf(t, x, c.text)); got != "["+c.want+"]" || s.KnowsLinkTrail() != c.known {
			t.Errorf("%s %s: got %s, known %t; want %s, %t", c.lang, c.pattern, got, s.KnowsLinkTrail(), c.want, c.known)
		}
	}
}
