package links

import (
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

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
		if got := Flags(s, parsed, ""); got != want {
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
		if got := Flags(s, titles.Title{Text: c.title}, c.text); got != c.want {
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
		got := Flags(s, titles.Title{Text: "X"}, text)&schemas.FlagDisambiguation != 0
		if got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestExtractorFlagsEqualThoseOfTheText(t *testing.T) {
	check := func(site *titles.Site, x *Extractor, own titles.Title, text string) bool {
		x.Links(own, text)
		want := Flags(site, own, text)
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
