package webpage_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/webpage"
	"github.com/wikinav/wikinav/artifacts/webpage/style"
)

// hostile is text that must do nothing but show.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "javascript:alert(1)",
	"a\x00b\x1b[31mc\u202edlrow\u2066x\u2028y", "مرحبا بالعالم", strings.Repeat("long ", 50),
	"| a | b |\n\n# not a heading", "[a](b) `c` *d* &amp; 1. 2",
}

func everything() *webpage.Page {
	var rows [][]webpage.Cell
	for _, text := range hostile {
		rows = append(rows, []webpage.Cell{
			{Text: text, Title: true, ID: "c-" + text, Href: "#" + text}, {Text: "1", Sort: "1"},
		})
	}
	table := webpage.Table{
		ID: "t", Caption: hostile[0], Search: true, Rows: rows,
		Columns: []webpage.Column{{Name: "page" + hostile[3], Doc: hostile[3]}, {Name: "n", Number: true}},
	}
	return &webpage.Page{
		Title: hostile[0], Subtitle: hostile[1],
		Pages:   []webpage.Link{{Text: hostile[1], Href: "audit-2.html", Here: true}},
		Scripts: []string{`"use strict";`},
		Sections: []webpage.Section{
			{ID: "one", Title: hostile[1], Blocks: []webpage.Block{
				webpage.Text(hostile[3]), webpage.Warning(hostile[0]), webpage.List(hostile),
				webpage.Heading{ID: "h", Words: hostile[0]},
				table,
			}},
			{ID: "two", Title: "figures", Blocks: []webpage.Block{
				webpage.Figure{
					Title: hostile[1], SVG: []byte("<?xml version='1.0'?>\n<svg></svg>"), File: "a.svg",
					Table: &table,
				},
				webpage.Details{Summary: hostile[0], Blocks: []webpage.Block{webpage.Text("inside")}},
			}},
		},
	}
}

func written(t *testing.T) (page, markdown string) {
	t.Helper()
	var h, m strings.Builder
	if err := everything().WriteHTML(&h); err != nil {
		t.Fatal(err)
	}
	if err := everything().WriteMarkdown(&m); err != nil {
		t.Fatal(err)
	}
	return h.String(), m.String()
}

var script = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// TestNothingOfAStrangerRuns: every script of the page is one that its policy has the hash of, and
// no tag or attribute comes from a text.
func TestNothingOfAStrangerRuns(t *testing.T) {
	t.Parallel()
	page, _ := written(t)
	found := script.FindAllStringSubmatch(page, -1)
	if len(found) != 2 || strings.Count(strings.ToLower(page), "<script") != 2 {
		t.Errorf("%d scripts, want that of tables and one more", strings.Count(page, "<script"))
	}
	for _, code := range found {
		sum := sha256.Sum256([]byte(code[1]))
		if want := "sha256-" + base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(page, want) &&
			!strings.Contains(page, strings.ReplaceAll(want, "+", "&#43;")) {
			t.Errorf("the policy lacks %s, the hash of a script", want)
		}
	}
	for _, bad := range []string{
		"<img", "onerror=alert(1)>", "\x00", "\x1b", "\u202d", "\u2066", "\u2028", "<?xml", "http",
	} {
		if strings.Contains(strings.ReplaceAll(page, "http-equiv", ""), bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, text := range []string{"مرحبا بالعالم", strings.TrimSpace(hostile[5]), "a\ufffdb\ufffd[31mc"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not show %q", text)
		}
	}
}

// TestALinkCannotBeAScript: an address is one of a place in a page or beside it.
func TestALinkCannotBeAScript(t *testing.T) {
	t.Parallel()
	table := webpage.Table{Columns: webpage.Names("a"), Rows: [][]webpage.Cell{
		{{Text: "x", Href: "javascript:alert(1)"}},
		{{Text: "x", Href: "//host/x"}},
		{{Text: "good", Href: "audit-2.html#x"}},
		{{Text: "good", Href: "#x"}},
	}}
	html, err := table.HTML()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(html); strings.Contains(text, "javascript") || strings.Contains(text, "host") ||
		strings.Count(text, "href=") != 2 {
		t.Errorf("got %s", html)
	}
}

func TestMarkdownShowsTextAsItIs(t *testing.T) {
	t.Parallel()
	_, md := written(t)
	for _, line := range strings.Split(md, "\n") {
		if strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, `# \</script\>`) ||
			strings.HasPrefix(line, "|") && strings.Count(line, "|")-strings.Count(line, `\|`) != 3 {
			t.Errorf("a text became markup: %q", line)
		}
	}
	for _, want := range []string{`\[a\](b) \`, `| --- | ---: |`, `![`, "inside"} {
		if !strings.Contains(md, want) {
			t.Errorf("%q is not in\n%s", want, md)
		}
	}
	if strings.Contains(md, "<img") && !strings.Contains(md, `\<img`) {
		t.Error("markup of a text is markup of the Markdown")
	}
}

func TestAPageIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	page, md := written(t)
	again, mdAgain := written(t)
	if page != again || md != mdAgain {
		t.Error("the same page was written in other bytes")
	}
}

var variable = regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6})`)

// TestTextHasTheContrastOfWCAG holds the pairs of colours that text is set in to 4.5, and those of
// lines and marks to 3, in light and in dark (WCAG 2.2, 1.4.3 and 1.4.11).
func TestTextHasTheContrastOfWCAG(t *testing.T) {
	t.Parallel()
	light, dark, ok := strings.Cut(style.CSS, "prefers-color-scheme: dark")
	if !ok {
		t.Fatal("the sheet has no dark colours")
	}
	for name, sheet := range map[string]string{"light": light, "dark": dark} {
		colour := map[string]string{}
		for _, m := range variable.FindAllStringSubmatch(sheet, -1) {
			colour[m[1]] = m[2]
		}
		hold := func(least float64, on string, over ...string) {
			for _, c := range over {
				if got := contrast(t, colour[c], colour[on]); got < least {
					t.Errorf("%s: --%s on --%s has contrast %.2f, want %.1f", name, c, on, got, least)
				}
			}
		}
		hold(7, "paper", "ink")
		hold(4.5, "paper", "faint", "link", "good", "bad", "warn", "mark", "bar")
		hold(4.5, "panel", "ink", "faint", "link", "good", "bad", "warn", "mark")
		hold(4.5, "warn-panel", "ink", "warn")
		hold(4.5, "bar", "on-bar")
		hold(3, "paper", "line", "focus")
	}
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	var rgb [3]float64
	for i := range rgb {
		if len(hex) != 7 {
			t.Fatalf("colour %q", hex)
		}
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		if rgb[i] = float64(n) / 255; rgb[i] <= 0.04045 {
			rgb[i] /= 12.92
		} else {
			rgb[i] = math.Pow((rgb[i]+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
}

func TestThousands(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", -100: "-100",
	} {
		if got := webpage.Thousands(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func ExamplePage() {
	page := webpage.Page{Title: "Two pages", Sections: []webpage.Section{{
		ID: "pages", Title: "Pages",
		Blocks: []webpage.Block{webpage.Table{
			ID: "list", Caption: "by their links", Search: true, Columns: webpage.Names("page", "#links"),
			Rows: [][]webpage.Cell{
				{{Text: "Basel", Title: true}, webpage.Int(1200)},
				{{Text: "Bern", Title: true}, webpage.Int(90)},
			},
		}},
	}}}
	var text strings.Builder
	if err := page.WriteMarkdown(&text); err != nil {
		panic(err)
	}
	fmt.Print(text.String())
	// Output:
	// # Two pages
	//
	// ## Pages
	//
	// by their links
	//
	// | page | links |
	// | --- | ---: |
	// | Basel | 1,200 |
	// | Bern | 90 |
}
