package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wikinav/wikinav/eval/judge"
)

// TestAVerySmallPIsNotZero: four digits would show it as 0, which no test yields.
func TestAVerySmallPIsNotZero(t *testing.T) {
	for discordant, want := range map[int]string{0: "1.0000", 5: "0.0625", 14: "0.0001", 15: "<0.0001", 900: "<0.0001"} {
		var table Table
		table.contrast(judge.Contrast{McNemar: ptr(judge.McNemar(0, discordant))})
		if got := table.Rows[0][len(table.Rows[0])-1]; got != want {
			t.Errorf("%d to 0: p %s, want %s", discordant, got, want)
		}
		r := &Report{Groups: []Group{{}}}
		c := Comparison{McNemar: judge.McNemar(discordant, 0)}
		rows := r.comparisonTable(Group{}, Split{Comparisons: []Comparison{c}}).Rows
		if got := rows[1][len(rows[1])-1]; got != want {
			t.Errorf("%d to 0 of two runs: p %s, want %s", discordant, got, want)
		}
	}
	var b bytes.Buffer
	Table{Rows: [][]string{{"p"}, {"<0.0001"}}}.WriteMarkdown(&b)
	if !strings.Contains(b.String(), "&lt;0.0001") {
		t.Errorf("Markdown: %s", &b)
	}
}

// TestATableFitsThePage leaves out details, then intervals, then the ends of names, and says what.
func TestATableFitsThePage(t *testing.T) {
	head := []string{"run", "SR", "detail", "steps", "flags"}
	row := []string{strings.Repeat("é", 80), "0.5000 [0.4000, 0.6000]", "0.2500 [0.1000, 0.3000]", "7", "PARTIAL 1/2, SHORT 3/4"}
	for width, want := range map[int][]string{
		0:   {row[0], row[1], row[2]},
		166: {row[0], row[1], row[2]},
		141: {row[0], row[1], "(not shown: detail; --wide shows all)"},
		110: {row[0] + "  0.5000  7 ", "(not shown: detail, intervals of SR; --wide shows all)"},
		60:  {"é…  0.5000  7 ", "PARTIAL 1/2", "SHORT 3/4", "the ends of run"},
		30:  {"é…  PARTIAL 1/2", "SHORT 3/4", "steps, SR; --wide"},
	} {
		var b bytes.Buffer
		Table{Rows: [][]string{head, row}, Details: []int{2}}.writeText(&b, width)
		text := b.String()
		for _, part := range want {
			if !strings.Contains(strings.ReplaceAll(text, "\n", " "), part) {
				t.Errorf("width %d: no %q in\n%s", width, part, text)
			}
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(line) - 1; width > 0 && n > width {
				t.Errorf("width %d: a line of %d characters:\n%s", width, n, text)
			}
		}
		if row[2] == "" || len(row) != 5 {
			t.Fatal("the table has changed")
		}
	}
}

func ptr(s string) *string { return &s }
