package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas"
)

// column is a metric of the table.
type column struct{ heading, metric string }

var columns = []column{
	{"success rate", judge.MetricSuccess},
	{"suboptimal steps", judge.MetricSuboptimal},
	{"loops", judge.MetricLoops},
	{"recovery", judge.MetricRecovery},
	{"max visits", judge.MetricVisitation},
	{"invalid", judge.MetricInvalid},
	{"step accuracy", judge.MetricMicro},
	{"tokens/step", judge.MetricTokens},
}

// sheetOf shows what was scored, a table with a row per split and one per distance, and every disagreement.
func sheetOf(s *judge.Scores) report.Sheet {
	sheet := report.Sheet{Title: "Scores", Tables: []report.Table{splitTable(s.Summaries)}}
	if len(s.Summaries) > 0 {
		first := s.Summaries[0]
		sheet.Head = head(first.Release, first.ManifestID, first.OptionsSHA256, first.Run, first.Model)
	}
	sheet.Notes = droppedNotes(s.Dropped)
	if im := s.Import; im != nil {
		sheet.Notes = append(sheet.Notes, report.Note{Text: fmt.Sprintf("%s: %d of %d games%s%s%s", im.Source, im.Games, im.Rows,
			counts("; rejected", im.Rejected), counts("; invalid steps", im.Invalid), counts("; unfinished", im.Types))})
	}
	sheet.Notes = append(sheet.Notes, disagreementNotes(s.Disagreements, s.Unlisted)...)
	return sheet
}

// head says what a score is of; options are "" where a release fixes them, run is nil where a file names none.
func head(release, manifest, options string, run *string, model *schemas.Model) [][2]string {
	lines := [][2]string{{"release", fmt.Sprintf("%s, manifest id %s", release, manifest)}}
	if options != "" {
		lines = append(lines, [2]string{"options", options})
	}
	if run != nil {
		lines = append(lines, [2]string{"run", fmt.Sprintf("%s, player %s (%s)", printable(*run), printable(model.Name), printable(model.Kind))})
	}
	return lines
}

func droppedNotes(d judge.Dropped) []report.Note {
	if d == (judge.Dropped{}) {
		return nil
	}
	return []report.Note{{Text: fmt.Sprintf("not scored: %d torn lines, %d steps of incomplete games", d.TornLines, d.LooseSteps)}}
}

func disagreementNotes(list []judge.Disagreement, unlisted int) []report.Note {
	if len(list) == 0 && unlisted == 0 {
		return nil
	}
	n := report.Note{Text: "the log and the replay disagree:"}
	for _, d := range list {
		n.Lines = append(n.Lines, fmt.Sprintf("game %s, attempt %d, step %d, %s: log %s, replay %s",
			printable(d.Game), d.Attempt, d.Step, d.Field, printable(d.Log), printable(d.Replay)))
	}
	if unlisted > 0 {
		n.Lines = append(n.Lines, fmt.Sprintf("and in %d places more", unlisted))
	}
	return []report.Note{n}
}

// headings gives the columns of a table; people's games and those on another graph have one more.
func headings(summaries []judge.Summary) []column {
	if len(summaries) > 0 && summaries[0].Metrics[judge.MetricLength].Den > 0 {
		return slices.Insert(slices.Clone(columns), 1, column{"path length", judge.MetricLength})
	}
	if len(summaries) == 0 || summaries[0].Metrics[judge.MetricEffective].Den == 0 {
		return columns
	}
	return slices.Insert(slices.Clone(columns), 2, column{"without back clicks", judge.MetricEffective})
}

func splitTable(summaries []judge.Summary) report.Table {
	columns := headings(summaries)
	t := newTable("split distance n missing infra", columns, "flags")
	for _, s := range summaries {
		t.add([]string{s.Split, "all", strconv.Itoa(s.N), strconv.Itoa(s.Missing), strconv.Itoa(s.Infra)}, columns, s.Metrics, flagText(s.Flags, s.Metrics))
		for _, row := range s.ByDistance {
			t.add([]string{s.Split, strconv.Itoa(row.Distance), strconv.Itoa(row.N), "", ""}, columns, row.Metrics, "")
		}
	}
	return t.Table
}

func flagText(flags []string, metrics map[string]judge.Metric) string {
	flags = slices.Clone(flags)
	if metrics == nil {
		flags = append(flags, "NO SCORE")
	}
	return cmp.Or(strings.Join(flags, ", "), "-")
}

// metricTable is a table whose rows are of names, metrics and remarks.
type metricTable struct{ report.Table }

// newTable starts a table under its heading: names of columns between blanks, metrics, and what follows them.
func newTable(names string, columns []column, after ...string) *metricTable {
	row := strings.Fields(names)
	for _, c := range columns {
		row = append(row, c.heading)
	}
	return &metricTable{report.Table{Rows: [][]string{append(row, after...)}}}
}

func (t *metricTable) add(names []string, columns []column, metrics map[string]judge.Metric, after ...string) {
	row := slices.Clone(names)
	for _, c := range columns {
		row = append(row, report.Cell(metrics[c.metric]))
	}
	t.Rows = append(t.Rows, append(row, after...))
}

// printable quotes text of a log that would do anything else on a terminal than show itself.
func printable(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
