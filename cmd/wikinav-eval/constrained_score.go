package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
)

// scoreBanned scores games under a ban.
func (f *scoreFlags) scoreBanned(cmd *cobra.Command) error {
	src, err := f.openBanned()
	if err != nil {
		return err
	}
	defer src.Close()
	log, err := trace.Open(f.trajectories)
	if err != nil {
		return err
	}
	scores, fail := judge.ScoreBanned(src.judged, log, judge.Request{
		Splits: f.splits, Attempts: f.attempts, Partial: f.partial, MaxInfra: f.maxInfra, Seed: f.seed,
	})
	if scores == nil {
		return fail
	}
	if err := f.publish(cmd, scores, log.Dir, func(w io.Writer) error { return printBanned(w, scores) }); err != nil {
		return err
	}
	return fail
}

// banColumns are the metrics of the table: of feasible games, then of pairs without a path.
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
	{"invalid", judge.MetricInvalidEnd},
	{"revisit", judge.MetricRevisitEnd},
	{"step limit", judge.MetricLimitEnd},
	{"step accuracy", judge.MetricMicro},
}

// printBanned writes a table with a row per set, banned category and binding, and every disagreement.
func printBanned(out io.Writer, s *judge.BannedScores) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "release  %s, manifest id %s\noptions  %s\n", s.Release, s.ManifestID, s.OptionsSHA256)
	if s.Run != nil {
		fmt.Fprintf(&text, "run      %s, player %s (%s)\n", printable(*s.Run), printable(s.Model.Name), printable(s.Model.Kind))
	}
	fmt.Fprintln(&text)
	aligned(&text, func(w io.Writer) { printBannedRows(w, s) })
	fmt.Fprintln(&text, "\nSR: reached the target and broke no ban. CR - SR is CVR reach: the paper's SR = CR - CVR holds where all that broke the ban reached the target.")
	if d := s.Dropped; d != (judge.Dropped{}) {
		fmt.Fprintf(&text, "\nnot scored: %d torn lines, %d steps of incomplete games\n", d.TornLines, d.LooseSteps)
	}
	printDisagreements(&text, s.Disagreements, s.Unlisted)
	_, err := out.Write(text.Bytes())
	return err
}

func printBannedRows(w io.Writer, s *judge.BannedScores) {
	fmt.Fprint(w, "set\tgroup\tn\tmissing\tinfra")
	for _, c := range banColumns {
		fmt.Fprint(w, "\t"+c.heading)
	}
	fmt.Fprintln(w, "\tflags")
	for _, r := range s.Rows {
		flags := r.Flags
		if r.Metrics == nil {
			flags = append(flags, "NO SCORE")
		}
		group := r.Group
		if r.Value != "" {
			group += " " + r.Value
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d%s\t%s\n", r.Set, group, r.N, r.Missing, r.Infra, cells(banColumns, r.Metrics), cmp.Or(strings.Join(flags, ", "), "-"))
	}
}

// bannedInput scores every run for a report.
func (f *reportFlags) bannedInput(src *bannedSource) (in report.Input, fail, err error) {
	in = report.Input{Release: src.judged.Release, Banned: src.judged.Instances, Seed: f.seed}
	for _, path := range f.trajectories {
		log, err := trace.Open(path)
		if err != nil {
			return in, nil, err
		}
		scores, bad := judge.ScoreBanned(src.judged, log, judge.Request{Splits: f.splits, Partial: f.partial, MaxInfra: f.maxInfra, Seed: f.seed})
		if scores == nil {
			return in, nil, bad
		}
		fail = firstOf(fail, bad)
		plain := scores.Plain()
		in.Runs = append(in.Runs, report.Run{Name: name(in.Runs, plain, path), Scores: plain})
	}
	return in, fail, nil
}
