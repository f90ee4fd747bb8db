package links

import (
	"maps"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

func TestTemplatePagesMarkDisambiguation(t *testing.T) {
	en, de := wikitest.EnglishWikipedia(), titles.NewSite(titles.SiteInfo{Lang: "de"})
	for _, c := range []struct {
		site *titles.Site
		text string
		want bool
	}{
		{en, "x <includeonly>__DISAMBIG__</includeonly>", true},
		{en, "{{#ifeq:{{ns:0}}||__DISAMBIG__}}<noinclude>doc</noinclude>", true},
		{en, "<noinclude>__DISAMBIG__</noinclude>", false},
		{en, "<!-- __DISAMBIG__ --><nowiki>__DISAMBIG__</nowiki>", false},
		{en, "__disambig__ DISAMBIG", false},
		{en, "__BEGRIFFSKLÄRUNG__", false},
		{de, "__BEGRIFFSKLÄRUNG__", true},
		{de, "__DISAMBIG__", true},
		{en, "<noinclude>a __DISAMBIG__", true}, // not closed: literal text
		{en, "", false},
	} {
		if got := IsDisambiguationTemplate(c.site, c.text); got != c.want {
			t.Errorf("%q on %q: got %v, want %v", c.text, c.site.Info().Lang, got, c.want)
		}
	}
}

func TestDisambiguationTemplatesFollowRedirects(t *testing.T) {
	s := titles.NewSite(titles.SiteInfo{Lang: "ltg"})
	redirects := map[string]string{
		"A": "Marked", "B": "A", "C": "Other", "Loop1": "Loop2", "Loop2": "Loop1", "D": "Zeimeibu škiršona", "Marked2": "Other",
	}
	got := slices.Sorted(maps.Keys(DisambiguationTemplates(s, []string{"Marked"}, redirects)))
	if want := []string{"A", "B", "D", "Marked", "Zeimeibu škiršona"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if s.ListedTemplates()["Marked"] {
		t.Error("the table of the language was changed")
	}
}

func TestTopTemplatesAreThoseThatMightMarkAPage(t *testing.T) {
	for text, want := range map[string][]string{
		"{{a}} {{b}}\n {{template:c_d|{{e}}}}\n{{A}}": {"A", "C d"},
		"{{x\n|{{y}}\n}}{{z}}":                        {"X"},
		"{{Infobox x}}\n* {{b}}\n{{ #if:x}}\n{{c":     nil,
		"<!-- {{a}} -->\n{{b<!-- x -->}}":             {"B"},
		"a<ref>\n{{b}}</ref>":                         nil,
		"":                                            nil,
	} {
		x := NewExtractor(wikitest.EnglishWikipedia())
		x.Links(titles.Title{Text: "T"}, text)
		if got := x.TopTemplates(); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := NewExtractor(wikitest.EnglishWikipedia()).TopTemplates(); len(got) != 0 {
		t.Errorf("before the first page: got %q", got)
	}
}

func TestTopTemplatesOutliveTheNextPage(t *testing.T) {
	x := NewExtractor(wikitest.EnglishWikipedia())
	x.Links(titles.Title{Text: "T"}, "<!-- x -->{{Abc}}")
	kept := slices.Clone(x.TopTemplates())
	x.Links(titles.Title{Text: "U"}, "<!-- x -->{{Xyz}}") // no longer, lest the buffer be a new one
	if kept[0] != "Abc" {
		t.Errorf("got %q, want Abc", kept)
	}
}

func TestCategoriesMakeDisambiguationPages(t *testing.T) {
	s := titles.NewSite(titles.SiteInfo{Lang: "ltg", Namespaces: []titles.Namespace{{Key: 14, Name: "Kategoreja"}}})
	for text, want := range map[string]bool{
		"[[Kategoreja:Zeimeibu škiršona]]":                  true,
		"[[category: zeimeibu_škiršona|x]]":                 true,
		"[[:Kategoreja:Zeimeibu škiršona]]":                 false,
		"<!-- [[Kategoreja:Zeimeibu škiršona]] -->":         false,
		"[[Zeimeibu škiršona]] Kategoreja:":                 false,
		"[[Kategoreja:Zeimeibu škiršona pīmārs]]":           false,
		"<nowiki>[[Kategoreja:Zeimeibu škiršona]]</nowiki>": false,
	} {
		if got := flagsOf(s, titles.Title{Text: "X"}, text)&schemas.FlagDisambiguation != 0; got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

const latgalian, latgalianSum = "dumps/ltgwiki-20170901-pages-articles.xml.bz2", "c5cfd8f620bab14a032e09b525325a610ecb80ee567f0a2aa02a8fde69441148"

// The language's own tables are left out, so that only what the dump says of its templates counts.
func TestADumpTellsItsDisambiguationTemplates(t *testing.T) {
	site, pages := wikitest.ReadDump(t, wikitest.Shared(t, latgalian, latgalianSum))
	info := site.Info()
	info.Lang = ""
	site = titles.NewSite(info)
	var marked []string
	redirects, used, names := map[string]string{}, map[string][]string{}, 0
	x := NewExtractor(site)
	for _, p := range pages {
		title := wikitest.PageTitle(t, site, p)
		r, _, _, isRedirect := site.Redirect(p.Redirect.Title, p.Text)
		switch {
		case p.NS == titles.NSTemplate && isRedirect:
			to, err := site.ParseTitle(r.Target)
			if err == nil && to.NS == titles.NSTemplate {
				redirects[title.Text] = to.Text
			}
		case p.NS == titles.NSTemplate && IsDisambiguationTemplate(site, p.Text):
			marked = append(marked, title.Text)
		case p.NS == titles.NSMain && !isRedirect:
			x.Links(title, p.Text)
			used[p.Title] = slices.Clone(x.TopTemplates())
			names += len(used[p.Title])
		}
	}
	templates := DisambiguationTemplates(site, marked, redirects)
	if got := slices.Sorted(maps.Keys(templates)); !slices.Equal(got, []string{"Disambig", "Disambiguation", "Zeimeibu škiršona"}) {
		t.Errorf("got %q", got)
	}
	found := 0
	for _, names := range used {
		if slices.ContainsFunc(names, func(name string) bool { return templates[name] }) {
			found++
		}
	}
	t.Logf("%d of %d pages are disambiguation pages; %d names of templates", found, len(used), names)
	if found == 0 || names > 3*len(used) {
		t.Errorf("got %d pages by their templates, %d names for %d pages", found, names, len(used))
	}
}
