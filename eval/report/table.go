package report

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
)

// Table is rows under a heading and a note, or under neither; the first row names the columns.
type Table struct {
	Heading, Note string
	Rows          [][]string
	Details       []int // columns that a narrow page leaves out first, from the last
}

// add appends a row of texts, counts, metrics and decimals of ours.
func (t *Table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, cell := range cells {
		switch cell := cell.(type) {
		case judge.Metric:
			row[i] = Cell(cell)
		case *string:
			row[i] = Cell(judge.Metric{Value: cell})
		case chance:
			row[i] = cell.text()
		default:
			row[i] = fmt.Sprint(cell)
		}
	}
	t.Rows = append(t.Rows, row)
}

// chance is a p-value, nil where there is none.
type chance struct{ p *string }

// text writes a p-value with four digits, and one that these would show as 0 as below them.
func (c chance) text() string {
	if c.p != nil && judge.Number(*c.p) < 0.0001 {
		return "<0.0001"
	}
	return Cell(judge.Metric{Value: c.p})
}

// metricRow is a row of a table of metrics: names, metrics, and what follows them.
type metricRow struct {
	names   []string
	metrics map[string]judge.Metric
	after   []string
}

// metricTable lists rows under their head, with a column for each metric that any of them has.
func metricTable(head metricRow, columns []family.Column, list []metricRow) (t Table) {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c family.Column) bool {
		return !slices.ContainsFunc(list, func(r metricRow) bool { return r.metrics[c.Metric].Value != nil })
	})
	for _, c := range columns {
		if c.Detail {
			t.Details = append(t.Details, len(head.names))
		}
		head.names = append(head.names, c.Heading)
	}
	t.Rows = [][]string{append(head.names, head.after...)}
	for _, r := range list {
		for _, c := range columns {
			r.names = append(r.names, Cell(r.metrics[c.Metric]))
		}
		t.Rows = append(t.Rows, append(r.names, r.after...))
	}
	return t
}

// writeText appends the table in at most so many characters a line, and then what it left out for
// that; width 0 is any.
func (t Table) writeText(b *bytes.Buffer, width int) {
	fmt.Fprintln(b)
	if t.Heading != "" {
		fmt.Fprintf(b, "%s: %s\n", t.Heading, t.Note)
	}
	var aligned bytes.Buffer
	w := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	n := narrow{width: width, details: t.Details}
	for _, row := range t.Rows {
		n.rows = append(n.rows, quoted(row))
	}
	n.fit()
	for _, row := range n.rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // to memory
	for line := range strings.Lines(aligned.String()) {
		fmt.Fprintln(b, strings.TrimRight(line, " \n"))
	}
	if n.left != nil {
		b.WriteString(wrapped("(not shown: "+strings.Join(n.left, ", ")+"; --wide shows all)", width))
	}
}

// WriteMarkdown appends the table. Names of others stay in their cells, and in the heading; the
// note is ours.
func (t Table) WriteMarkdown(b *bytes.Buffer) {
	fmt.Fprintln(b)
	if t.Heading != "" {
		fmt.Fprintf(b, "## %s\n\n%s\n\n", escapedCells([]string{t.Heading})[0], t.Note)
	}
	for i, row := range t.Rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(escapedCells(row), " | "))
		if i == 0 {
			fmt.Fprintf(b, "|%s\n", strings.Repeat(" --- |", len(row)))
		}
	}
}

// Cell writes a metric for people: four digits after the point, "-" where there is no value.
func Cell(m judge.Metric) string {
	if m.Value == nil {
		return "-"
	}
	text := Digits(*m.Value)
	if m.Lo != nil {
		text += " [" + Digits(*m.Lo) + ", " + Digits(*m.Hi) + "]"
	}
	return text
}

// Digits writes a decimal of ours with four digits after the point.
func Digits(decimal string) string { return strconv.FormatFloat(judge.Number(decimal), 'f', 4, 64) }

// Printable spells a name that would do anything else on a terminal than show itself.
func Printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

func quoted(row []string) []string {
	out := make([]string, len(row))
	for i, cell := range row {
		out[i] = Printable(cell)
	}
	return out
}

// escapedCells keeps a name inside its cell.
func escapedCells(row []string) []string {
	out := quoted(row)
	for i := range out {
		out[i] = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", "[", `\[`, "`", "\\`").Replace(out[i])
	}
	return out
}
