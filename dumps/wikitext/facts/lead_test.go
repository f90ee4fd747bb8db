package facts

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wikinav/wikinav/dumps/wikitext/links"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

var leadCases = []struct{ name, text, want string }{
	{"plain", "A is b.", "A is b."},
	{"empty", "", ""},
	{"comments", "A<!-- [[b]] --> is <!-- c\n== d ==\n -->e.", "A is e."},
	{"open comment", "A <!-- b\n== c ==", "A"},
	{"refs", "A<ref>b {{c}}</ref> is<ref name=x/> d<references />.", "A is d."},
	{"open ref", "A <ref>b", "A b"},
	{"dropped tags", "A<gallery>\nb.png|c\n</gallery> <math>x</math><pre>y</pre>z", "A z"},
	{"heading", "A.\n== B ==\nC", "A."},
	{"heading with blanks", "A.\n=B=  \nC", "A."},
	{"no heading", "A.\n=B\nC", "A.\n=B\nC"},
	{"heading at once", "==A==\nB", ""},
	{"heading behind a comment", "A\n<!-- x -->== B ==\nC", "A"},
	{"infobox", "{{Infobox x\n|a={{b|c}}\n}}\n'''A''' is b.", "A is b."},
	{"open template", "A {{b\nC", "A"},
	{"parameter", "A {{{b|c}}}", "A {{{b|c}}}"},
	{"convert", "A is {{convert|5|km|mi|abbr=on}} and {{cvt|6|ft}}.", "A is 5 km and 6 ft."},
	{"convert a range", "{{convert|5|to|6|km|mi}}", "5 to 6 km"},
	{"nowrap and nested", "{{nowrap|a {{small|b}} {{c}}}} d", "a b d"},
	{"numbered argument", "{{nowrap|1=a=b}}", "a=b"},
	{"lang", "{{lang|fr|été}} ({{transl|ru|Moskva}}, {{transl|ru|ISO|Moskva}})", "été (Moskva, Moskva)"},
	{"table", "A\n{| class=x\n| b\n{|\n|c\n|}\n|}\nd", "A\nd"},
	{"open table", "A\n{|\n|b\nc", "A"},
	{"links", "[[A]] [[b|c]] [[d#e|f ''g'']] [[:Category:H]] [[i|]]", "A c f g Category:H i"},
	{"files and categories", "[[File:a.png|thumb|b [[c]] d]] [[image:x]]e [[Category:F]]", "e"},
	{"languages", "A\n[[de:B]]\n[[:de:C]]", "A\nde:C"},
	{"open file", "[[File:a.png|b [[c]]\nD", "D"},
	{"external", "A [http://b c d] [//e] [https://f] [g]", "A c d [g]"},
	{"quotes", "'''''A''' b'' c''''' it's", "A b c it's"},
	{"switches", "__NOTOC__A __b__", "A __b__"},
	{"tags", "A<br/>B <span style=\"x\">c</span> a < b <nowiki>''d''</nowiki>", "AB c a < b d"},
	{"references", "A&nbsp;&amp;&ndash;B &lt;b&gt; &unknown;", "A &–B <b> &unknown;"},
	{"empty parentheses", "A ({{x}}) b ( ; {{y}}, c; {{z}} ) d (; )", "A b (c) d"},
	{"blanks before marks", "A , b ; c . (d )", "A, b; c. (d)"},
	{"blanks", "  A \t\u00A0 b  \n\n\n c", "A b\nc"},
	{"list lines", "A\n* b\n# c\n: d\n; e\n| f\n! g\nh", "A\nh"},
	{"composed", "e\u0301", "é"},
	{"redirect-like junk", "]] }} |}", "}} |}"},
}

func TestLead(t *testing.T) {
	s := wikitest.EnglishWikipedia()
	for _, c := range leadCases {
		got, truncated := leadOf(s, titles.Title{Text: "T"}, c.text, LeadLimit)
		if got != c.want || truncated {
			t.Errorf("%s: %q: got %q, truncated %v, want %q", c.name, c.text, got, truncated, c.want)
		}
	}
}

func TestLeadIsCutBetweenCodePoints(t *testing.T) {
	s := wikitest.EnglishWikipedia()
	for _, c := range []struct {
		text  string
		limit int
		want  string
		cut   bool
	}{
		{"ééé", 3, "ééé", false},
		{"ééé", 2, "éé", true},
		{"e\u0301e\u0301e\u0301", 2, "éé", true}, // counted after NFC
		{"abc", 0, "", true},
		{"", 0, "", false},
		{strings.Repeat("𝒳", 501), LeadLimit, strings.Repeat("𝒳", 500), true},
	} {
		got, cut := leadOf(s, titles.Title{Text: "T"}, c.text, c.limit)
		if got != c.want || cut != c.cut {
			t.Errorf("%q to %d: got %q, cut %v, want %q, %v", c.text, c.limit, got, cut, c.want, c.cut)
		}
	}
}

func TestLeadOfADisambiguationPageKeepsItsList(t *testing.T) {
	s := wikitest.EnglishWikipedia()
	const text = "'''A''' may refer to:\n* [[B]], a thing\n** [[C]]\n# D\n"
	for _, c := range []struct{ text, want string }{
		{text, "A may refer to:"},
		{text + "{{disambig}}", "A may refer to:\nB, a thing\nC"},
	} {
		if got, _ := leadOf(s, titles.Title{Text: "A"}, c.text, LeadLimit); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestLeadKnowsLocalNames(t *testing.T) {
	s := wikitest.ItalianWikipedia()
	if got, _ := leadOf(s, titles.Title{Text: "T"}, "[[Immagine:x|y]] [[Categoria:B]][[FILE:c]]A", LeadLimit); got != "y A" {
		t.Errorf("got %q, want the label of what is no local name, and A", got)
	}
}

func TestSampleLeadsAreClean(t *testing.T) {
	site, pages := wikitest.Sample(t)
	empty := 0
	for _, p := range pages {
		if p.Redirect.Title != "" {
			continue
		}
		lead, truncated := leadOf(site, wikitest.PageTitle(t, site, p), p.Text, LeadLimit)
		if lead == "" {
			empty++
		}
		if truncated && utf8.RuneCountInString(lead) != LeadLimit {
			t.Errorf("page %d %q: got %d code points, truncated", p.ID, p.Title, utf8.RuneCountInString(lead))
		}
		for _, markup := range []string{"[[", "]]", "{{", "}}", "''", "<ref", "<!--", "File:", "()"} {
			if strings.Contains(lead, markup) {
				t.Errorf("page %d %q: %q in %q", p.ID, p.Title, markup, lead)
			}
		}
	}
	if empty != 1 { // a list that begins with a heading
		t.Errorf("got %d empty leads, want 1", empty)
	}
}

func TestALeadEndsAtItsLimitWhateverNormalisationJoins(t *testing.T) {
	s := titles.NewSite(titles.SiteInfo{Lang: "en", Case: "first-letter"})
	for _, unit := range []string{"a", "e\u0301", "\u1100\u1161\u11a8", "\u03b1\u0314\u0342\u0345", "ab e\u0301 "} {
		for _, lines := range []int{1, 7} {
			text := strings.Repeat(strings.Repeat(unit, 300)+"\n", lines)
			whole, _ := leadOf(s, titles.Title{Text: "T"}, text, 1<<30)
			for _, limit := range []int{0, 1, 99, 299, 300, 301, 600, 1500} {
				got, truncated := leadOf(s, titles.Title{Text: "T"}, text, limit)
				want, more := firstRunes(whole, limit)
				if got != want || truncated != more {
					t.Errorf("%d lines of %q, limit %d: got %d bytes, %t; want %d, %t", lines, unit, limit, len(got), truncated, len(want), more)
				}
			}
		}
	}
}

// leadOf is the lead of a page as the stage takes it: what the page is, its links tell.
func leadOf(s *titles.Site, own titles.Title, text string, limit int) (lead string, truncated bool) {
	x := links.NewExtractor(s)
	x.Links(own, text)
	return Lead(s, text, limit, x.Flags()&schemas.FlagDisambiguation != 0)
}
