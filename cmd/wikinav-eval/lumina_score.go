package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// scoreLumina scores episodes of the three worlds.
func (f *scoreFlags) scoreLumina(cmd *cobra.Command) error {
	src, err := openLumina(f.dir)
	if err != nil {
		return err
	}
	log, err := trace.OpenLumina(f.trajectories)
	if err != nil {
		return err
	}
	req := judge.LuminaRequest{Partial: f.partial, MaxInfra: f.maxInfra, Seed: f.seed}
	if len(f.splits) > 0 {
		chosen, err := src.choose(f.splits)
		if err != nil {
			return err
		}
		req.Splits = splitsOf(chosen)
	}
	scores, fail := judge.ScoreLumina(judge.LuminaRelease{
		Name: src.manifest.Release.Name, ID: src.manifest.ID, ManifestSHA256: src.sha, Splits: src.splits, Book: src.book,
	}, log, req)
	if scores == nil {
		return fail
	}
	if err := f.publish(cmd, scores, log.Dir, func() report.Sheet { return worldSheet(scores) }); err != nil {
		return err
	}
	return fail
}

// worldColumns are the metrics of the table, with their headings.
var worldColumns = []column{
	{"success rate", judge.MetricSuccess},
	{"step accuracy", judge.MetricMicro},
	{"macro", judge.MetricMacro},
	{"dead", judge.MetricDead},
	{"sr pred", judge.MetricPredicted},
	{"gap", judge.MetricGap},
	{"excess turns", judge.MetricExcess},
}

// worldSheet shows a table with a row per split, level and configuration, the differences between configurations, and every
// disagreement.
func worldSheet(s *judge.LuminaScores) report.Sheet {
	sheet := report.Sheet{Title: "Scores of worlds", Head: head(s.Release, s.ManifestID, "", s.Run, s.Model), Tables: []report.Table{worldTable(s)}}
	if len(s.Pairs) > 0 {
		sheet.Tables = append(sheet.Tables, worldPairs(s))
	}
	if s.TornLines > 0 {
		sheet.Notes = append(sheet.Notes, report.Note{Text: fmt.Sprintf("not scored: %d torn lines", s.TornLines)})
	}
	if len(s.Disagreements) == 0 {
		return sheet
	}
	n := report.Note{Text: "the log and the replay disagree:"}
	for _, d := range s.Disagreements {
		n.Lines = append(n.Lines, fmt.Sprintf("episode %s, step %d, %s: log %s, replay %s", printable(d.Game), d.Step, d.Field, printable(d.Log), printable(d.Replay)))
	}
	sheet.Notes = append(sheet.Notes, n)
	return sheet
}

func worldTable(s *judge.LuminaScores) report.Table {
	t := newTable("split level config n missing infra", worldColumns, "lost by")
	for _, r := range s.Rows {
		names := []string{r.Split, r.Level, r.Config, strconv.Itoa(r.N), strconv.Itoa(r.Missing), strconv.Itoa(r.Infra)}
		t.add(names, worldColumns, r.Metrics, lostBy(r.Outcomes))
	}
	return t.Table
}

// lostBy lists the outcomes that are no success, with their counts.
func lostBy(outcomes map[string]int) string {
	var list []string
	for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
		if outcome != schemas.OutcomeSuccess {
			list = append(list, fmt.Sprintf("%s %d", outcome, outcomes[outcome]))
		}
	}
	if list == nil {
		return "-"
	}
	return strings.Join(list, ", ")
}

func worldPairs(s *judge.LuminaScores) report.Table {
	t := report.Table{
		Heading: "each oracle, paired by instance", Note: "with - without; 95 % bootstrap; exact McNemar",
		Rows: [][]string{{"split", "oracle", "with", "without", "n", "success rate", "step accuracy", "p"}},
	}
	for _, p := range s.Pairs {
		if p.Level == judge.AllLevels {
			t.Rows = append(t.Rows, []string{
				p.Split, p.Effect, p.With, p.Without, strconv.Itoa(p.N), report.Cell(p.Success), report.Cell(p.Accuracy), report.Cell(judge.Metric{Value: p.McNemar}),
			})
		}
	}
	for _, e := range s.Effects {
		if e.Level == judge.AllLevels && e.Value != nil {
			t.Rows = append(t.Rows, []string{e.Split, e.Effect, "mean", "", "", report.Digits(*e.Value), "", ""})
		}
	}
	return t
}
