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
}

// A quadratic step takes from many seconds to hours on these, a linear one a fifth of a second at most. The best of
// three tries is taken, since the machine may be busy with something else.
func TestHostileTextTakesLinearTime(t *testing.T) {
	const size, limit = 1 << 20, 3 * time.Second
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
	x := NewExtractor(s)
	began := time.Now()
	x.Links(own, text)
	s.Flags(own, text)
	_, _ = s.ParseTitle(text)
	s.TextRedirect("#REDIRECT" + text)
	took := time.Since(began)
	checkBalance(t, x.Counts())
	return took
}

func BenchmarkLinks(b *testing.B) {
	site, pages := readDump(b, shared(b, enwikiSample, enwikiSampleSum))
	size := 0
	for _, p := range pages {
		size += len(p.Text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	x := NewExtractor(site)
	for b.Loop() {
		for _, p := range pages {
			x.Links(pageTitle(b, site, p), p.Text)
		}
	}
}
