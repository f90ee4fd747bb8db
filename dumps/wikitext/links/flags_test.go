package links

import (
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

func flagsOf(s *titles.Site, own titles.Title, text string) uint16 {
	x := NewExtractor(s)
	x.Links(own, text)
	return x.Flags()
}

func TestFlagsByTitle(t *testing.T) {
	const list, date, dis = schemas.FlagList, schemas.FlagDate, schemas.FlagDisambiguation
	s := wikitest.EnglishWikipedia()
	for title, want := range map[string]uint16{
		"Ada (disambiguation)": dis, "Disambiguation": 0, "Ada (disambiguation) x": 0,
		"List of lists of lists": list, "Lists of X": list, "Index of X": list, "Outline of X": list, "Timeline of X": list,
		"Glossary of X": list, "List X": 0, "A List of X": 0, "Listing of X": 0,
		"List of X (disambiguation)": list | dis,
		"1066":                       date, "44 BC": date, "AD 69": date, "12345": 0, "007": 0, "0": 0, "-5": 0, "+5": 0,
		"1990s": date, "10s BC": date, "0s": date, "1995s": 0, "s": 0,
		"1st century": date, "19th century BC": date, "22nd century": date, "19xx century": 0, "century": 0, "th century": 0,
		"May 4": date, "February 29": date, "May 32": 0, "May 1968": date, "May": 0, "May 04": 0, "May Day": 0, "May 99": 0,
		"Talk:1066": 0, "Category:List of X": 0, "Talk:X (disambiguation)": dis,
	} {
		parsed, err := s.ParsePageTitle(title)
		if err != nil {
			t.Fatal(err)
		}
		if got := flagsOf(s, parsed, ""); got != want {
			t.Errorf("%q: got %d, want %d", title, got, want)
		}
	}
}

func TestFlagsUseTheWordsOfTheLanguage(t *testing.T) {
	for _, c := range []struct {
		lang, title, text string
		want              uint16
	}{
		{"it", "Ada (disambigua)", "", schemas.FlagDisambiguation},
		{"it", "Ada (disambiguation)", "{{disambig}}", 0},
		{"it", "List of X", "", 0},
		{"", "Ada (disambiguation)", "", 0},
		{"", "X ()", "", 0},
	} {
		s := titles.NewSite(titles.SiteInfo{Lang: c.lang})
		if got := flagsOf(s, titles.Title{Text: c.title}, c.text); got != c.want {
			t.Errorf("%q on %q: got %d, want %d", c.title, c.lang, got, c.want)
		}
	}
}

func TestDisambiguationTemplateCountsAtTopLevelOnly(t *testing.T) {
	s := wikitest.EnglishWikipedia()
	for text, want := range map[string]bool{
		"x\n{{disambiguation}}":                          true,
		"{{Dab|geo}}":                                    true,
		"{{ mil-unit-dis\n|x}}":                          true,
		"{{Template:_Dab_}}":                             true,
		"{{dab<!-- c -->}}":                              true,
		"{{unclosed {{dab}}":                             true,
		"{{x}}{{y|{{z}}}}{{dab}}":                        true,
		"{{ Letter-number_combination disambiguation }}": true,
		"{{x|{{dab}}}}":                                  false,
		"<!-- {{dab}} -->":                               false,
		"<nowiki>{{dab}}</nowiki>":                       false,
		"<ref>{{dab}}</ref>":                             false,
		"{{dab":                                          false,
		"{{:dab}}":                                       false,
		"{{Talk:Dab}}":                                   false,
		"{{surname}}":                                    false,
		"{{DAB}}":                                        false,
		"dab":                                            false,
	} {
		got := flagsOf(s, titles.Title{Text: "X"}, text)&schemas.FlagDisambiguation != 0
		if got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestExtractorFlagsEqualThoseOfTheText(t *testing.T) {
	check := func(site *titles.Site, x *Extractor, own titles.Title, text string) bool {
		x.Links(own, text)
		want := textFlags(site, own, text)
		if got := x.Flags(); got != want {
			t.Errorf("%q %.60q: got %d, want %d", own.Text, text, got, want)
		}
		return want&schemas.FlagDisambiguation != 0
	}
	s := wikitest.EnglishWikipedia()
	x := NewExtractor(s)
	for _, text := range []string{
		"{{dab}}", "x {{dab}}", "{{x|{{dab}}}}", "<ref>{{dab}}</ref>", "[[Category:Disambiguation pages]]", "[[:Category:Disambiguation pages]]",
		"{{{dab}}}", "{{dab", "", "<!-- {{dab}} -->",
	} {
		check(s, x, titles.Title{Text: "X"}, text)
	}
	site, pages := wikitest.Sample(t)
	x, found := NewExtractor(site), 0
	for _, p := range pages {
		if check(site, x, wikitest.PageTitle(t, site, p), p.Text) {
			found++
		}
	}
	if found != 8 {
		t.Errorf("got %d disambiguation pages in the sample, want 8", found)
	}
}

// textFlags is Extractor.Flags by another way: it looks at the text alone.
func textFlags(s *titles.Site, own titles.Title, text string) uint16 {
	flags := s.TitleFlags(own)
	if flags&schemas.FlagDisambiguation == 0 && (hasDisambiguationTemplate(s, own, text) || inDisambiguationCategory(s, text)) {
		flags |= schemas.FlagDisambiguation
	}
	return flags
}

func inDisambiguationCategory(s *titles.Site, text string) bool {
	var l level
	flat := l.Flatten(text)
	for piece := range strings.SplitSeq(flat, "[[") {
		raw, _, ok := linkTarget(piece)
		if !ok {
			continue
		}
		t, err := s.ParseTitle(raw)
		if err == nil && s.IsDisambiguationCategory(t) {
			return true
		}
	}
	return false
}

func hasDisambiguationTemplate(s *titles.Site, own titles.Title, text string) bool {
	if len(s.ListedTemplates()) == 0 {
		return false
	}
	var l level
	flat := l.Flatten(markup.ExpandMagic(text, own.Text, s.FullTitle(own)))
	l.Find(flat, s)
	top := int32(0) // end of the templates begun so far
	for _, b := range l.Braces {
		if b.End == 0 || b.Start < top {
			continue
		}
		top = b.End
		if s.ListedTemplates()[s.TemplateName(flat[b.Start+2:b.End])] {
			return true
		}
	}
	return false
}
