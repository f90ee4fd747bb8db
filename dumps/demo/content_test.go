package demo

import (
	"regexp"
	"strings"
	"testing"
)

var (
	templateRE = regexp.MustCompile(`\{\{([A-Za-z][A-Za-z ]*)[|}\n]`)
	categoryRE = regexp.MustCompile(`\[\[Category:[^\]]+`)
)

func TestEveryTemplateAndCategoryInUseHasItsPage(t *testing.T) {
	exists, used := map[string]bool{}, map[string]bool{}
	for _, p := range plan(newWorld(Seed, defaultPages)) {
		exists[p.title] = true
		text := p.text()
		if p.ns == nsMain {
			for _, m := range templateRE.FindAllStringSubmatch(text, -1) {
				used["Template:"+capital(strings.TrimSpace(m[1]))] = true
			}
		}
		for _, m := range categoryRE.FindAllString(text, -1) {
			used[strings.TrimPrefix(m, "[[")] = true
		}
	}
	for title := range used {
		if !exists[title] {
			t.Errorf("%s is in use and has no page", title)
		}
	}
	for _, p := range templatePages() {
		if p.redirect == "" && !used[p.title] && p.title != "Template:Stub" {
			t.Errorf("%s has a page and is not in use", p.title)
		}
	}
}

// Each pattern is a spot where extractors go wrong; the small dump must have every one of them.
func TestEveryOddSpotOccurs(t *testing.T) {
	d := readSmall(t)
	var all strings.Builder
	for i := range d.pages {
		all.WriteString(d.pages[i].text() + "\n")
	}
	for _, pattern := range []string{
		`<!-- removed, see talk:\n\* \[\[`, `<!-- \* \[\[`, `<nowiki>\[\[`, `<pre>\n\[\[`, `<math>[^<]*\[\[`, `<syntaxhighlight[^<]*\[\[`,
		`<ref name="a">\{\{cite book\|[^<]*\[\[`, `<ref>See \[\[`, `<gallery[^<]*\|[^<]*\[\[`, `\[\[(File|Image):[^\]]*\[\[`,
		`\{\{Quote\|text=[^{]*\[\[`, `\{\{!\}\}`, `\n\|-\n\| \[\[`, `\[\[[^\]]*%20`, `\[\[[^\]]*&#[0-9]+;`, `\[\[[^\]]*&#x`,
		`\[\[[a-z]+\]\]s`, `\[\[[^\]|]*#History\|`, `\[\[:[A-Z]`, `\[\[ [^\]]*  [^\]]* \|''`, `\[\[[^\]|]*_`, `\[\[#History`,
		`\[\[Category:`, `\[\[fr:`, `\[\[wikt:`, `\[\[commons:`, `\[\[\]\]`, `<nowiki />\]\]`, `\[\[[^\]]*\nis a link that nobody closed`,
		`<poem>\n[^<]*\[\[`, `\{\{Short description\|`, `\{\{coord\|-?[0-9.]+\|-?[0-9.]+\|`, `\{\{Coord\|[0-9.]+\|[NS]\|`,
		`\{\{coord\|[0-9]+\|[0-9]+\|[NS]\|`, `\{\{coord\|[0-9]+\|[0-9]+\|[0-9]+\|[NS]\|`, `\{\{convert\|[0-9]+\|to\|`, `\{\{convert\|5\|ft\|`,
		`\{\{cvt\|`, `\{\{birth date\|`, `\{\{death date and age\|`, `\{\{start date\|[0-9]+\}\}`, `= c\. [0-9]`, `population_total = [0-9]+,[0-9]{3}\n`,
	} {
		if !regexp.MustCompile(pattern).MatchString(all.String()) {
			t.Errorf("seed %d, %d pages: nothing matches %s", Seed, smallPages, pattern)
		}
	}
}

func TestRedirectsLeadWhereTheyAreMeantTo(t *testing.T) {
	d := readSmall(t)
	target, page := map[string]string{}, map[string]*xmlPage{}
	for i := range d.pages {
		p := &d.pages[i]
		page[p.Title] = p
		if to := redirectTarget(p); to != "" && p.NS == 0 {
			target[p.Title] = to
			if p.Redirect != nil && capital(p.Redirect.Title) != to {
				t.Errorf("redirect %q: element says %q, text %q", p.Title, p.Redirect.Title, to)
			}
		}
	}
	steps := map[int]int{}
	for from := range target {
		n, at := 0, from
		for ; target[at] != "" && n < 9; n++ {
			at = target[at]
		}
		steps[n]++
	}
	for _, n := range []int{1, 2, 3, 6, 9} { // 9: without end, the loop of two and the redirect to itself
		if steps[n] == 0 {
			t.Errorf("seed %d: no redirect of %d steps: %v", Seed, n, steps)
		}
	}
	for from, to := range map[string]string{
		"Endless road": "Road without end", "Road without end": "Endless road", "Mirror of itself": "Mirror of itself",
		"Promised article": "Geology of promises", "All stubs": "Category:Stubs",
	} {
		if target[from] != to {
			t.Errorf("redirect %q leads to %q, want %q", from, target[from], to)
		}
	}
	if p := page["Demonym"]; p == nil || p.Redirect != nil || target["Demonym"] == "" {
		t.Errorf("Demonym is no redirect by its text alone: %+v", p)
	}
	if page["Geology of promises"] != nil {
		t.Error("the missing page is not missing")
	}
}

func TestThePagesThatAreNoArticlesAreThere(t *testing.T) {
	models, deleted := map[string]int{}, 0
	for _, p := range readSmall(t).pages {
		models[p.Revision[0].Model]++
		deleted += count(p.Revision[0].Text.Deleted == "deleted")
	}
	for _, model := range []string{"wikitext", "css", "javascript", "sanitized-css", "Scribunto", "json"} {
		if models[model] == 0 {
			t.Errorf("no page of model %s: %v", model, models)
		}
	}
	if deleted != 1 {
		t.Errorf("%d pages with deleted text, want 1", deleted)
	}
}
