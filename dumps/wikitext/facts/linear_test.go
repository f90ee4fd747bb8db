package facts

import (
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/dumps/wikitext/links"
	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
)

// A quadratic step takes from many seconds to minutes on these, a linear one a tenth of a second at most. The best of
// three tries is taken, since the machine may be busy with something else.
func TestHostileTextTakesLinearTime(t *testing.T) {
	const size, limit = 1 << 18, 1500 * time.Millisecond
	s := wikitest.EnglishWikipedia()
	blanks := strings.Repeat(" ", size/4)
	for _, unit := range wikitest.Hostile {
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
func readEverything(t *testing.T, s *titles.Site, text string) time.Duration {
	t.Helper()
	own := titles.Title{Text: strings.Repeat("T", titles.MaxTitleBytes)}
	x, facts, templates := links.NewExtractor(s), NewFacts(s, 2026), markup.NewTemplates(s)
	x.ReadHatnotes()
	x.ReadAnchors(true)
	began := time.Now()
	x.Links(own, text)
	x.Anchors()
	x.TopTemplates()
	x.Flags()
	Lead(s, text, LeadLimit, true)
	facts.Page(own, text)
	readTemplates(templates, text)
	links.IsDisambiguationTemplate(s, text)
	_, _ = s.ParseTitle(text)
	s.TextRedirect("#REDIRECT" + text)
	took := time.Since(began)
	c, sum := x.Counts(), int64(0)
	for _, n := range c[links.Kept : links.Unterminated+1] {
		sum += n
	}
	if c[links.Found] != sum {
		t.Errorf("outcomes sum to %d: %+v", sum, c)
	}
	checkFactBalance(t, facts.Counts())
	return took
}

// readTemplates reads those in the bodies of tags as well.
func readTemplates(x *markup.Templates, text string) {
	var l markup.TemplateLevel
	flat := l.Read(text)
	for i := range l.Calls {
		x.Read(flat, &l.Calls[i])
	}
	for _, b := range l.Subs {
		readTemplates(x, b.Body)
	}
}
