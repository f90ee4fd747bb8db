package pagetext

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/demo"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
)

// wikis are those whose every article is rendered, with how much is found in them at least.
var wikis = []struct {
	name, sum                 string // "" for the demo
	articles, infoboxes, rows int    // rows of parameters that give facts
}{
	{"", "", 17_000, 16_000, 75_000},
	{wikitest.Genshin, wikitest.GenshinSum, 15_490, 11_349, 5_221},
	{wikitest.Sotho, wikitest.SothoSum, 8_563, 4_964, 1_310},
}

// TestTextsOfWholeWikis renders every article. No braces are left but those of nowiki, and of the
// parameters that give facts each that a plain reading of the wikitext finds has its row, once.
func TestTextsOfWholeWikis(t *testing.T) {
	for _, w := range wikis {
		t.Run(path.Base(w.name), func(t *testing.T) {
			site, pages := wikitest.ReadDump(t, wikiDump(t, w.name, w.sum))
			params, _ := whitelisted(t)
			r := NewRenderer(site)
			articles, boxes, rows := 0, 0, 0
			for _, p := range pages {
				if p.NS != 0 || p.Redirect.Title+cmp.Or(p.Model, "wikitext") != "wikitext" || strings.HasPrefix(p.Text, "#REDIRECT") {
					continue
				}
				x := r.Render(wikitest.PageTitle(t, site, p), p.Text)
				check(t, p.Text, x)
				articles++
				_, table, boxed := strings.Cut(x.Text, "\n| Infobox |")
				table, _, _ = strings.Cut(table, "\n\n")
				boxes += one(boxed)
				for _, name := range plainParameters(p.Text) {
					if !slices.Contains(params, name) {
						continue
					}
					rows++
					if n := strings.Count(table, "\n| "+parameterLabel(name)+" | "); n != 1 && !x.Truncated {
						t.Errorf("%s: %d rows of %s\n%s", p.Title, n, name, table)
					}
				}
			}
			t.Logf("%d articles, %d infoboxes, %d rows", articles, boxes, rows)
			if articles < w.articles || boxes < w.infoboxes || rows < w.rows {
				t.Errorf("want at least %d articles, %d infoboxes, %d rows", w.articles, w.infoboxes, w.rows)
			}
		})
	}
}

// wikiDump returns a dump of the sample data, or that of the demo.
func wikiDump(t *testing.T, name, sum string) []byte {
	t.Helper()
	if name != "" {
		return wikitest.Shared(t, name, sum)
	}
	var dump, index bytes.Buffer
	if _, err := demo.Write(t.Context(), &dump, &index, demo.Options{Seed: demo.Seed}); err != nil {
		t.Fatal(err)
	}
	return dump.Bytes()
}

var (
	boxStart = regexp.MustCompile(`(?im)^\{\{ *(infobox\b[^|{}<]*|[^|{}<\n]* infobox) *(\||\n)`)
	plainRow = regexp.MustCompile(`(?im)^ *\|? *(\w+) *= *((?:[^{}<>|=&\n\[\]]|\[\[[\pL\d (),.-]+(?:\|[\pL\d ]+)?\]\]|` +
		`\{\{(?:coord|convert|cvt|(?:start|birth|death) date(?: and age)?)\|[^{}<>\n\[\]]+\}\})+)$`)
	saying = regexp.MustCompile(`[\pL\d]`)
)

// plainParameters reads the first infobox without any of this package: its parameters that stand on
// a line of their own and have a value of words, plain links and templates that show something.
func plainParameters(wikitext string) (names []string) {
	at := boxStart.FindStringIndex(wikitext)
	if at == nil || strings.Contains(wikitext[:at[0]], "<") {
		return nil
	}
	box, _, _ := strings.Cut(wikitext[at[1]:], "\n}}")
	for _, at := range plainRow.FindAllStringSubmatchIndex(box, -1) {
		name, value := parameterKey(box[at[2]:at[3]]), box[at[4]:at[5]]
		before := box[:at[2]]
		nested := strings.Count(before, "{{") > strings.Count(before, "}}") // a template in a value has parameters, too
		if !nested && saying.MatchString(value) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
