package main

import (
	"strconv"

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
	log, err := trace.OpenGames(f.trajectories)
	if err != nil {
		return err
	}
	scores, fail := judge.ScoreBanned(src.judged, log, judge.Request{
		Splits: f.splits, Attempts: f.attempts, Partial: f.partial, MaxInfra: f.maxInfra, Seed: f.seed,
	})
	if scores == nil {
		return fail
	}
	if err := f.publish(cmd, scores, log.Dir, func() report.Sheet { return bannedSheet(scores) }); err != nil {
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

// bannedSheet shows a table with a row per set, banned category and binding, and every disagreement.
func bannedSheet(s *judge.BannedScores) report.Sheet {
	t := newTable("set group n missing infra", banColumns, "flags")
	for _, r := range s.Rows {
		group := r.Group
		if r.Value != "" {
			group += " " + r.Value
		}
		names := []string{r.Set, group, strconv.Itoa(r.N), strconv.Itoa(r.Missing), strconv.Itoa(r.Infra)}
		t.add(names, banColumns, r.Metrics, flagText(r.Flags, r.Metrics))
	}
	sheet := report.Sheet{
		Title: "Scores under a ban", Head: head(s.Release, s.ManifestID, s.OptionsSHA256, s.Run, s.Model), Tables: []report.Table{t.Table},
		Notes: []report.Note{{Text: "SR: reached the target and broke no ban. CR - SR is CVR reach: the paper's SR = CR - CVR holds where all that broke the ban reached the target."}},
	}
	sheet.Notes = append(sheet.Notes, droppedNotes(s.Dropped)...)
	sheet.Notes = append(sheet.Notes, disagreementNotes(s.Disagreements, s.Unlisted)...)
	return sheet
}

// bannedInput scores every run for a report.
func (f *reportFlags) bannedInput(src *bannedSource) (in report.Input, fail, err error) {
	in = report.Input{Release: src.judged.Release, Banned: src.judged.Instances, Seed: f.seed}
	for _, path := range f.trajectories {
		log, err := trace.OpenGames(path)
		if err != nil {
			return in, nil, err
		}
		scores, bad := judge.ScoreBanned(src.judged, log, judge.Request{Splits: f.splits, Partial: f.partial, MaxInfra: f.maxInfra, Seed: f.seed})
		if scores == nil {
			return in, nil, bad
		}
		fail = firstOf(fail, bad)
		plain := scores.Plain()
		in.Runs = append(in.Runs, report.Run{Name: name(in.Runs, plain, path), Scores: plain, Options: rulesOf(log)})
	}
	return in, fail, nil
}
