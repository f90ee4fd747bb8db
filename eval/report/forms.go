package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

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

// tables gives the report as tables.
func (r *Report) tables() []Table {
	out := []Table{r.runTable()}
	if len(r.Comparisons) > 0 {
		out = append(out, r.comparisonTable())
	}
	for _, v := range r.Interventions {
		out = append(out, v.tables()...)
	}
	if len(r.Human) > 0 {
		out = append(out, r.humanTable())
	}
	return out
}

func (r *Report) runTable() Table {
	t := Table{Heading: "Runs", Note: "Rows with other options are scores of another game."}
	columns := r.columns()
	head := []string{"run", "split", "options", "n"}
	for _, c := range columns {
		head = append(head, c.heading)
	}
	t.Rows = append(t.Rows, append(head, "flags"))
	for _, row := range r.Runs {
		cells := []string{row.Run, row.Split, row.OptionsSHA256[:8], strconv.Itoa(row.N)}
		for _, c := range columns {
			cells = append(cells, Cell(row.Metrics[c.metric]))
		}
		t.Rows = append(t.Rows, append(cells, dash(strings.Join(row.Flags, ", "))))
	}
	return t
}

func (r *Report) comparisonTable() Table {
	t := Table{Heading: "Differences", Note: "B minus A on the same games; bootstrap over pairs; McNemar's exact test on success."}
	t.Rows = [][]string{{"split", "A", "B", "rules", "pairs", "both", "only A", "only B", "SR difference", "suboptimal difference", "p"}}
	for _, c := range r.Comparisons {
		t.Rows = append(t.Rows, []string{
			c.Split, c.A, c.B, rules(c.Rules), strconv.Itoa(c.Pairs), strconv.Itoa(c.Both), strconv.Itoa(c.OnlyA), strconv.Itoa(c.OnlyB),
			Cell(c.Success), Cell(c.Excess), Digits(c.McNemar),
		})
	}
	return t
}

func rules(same bool) string {
	if same {
		return "same"
	}
	return "DIFFERENT"
}

func (r *Report) humanTable() Table {
	t := Table{Heading: "People and models", Note: "Pairs that both won. People saw the whole page, models a menu."}
	t.Rows = [][]string{{"run", "pairs", "games of people", "games of the model", "suboptimal, people", "suboptimal, model", "difference"}}
	for _, h := range r.Human {
		t.Rows = append(t.Rows, []string{
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
		t.writeText(&b)
	}
	return b.Bytes()
}

// Markdown gives the report with its charts, which lie beside it under their names in Charts.
func (r *Report) Markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\nManifest id `%s`.\n", r.Release, r.ManifestID)
	for _, t := range r.tables() {
		t.WriteMarkdown(&b)
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
