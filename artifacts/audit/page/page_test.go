package page_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/audit/page"
	"github.com/wikinav/wikinav/artifacts/release"
)

// hostile are titles that must do nothing but show.
var hostile = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "a\x00b\x1b[31mc\u202edlrow",
	"مرحبا بالعالم", strings.Repeat("long ",
		50), "| a |\n\n# heading", `javascript:alert(1)//"'`,
}

// report audits n records whose ids, words and pages are hostile.
func report(t *testing.T, n int) *audit.Report {
	t.Helper()
	var rows []audit.Row
	for i := range n {
		rows = append(rows, audit.Row{
			ID: fmt.Sprint(i, " ", hostile[i%len(hostile)]),
			Record: struct {
				Word string `json:"word"`
				Hard int    `json:"hard"`
			}{hostile[i%len(hostile)], i},
			Reasons: []string{hostile[0]},
		})
	}
	table, err := audit.TableOf("family", "set", release.Audit{
		By:       []string{"word"},
		Hardness: "hard",
	}, rows)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := audit.Folder(t.Context(), hostile[0], []*audit.Table{table}, audit.Request{})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// files writes an audit and returns its files.
func files(t *testing.T, b *page.Book) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := b.Write(t.Context(), func(name string, data []byte) error {
		if _, twice := out[name]; twice {
			t.Errorf("%s is written twice", name)
		}
		out[name] = string(data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var (
	tag   = regexp.MustCompile(`(?i)<(script|img|iframe|object|link|base|form)[^>]*>`)
	links = regexp.MustCompile(`href="([^"]*)"`)
	ids   = regexp.MustCompile(`\bid="([^"]*)"`)
)

func TestHostileRecordsOnlyShow(t *testing.T) {
	t.Parallel()
	for name, text := range files(t, &page.Book{Report: report(t, 20), PerPage: 6, Room: 1}) {
		if strings.HasSuffix(name, ".svg") {
			continue // package figure has tests of its own
		}
		if strings.HasSuffix(name, ".md") {
			for _, line := range strings.Split(text, "\n") {
				if strings.HasPrefix(line, "# heading") || strings.Contains(line, "<script") &&
					!strings.Contains(line, `\<`) {
					t.Errorf("%s: a title became markup: %q", name, line)
				}
			}
			continue
		}
		for _, found := range tag.FindAllString(text, -1) {
			if found != "<script>" && found != `<link rel="icon" href="data:,">` {
				t.Errorf("%s has %s", name, found)
			}
		}
		if n := strings.Count(text, "<script>"); n != 1 {
			t.Errorf("%s has %d scripts, want that of tables", name, n)
		}
		if strings.ContainsAny(text, "\x00\x1b\u202e") {
			t.Errorf("%s has control characters", name)
		}
	}
}

// TestEveryLinkLeadsSomewhere: to a page that is written, and to a place that is in it.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	for _, room := range []int{1, 0} {
		all := files(t, &page.Book{Report: report(t, 40), PerPage: 7, Room: room})
		// A page has 7 records at most, and with room for 1 byte one record; there is one plot.
		if wanted := map[int]int{0: 6 + 3, 1: 40 + 3}[room]; len(all) != wanted {
			t.Errorf("room %d: %d files, want %d", room, len(all), wanted)
		}
		for name, text := range all {
			seen := map[string]bool{}
			for _, m := range ids.FindAllStringSubmatch(text, -1) {
				if seen[m[1]] {
					t.Errorf("%s: id %s stands twice", name, m[1])
				}
				seen[m[1]] = true
			}
			for _, m := range links.FindAllStringSubmatch(text, -1) {
				to, place, _ := strings.Cut(m[1], "#")
				if to == "data:," {
					continue
				}
				target := all[to]
				if to == "" {
					target = text
				}
				if target == "" || place != "" && !strings.Contains(target, ` id="`+place+`"`) {
					t.Errorf("%s: nothing is at %s", name, m[1])
				}
			}
		}
	}
}

// TestAllRecordsAreListedOnce, however many pages they take.
func TestAllRecordsAreListedOnce(t *testing.T) {
	t.Parallel()
	for _, room := range []int{1, 3000, 0} {
		all := files(t, &page.Book{Report: report(t, 50), PerPage: 9, Room: room})
		for i := range 50 {
			n := 0
			for name, text := range all {
				if !strings.HasSuffix(name, ".html") {
					continue
				}
				n += strings.Count(text, fmt.Sprintf(`<td id="family-set-%d.20`, i))
			}
			if n != 1 {
				t.Errorf("room %d: record %d is listed %d times", room, i, n)
			}
		}
	}
}

func TestAnAuditIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	first, again := files(t, &page.Book{Report: report(t, 30)}), files(t,
		&page.Book{Report: report(t, 30)})
	for name := range first {
		if first[name] != again[name] {
			t.Errorf("%s has other bytes the second time", name)
		}
	}
	a, err := json.Marshal(report(t, 30))
	b, err2 := json.Marshal(report(t, 30))
	if err != nil || err2 != nil || string(a) != string(b) {
		t.Error("the report has other bytes the second time")
	}
}
