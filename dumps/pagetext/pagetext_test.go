package pagetext

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

func TestGoldenTexts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.wiki")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d texts, %v", len(files), err)
	}
	for _, file := range files {
		wikitext, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := NewRenderer(wikitest.EnglishWikipedia()).Render(titles.Title{Text: "T"}, string(wikitext))
		check(t, string(wikitext), got)
		golden := strings.TrimSuffix(file, ".wiki") + ".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(got.Text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || got.Text+"\n" != string(want) {
			t.Errorf("%s: %v: got\n%s\nwant\n%s", file, err, got.Text, want)
		}
	}
}

// check tells what no text may be.
func check(t testing.TB, wikitext string, x schemas.Text) {
	t.Helper()
	n := utf8.RuneCountInString(x.Text)
	switch {
	case n > schemas.TextLimit || x.Truncated != (uint32(n) < x.Chars) || uint32(n) > x.Chars:
		t.Errorf("%.200q: %d of %d characters, truncated %t", wikitext, n, x.Chars, x.Truncated)
	case !norm.NFC.IsNormalString(x.Text) || !utf8.ValidString(x.Text):
		t.Errorf("%.200q: %.200q is not NFC", wikitext, x.Text)
	case strings.HasSuffix(x.Text, "\n") || strings.Contains(x.Text, "\n\n\n") || !strings.HasPrefix(x.Text, "#"):
		t.Errorf("%.200q: the lines of %.200q", wikitext, x.Text)
	case strings.Contains(x.Text, "{{") && !strings.Contains(strings.ToLower(wikitext), "<nowiki"):
		t.Errorf("%.200q: braces in %.200q", wikitext, x.Text)
	case strings.ContainsFunc(x.Text, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7F }):
		t.Errorf("%.200q: control characters in %.200q", wikitext, x.Text)
	}
}

func TestALongTextIsCutAtTheEndOfALineElseOfAWordOutsideALink(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a b\nc d\nef gh", "a b\nc d"}, // nothing is cut within a line that fits
		{"1234567890 2", "1234567890"},
		{"ab\n123456 890 2345", "ab\n123456"},
		{"[ab c](/wiki/Abc) de f", ""},
		{"ab [c d](/wiki/E)", "ab"},
		{"12345678901234", "1234567890"},
	} {
		if got, truncated := cut(c.text, 10); got != c.want || !truncated && got != c.text {
			t.Errorf("%q: got %q, %t, want %q", c.text, got, truncated, c.want)
		}
	}
	r := NewRenderer(wikitest.EnglishWikipedia())
	for unit, last := range map[string]string{"word [[two words]] ": "word", "line of words\n\n": "line of words", "字": "字"} {
		x := r.Render(titles.Title{Text: "T"}, strings.Repeat(unit, 9000))
		check(t, unit, x)
		if !x.Truncated || !strings.HasSuffix(x.Text, last) && !strings.HasSuffix(x.Text, "(/wiki/Two_words)") ||
			utf8.RuneCountInString(x.Text) < schemas.TextLimit-60 {
			t.Errorf("%q: %d characters end in %q", unit, utf8.RuneCountInString(x.Text), x.Text[len(x.Text)-40:])
		}
	}
}

// whitelisted reads the parameters that give facts from the table of the family that reads texts.
func whitelisted(t testing.TB) (params []string, units map[string]string) {
	t.Helper()
	files, err := filepath.Glob("../../artifacts/*/tables/facts.json")
	if err != nil || len(files) != 1 {
		t.Fatalf("tables of facts: %q, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	var table struct {
		Units map[string]string `json:"label_units"`
		Kinds []struct{ Params []string }
	}
	if err == nil {
		err = json.Unmarshal(data, &table)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range table.Kinds {
		params = append(params, k.Params...)
	}
	return params, table.Units
}

func TestEveryParameterThatGivesAFactHasItsRow(t *testing.T) {
	params, units := whitelisted(t)
	if len(params) < 90 || len(units) != len(labelUnits) {
		t.Fatalf("%d parameters, %d units, %d of ours", len(params), len(units), len(labelUnits))
	}
	for _, u := range labelUnits {
		if units[u.end[1:]] != u.unit {
			t.Errorf("unit %s: got %s, want %s", u.end, u.unit, units[u.end[1:]])
		}
	}
	r := NewRenderer(wikitest.EnglishWikipedia())
	for _, p := range params {
		x := r.Render(titles.Title{Text: "T"}, "{{Infobox x|"+p+"=7}}")
		if strings.Count(x.Text, "| "+parameterLabel(parameterKey(p))+" | 7 |") != 1 {
			t.Errorf("%s: got %q", p, x.Text)
		}
	}
}

// TestSampleTexts: of real articles no braces are left, and the row of every parameter that gives a fact
// stands once.
func TestSampleTexts(t *testing.T) {
	site, pages := wikitest.Sample(t)
	params, _ := whitelisted(t)
	r := NewRenderer(site)
	articles, boxes, rows := 0, 0, 0
	for _, p := range pages {
		if p.NS != 0 || p.Redirect.Title != "" {
			continue
		}
		x := r.Render(wikitest.PageTitle(t, site, p), p.Text)
		check(t, p.Text, x)
		articles++
		if _, table, ok := strings.Cut(x.Text, "\n\n| Infobox |"); ok {
			boxes++
			table, _, _ = strings.Cut(table, "\n\n")
			for _, param := range params {
				n := strings.Count(table, "\n| "+parameterLabel(param)+" | ")
				rows += n
				if n > 1 {
					t.Errorf("%s: %d rows of %s", p.Title, n, param)
				}
			}
		}
	}
	if articles != 106 || boxes < 45 || rows < 140 {
		t.Errorf("%d articles, %d infoboxes, %d rows of facts", articles, boxes, rows)
	}
	t.Logf("%d articles, %d infoboxes, %d rows of facts", articles, boxes, rows)
}

func FuzzRender(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.wiki")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			f.Add(string(text))
		}
	}
	for _, unit := range wikitest.Hostile {
		f.Add(unit)
	}
	s := wikitest.EnglishWikipedia()
	f.Fuzz(func(t *testing.T, text string) {
		r := NewRenderer(s)
		x := r.Render(titles.Title{Text: "T"}, text)
		check(t, text, x)
		if again := r.Render(titles.Title{Text: "T"}, text); again != x {
			t.Errorf("%q: rendered again it is %+v, not %+v", text, again, x)
		}
	})
}

// A quadratic step takes from many seconds to minutes on these.
func TestHostileTextTakesLinearTime(t *testing.T) {
	const size, limit = 1 << 18, 1500 * time.Millisecond
	s := wikitest.EnglishWikipedia()
	units := append([]string{
		"{|\n|a\n", "\n|", "||", "!!", "\n!a!!", "[a](/wiki/", "](/wiki/a)", "<br>", "<nowiki>{</nowiki>", "{{Short description|", "{{plainlist|*a\n",
		"{{hlist|a|b", "{{convert|1|to|", "|1|to", "{{height|ft=", "&#123;", "''a", "\n==a==", "\n=", "{{formatnum:", "<sup>", "\n<!-- -->", "[[a|b]]", " <!---->\n",
	}, wikitest.Hostile...)
	for _, unit := range units {
		for _, ends := range [][2]string{
			{"", ""}, {"{{Infobox x|a=", "}}"}, {"{|\n|a\n", "\n|}"}, {strings.Repeat(" ", size/4) + "{{[[", "]]}}></ref>\n"}, {"{{nowrap|", "}}"},
		} {
			text := ends[0] + strings.Repeat(unit, (size-len(ends[0]))/len(unit)) + ends[1]
			took := time.Hour
			for try := 0; try < 3 && took > limit; try++ {
				began := time.Now()
				check(t, text, NewRenderer(s).Render(titles.Title{Text: "T"}, text))
				took = min(took, time.Since(began))
			}
			if took > limit {
				t.Fatalf("%q repeated between %.10q and %q: took %v, want at most %v", unit, ends[0], ends[1], took, limit)
			}
		}
	}
}
