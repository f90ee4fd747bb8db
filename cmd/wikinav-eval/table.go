package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/wikinav/wikinav/eval/judge"
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

// printScores writes what was scored, a table with a row per split and one per distance, and every disagreement.
func printScores(out io.Writer, s *judge.Scores) error {
	var text bytes.Buffer
	if len(s.Summaries) > 0 {
		printHead(&text, s.Summaries[0])
	}
	printTable(&text, s.Summaries)
	if d := s.Dropped; d != (judge.Dropped{}) {
		fmt.Fprintf(&text, "\nnot scored: %d torn lines, %d steps of incomplete games\n", d.TornLines, d.LooseSteps)
	}
	if im := s.Import; im != nil {
		fmt.Fprintf(&text, "\n%s: %d of %d games%s%s%s\n", im.Source, im.Games, im.Rows,
			counts("; rejected", im.Rejected), counts("; invalid steps", im.Invalid), counts("; unfinished", im.Types))
	}
	printDisagreements(&text, s.Disagreements, s.Unlisted)
	_, err := out.Write(text.Bytes())
	return err
}

func printDisagreements(out io.Writer, list []judge.Disagreement, unlisted int) {
	if len(list) > 0 {
		fmt.Fprintf(out, "\nthe log and the replay disagree:\n")
	}
	for _, d := range list {
		fmt.Fprintf(out, "  game %s, attempt %d, step %d, %s: log %s, replay %s\n", printable(d.Game), d.Attempt, d.Step, d.Field, printable(d.Log), printable(d.Replay))
	}
	if unlisted > 0 {
		fmt.Fprintf(out, "  and in %d places more\n", unlisted)
	}
}

func printHead(out io.Writer, s judge.Summary) {
	fmt.Fprintf(out, "release  %s, manifest id %s\n", s.Release, s.ManifestID)
	fmt.Fprintf(out, "options  %s\n", s.OptionsSHA256)
	if s.Run != nil {
		fmt.Fprintf(out, "run      %s, player %s (%s)\n", printable(*s.Run), printable(s.Model.Name), printable(s.Model.Kind))
	}
	fmt.Fprintln(out)
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

func printTable(out io.Writer, summaries []judge.Summary) {
	columns := headings(summaries)
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "split\tdistance\tn\tmissing\tinfra")
	for _, c := range columns {
		fmt.Fprint(w, "\t"+c.heading)
	}
	fmt.Fprintln(w, "\tflags")
	for _, s := range summaries {
		flags := slices.Clone(s.Flags)
		if s.Metrics == nil {
			flags = append(flags, "NO SCORE")
		}
		fmt.Fprintf(w, "%s\tall\t%d\t%d\t%d%s\t%s\n", s.Split, s.N, s.Missing, s.Infra, cells(columns, s.Metrics), cmp.Or(strings.Join(flags, ", "), "-"))
		for _, row := range s.ByDistance {
			fmt.Fprintf(w, "%s\t%d\t%d\t\t%s\t\n", s.Split, row.Distance, row.N, cells(columns, row.Metrics))
		}
	}
	_ = w.Flush() // to memory
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(out, strings.TrimRight(line, " \n"))
	}
}

func cells(columns []column, metrics map[string]judge.Metric) string {
	var b strings.Builder
	for _, c := range columns {
		b.WriteString("\t" + cell(metrics[c.metric]))
	}
	return b.String()
}

// cell writes a metric for people: four digits after the point, "-" where there is no value.
func cell(m judge.Metric) string {
	if m.Value == nil {
		return "-"
	}
	text := short(*m.Value)
	if m.Lo != nil {
		text += " [" + short(*m.Lo) + ", " + short(*m.Hi) + "]"
	}
	return text
}

// short writes one of our own decimals; it cannot fail to be one.
func short(decimal string) string {
	x, err := strconv.ParseFloat(decimal, 64)
	if err != nil {
		panic(err)
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

// printable quotes text of a log that would do anything else on a terminal than show itself.
func printable(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
