package wikitext

import (
	"strings"
	"testing"
	"time"
)

// hostile are texts whose repetition makes careless scanners quadratic.
var hostile = []string{
	"<ref", "<ref>", "<ref >", "<ref <", "</ref", "</ref>", "<ref><nowiki>", "<ref><poem><gallery>", "<nowiki><!--", "<includeonly",
	"<noinclude>", "<!--", "<!---->", " <!-- -->", "-->", "[[", "[[[", "]]", "[[a", "[[a|", "[[File:", "[[File:a|", "[[a]]", "[[a:", "[[%",
	"[[&", "[[&#", "[[&a", "[[_", "{{", "{{{", "}}", "{{{{}}", "{{#tag:ref", "{{ PAGENAME", "{{!", "{{dab", "{{dab|", "{|", "\n{|", "\n|}", "\n|}}",
	"\n :", "|", "{{\n{|[[File:<ref>", "a", " ", "\x7F", "\xFF", "é",
	"{{a|", "{{a|b}}\n", "{{main|a}}", "{{coord|1|2}}", "{{Infobox x|a=", "{{Infobox x|a=1}}", "{{convert|1|km|", "{{nowrap|", "|a=", "=", "<a b",
	"[[a]]s", "[[a|b]]", "[[a|{{", "[[a|{{nowrap|b}}]]", "[[a|[http://b ]]]", "[[a|''<b>&amp;]]", "]]a",
	"'", "__A", "(", "( ;", "[http://a ", "\n*", "\n=", "&amp;", "{{lang|a|", "{{[[", "{{{", "[[Category:Disambiguation pages", "__DISAMBIG__<noinclude>",
}

// A quadratic step takes from many seconds to minutes on these, a linear one a tenth of a second at most. The best of
// three tries is taken, since the machine may be busy with something else.
func TestHostileTextTakesLinearTime(t *testing.T) {
	const size, limit = 1 << 18, 1500 * time.Millisecond
	s := englishWikipedia()
	blanks := strings.Repeat(" ", size/4)
	for _, unit := range hostile {
		for _, ends := range [][2]string{{"", ""}, {blanks + "{{[[", "]]}}></ref>\n"}} {
			text := ends[0] + strings.Repeat(unit, (size-len(ends[0]))/len(unit)) + ends[1]
			took := readEverything(t, s, text)
			for try := 1; try < 3 && took > limit; try++ {
				took = min(took, readEverything(t, s, text))
			}
			if took > limit {
				t.Fatalf("%q repeated between %.10q and %q: took %v, want at most %v", unit, ends[0], ends[1], took, limit)
			}
		}
	}
}

// readEverything gives the time that all readers of the package take together.
func readEverything(t *testing.T, s *Site, text string) time.Duration {
	t.Helper()
	own := Title{Text: strings.Repeat("T", maxTitleBytes)}
	x, facts, templates := NewExtractor(s), NewFacts(s, 2026), NewTemplates(s)
	x.ReadHatnotes()
	x.ReadAnchors(true)
	began := time.Now()
	x.Links(own, text)
	x.Anchors()
	x.TopTemplates()
	s.Flags(own, text)
	s.Lead(own, text, LeadLimit)
	facts.Page(own, text)
	templates.Each(text, func(*Template) {})
	s.IsDisambiguationTemplate(text)
	_, _ = s.ParseTitle(text)
	s.TextRedirect("#REDIRECT" + text)
	took := time.Since(began)
	checkBalance(t, x.Counts())
	checkFactBalance(t, facts.Counts())
	return took
}
