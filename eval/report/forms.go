package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/wikinav/wikinav/eval/judge"
)

type column struct{ heading, metric string }

// columns are the metrics of the table of runs, banColumns those of games with a ban.
var columns = []column{
	{"SR", judge.MetricSuccess},
	{"suboptimal", judge.MetricSuboptimal},
	{"loops", judge.MetricLoops},
	{"recovery", judge.MetricRecovery},
	{"step accuracy", judge.MetricMicro},
	{"tokens/step", judge.MetricTokens},
	{"cost/step", judge.MetricCostPerStep},
}

var banColumns = []column{
	{"SR", judge.MetricSR},
	{"CR", judge.MetricCR},
	{"CVR", judge.MetricCVR},
	{"CVR reach", judge.MetricCVRReach},
	{"PE", judge.MetricPE},
	{"PE cr", judge.MetricPEReach},
	{"violations/step", judge.MetricPerStep},
	{"first violation", judge.MetricFirst},
	{"recovery", judge.MetricRecoverBan},
	{"correct refusal", judge.MetricRefusal},
	{"step accuracy", judge.MetricMicro},
	{"tokens/step", judge.MetricTokens},
}

// columns gives the metrics that the report's runs have.
func (r *Report) columns() []column {
	for _, row := range r.Runs {
		if _, banned := row.Metrics[judge.MetricCVR]; banned {
			return banColumns
		}
	}
	return columns
}

// tables gives the report as tables: heading, then rows; the first row names the columns.
func (r *Report) tables() []table {
	out := []table{r.runTable()}
	if len(r.Comparisons) > 0 {
		out = append(out, r.comparisonTable())
	}
	if len(r.Human) > 0 {
		out = append(out, r.humanTable())
	}
	return out
}

type table struct {
	heading, note string
	rows          [][]string
}

func (r *Report) runTable() table {
	t := table{heading: "Runs", note: "Rows with other options are scores of another game."}
	columns := r.columns()
	head := []string{"run", "split", "options", "n"}
	for _, c := range columns {
		head = append(head, c.heading)
	}
	t.rows = append(t.rows, append(head, "flags"))
	for _, row := range r.Runs {
		cells := []string{row.Run, row.Split, row.OptionsSHA256[:8], strconv.Itoa(row.N)}
		for _, c := range columns {
			cells = append(cells, Cell(row.Metrics[c.metric]))
		}
		t.rows = append(t.rows, append(cells, dash(strings.Join(row.Flags, ", "))))
	}
	return t
}

func (r *Report) comparisonTable() table {
	t := table{heading: "Differences", note: "B minus A on the same games; bootstrap over pairs; McNemar's exact test on success."}
	t.rows = [][]string{{"split", "A", "B", "pairs", "both", "only A", "only B", "SR difference", "suboptimal difference", "p"}}
	for _, c := range r.Comparisons {
		t.rows = append(t.rows, []string{
			c.Split, c.A, c.B, strconv.Itoa(c.Pairs), strconv.Itoa(c.Both), strconv.Itoa(c.OnlyA), strconv.Itoa(c.OnlyB),
			Cell(c.Success), Cell(c.Excess), digits(c.McNemar),
		})
	}
	return t
}

func (r *Report) humanTable() table {
	t := table{heading: "People and models", note: "Pairs that both won. People saw the whole page, models a menu."}
	t.rows = [][]string{{"run", "pairs", "games of people", "games of the model", "suboptimal, people", "suboptimal, model", "difference"}}
	for _, h := range r.Human {
		t.rows = append(t.rows, []string{
			h.Run, strconv.Itoa(h.Pairs), strconv.Itoa(h.HumanGames), strconv.Itoa(h.ModelGames), Cell(h.Human), Cell(h.Model), Cell(h.Difference),
		})
	}
	return t
}

// Text gives the report for a terminal.
func (r *Report) Text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "release  %s, manifest id %s\n", r.Release, r.ManifestID)
	for _, t := range r.tables() {
		fmt.Fprintf(&b, "\n%s: %s\n", t.heading, t.note)
		var aligned bytes.Buffer
		w := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
		for _, row := range t.rows {
			fmt.Fprintln(w, strings.Join(quoted(row), "\t"))
		}
		_ = w.Flush() // to memory
		for line := range strings.Lines(aligned.String()) {
			fmt.Fprintln(&b, strings.TrimRight(line, " \n"))
		}
	}
	return b.Bytes()
}

// Markdown gives the report with its charts, which lie beside it under their names in Charts.
func (r *Report) Markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\nManifest id `%s`.\n", r.Release, r.ManifestID)
	for _, t := range r.tables() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", t.heading, t.note)
		for i, row := range t.rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(escapedCells(row), " | "))
			if i == 0 {
				fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(row)))
			}
		}
	}
	if charts := r.Charts(); len(charts) > 0 {
		fmt.Fprint(&b, "\n## Success\n\nOver all splits; bars are 95 % intervals.\n")
		for _, c := range charts {
			fmt.Fprintf(&b, "\n![success against %s](%s)\n", c.Of, c.Name)
		}
	}
	return b.Bytes()
}

// File is a chart: its file name, what it is about, its bytes.
type File struct {
	Name, Of string
	Data     []byte
}

// Charts draws success against distance, then against each feature by name.
func (r *Report) Charts() []File {
	var names []string
	seen := map[string]bool{}
	for _, row := range r.Runs {
		if !seen[row.Run] {
			seen[row.Run] = true
			names = append(names, row.Run)
		}
	}
	var out []File
	for _, c := range append([]Curve{r.Distances}, r.Features...) {
		if mentioned(c) {
			out = append(out, File{"success-" + c.Name + ".svg", c.Name, Chart(c, "Success against "+c.Name, names)})
		}
	}
	return out
}

// Cell writes a metric for people: four digits after the point, "-" where there is no value.
func Cell(m judge.Metric) string {
	if m.Value == nil {
		return "-"
	}
	text := digits(*m.Value)
	if m.Lo != nil {
		text += " [" + digits(*m.Lo) + ", " + digits(*m.Hi) + "]"
	}
	return text
}

func digits(decimal string) string { return strconv.FormatFloat(number(&decimal), 'f', 4, 64) }

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// quoted spells names that would do anything else on a terminal than show themselves.
func quoted(row []string) []string {
	out := make([]string, len(row))
	for i, cell := range row {
		if out[i] = cell; strings.ContainsFunc(cell, func(r rune) bool { return !strconv.IsPrint(r) }) {
			out[i] = strconv.Quote(cell)
		}
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
