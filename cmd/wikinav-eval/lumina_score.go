package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// scoreLumina scores episodes of the three worlds.
func (f *scoreFlags) scoreLumina(cmd *cobra.Command) error {
	opts, err := lumina.Family{}.Options(nil)
	if err != nil {
		return err
	}
	r, set, err := openLumina(f.dir, opts)
	if err != nil {
		return err
	}
	defer r.Close()
	log, err := trace.Open(f.trajectories, lumina.Family{}.Layout())
	if err != nil {
		return err
	}
	scores, fail := set.Score(log, family.Request{Splits: f.splits, Partial: f.partial, MaxInfra: f.maxInfra, Seed: f.seed})
	if scores == nil {
		return fail
	}
	if err := f.publish(cmd, scores, log.Dir, func() report.Sheet { return worldSheet(scores) }); err != nil {
		return err
	}
	return fail
}

func worldColumns() (list []column) {
	for _, c := range (lumina.Family{}).Columns() {
		list = append(list, column{c.Heading, c.Metric})
	}
	return list
}

const allLevels = "all"

func modelFor(p *schemas.Player) *schemas.Model {
	if p == nil {
		return nil
	}
	return &schemas.Model{Name: p.Name, Kind: p.Kind}
}

// worldSheet shows a table with a row per split, level and configuration, the differences between configurations, and every
// disagreement.
func worldSheet(s *family.Scores) report.Sheet {
	sheet := report.Sheet{Title: "Scores of worlds", Head: head(s.Release, s.ManifestID, "", s.Run, modelFor(s.Model)), Tables: []report.Table{worldTable(s)}}
	if len(s.Pairs) > 0 {
		sheet.Tables = append(sheet.Tables, worldPairs(s))
	}
	if s.Dropped.TornLines > 0 {
		sheet.Notes = append(sheet.Notes, report.Note{Text: fmt.Sprintf("not scored: %d torn lines", s.Dropped.TornLines)})
	}
	if len(s.Disagreements) == 0 {
		return sheet
	}
	n := report.Note{Text: "the log and the replay disagree:"}
	for _, d := range s.Disagreements {
		n.Lines = append(n.Lines, fmt.Sprintf("episode %s, step %d, %s: log %s, replay %s", printable(d.Item), d.Step, d.Field, printable(d.Log), printable(d.Replay)))
	}
	sheet.Notes = append(sheet.Notes, n)
	return sheet
}

func worldTable(s *family.Scores) report.Table {
	t := newTable("split level config n missing infra", worldColumns(), "lost by")
	for _, r := range s.Rows {
		level := allLevels
		if len(r.By) > 1 {
			level = r.By[0].Value
		}
		names := []string{r.Split, level, r.By[len(r.By)-1].Value, strconv.Itoa(r.N), strconv.Itoa(r.Missing), strconv.Itoa(r.Infra)}
		t.add(names, worldColumns(), r.Metrics, lostBy(r.Outcomes))
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

func worldPairs(s *family.Scores) report.Table {
	t := report.Table{
		Heading: "each oracle, paired by instance", Note: "with - without; 95 % bootstrap; exact McNemar",
		Rows: [][]string{{"split", "oracle", "with", "without", "n", "success rate", "step accuracy", "p"}},
	}
	for _, p := range s.Pairs {
		if len(p.By) == 0 {
			t.Rows = append(t.Rows, []string{
				p.Split, p.Effect, p.With, p.Without, strconv.Itoa(p.N), report.Cell(p.Success), report.Cell(p.Accuracy), report.Cell(judge.Metric{Value: p.McNemar}),
			})
		}
	}
	for _, e := range s.Effects {
		if len(e.By) == 0 && e.Value != nil {
			t.Rows = append(t.Rows, []string{e.Split, e.Effect, "mean", "", "", report.Digits(*e.Value), "", ""})
		}
	}
	return t
}
