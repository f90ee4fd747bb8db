package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/judge"
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
	if err := f.publish(cmd, scores, log.Dir, func(w io.Writer) error { return printWorlds(w, scores) }); err != nil {
		return err
	}
	return fail
}

// worldColumns are the metrics of the table, with their headings.
var worldColumns = []struct{ heading, metric string }{
	{"success rate", judge.MetricSuccess},
	{"step accuracy", judge.MetricMicro},
	{"macro", judge.MetricMacro},
	{"dead", judge.MetricDead},
	{"sr pred", judge.MetricPredicted},
	{"gap", judge.MetricGap},
	{"excess turns", judge.MetricExcess},
}

// printWorlds writes a table with a row per split, level and configuration, the differences between configurations, and every
// disagreement.
func printWorlds(out io.Writer, s *judge.LuminaScores) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "release  %s, manifest id %s\n", s.Release, s.ManifestID)
	if s.Run != nil {
		fmt.Fprintf(&text, "run      %s, player %s (%s)\n", printable(*s.Run), printable(s.Model.Name), printable(s.Model.Kind))
	}
	fmt.Fprintln(&text)
	aligned(&text, func(w io.Writer) { printWorldRows(w, s) })
	if len(s.Pairs) > 0 {
		fmt.Fprintln(&text, "\neach oracle, paired by instance (with - without; 95 % bootstrap; exact McNemar)")
		aligned(&text, func(w io.Writer) { printWorldPairs(w, s) })
	}
	if s.TornLines > 0 {
		fmt.Fprintf(&text, "\nnot scored: %d torn lines\n", s.TornLines)
	}
	if len(s.Disagreements) > 0 {
		fmt.Fprintln(&text, "\nthe log and the replay disagree:")
	}
	for _, d := range s.Disagreements {
		fmt.Fprintf(&text, "  episode %s, step %d, %s: log %s, replay %s\n", printable(d.Game), d.Step, d.Field, printable(d.Log), printable(d.Replay))
	}
	_, err := out.Write(text.Bytes())
	return err
}

// aligned writes a table of tab-separated cells without blanks at the ends of lines.
func aligned(out io.Writer, rows func(io.Writer)) {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	rows(w)
	_ = w.Flush() // to memory
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(out, strings.TrimRight(line, " \n"))
	}
}

func printWorldRows(w io.Writer, s *judge.LuminaScores) {
	fmt.Fprint(w, "split\tlevel\tconfig\tn\tmissing\tinfra")
	for _, c := range worldColumns {
		fmt.Fprint(w, "\t"+c.heading)
	}
	fmt.Fprintln(w, "\tlost by")
	for _, r := range s.Rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d", r.Split, r.Level, r.Config, r.N, r.Missing, r.Infra)
		for _, c := range worldColumns {
			fmt.Fprint(w, "\t"+cell(r.Metrics[c.metric]))
		}
		fmt.Fprintln(w, "\t"+lostBy(r.Outcomes))
	}
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

func printWorldPairs(w io.Writer, s *judge.LuminaScores) {
	fmt.Fprintln(w, "split\toracle\twith\twithout\tn\tsuccess rate\tstep accuracy\tp")
	for _, p := range s.Pairs {
		if p.Level != judge.AllLevels {
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", p.Split, p.Effect, p.With, p.Without, p.N, cell(p.Success), cell(p.Accuracy), cell(judge.Metric{Value: p.McNemar}))
	}
	for _, e := range s.Effects {
		if e.Level == judge.AllLevels && e.Value != nil {
			fmt.Fprintf(w, "%s\t%s\tmean\t\t\t%s\t\t\n", e.Split, e.Effect, short(*e.Value))
		}
	}
}
