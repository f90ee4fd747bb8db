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
	"github.com/wikinav/wikinav/schemas/fault"
)

// The companion sets of WikiRace, which are scored by replies and not by games.
const (
	familyProbe   = "probe"
	familyOneStep = "onestep"
)

// isCompanion tells whether the flags ask for a companion set.
func (f *scoreFlags) isCompanion() bool { return f.family == familyProbe || f.family == familyOneStep }

// scoreCompanion scores a file of replies, a line each: {"id":"pr-d2-0001","reply":"\\boxed{no}"}.
func (f *scoreFlags) scoreCompanion(cmd *cobra.Command) error {
	if f.reward != "exact" && f.reward != "graded" {
		return fault.New(fault.Usage, "--reward %s: want exact or graded", fault.Quote(f.reward))
	}
	games := f.releaseFlags
	games.family = wikirace // the set is one of that family's release
	src, err := games.open()
	if err != nil {
		return err
	}
	defer src.Close()
	if err := src.checkRun(f.trajectories); err != nil {
		return err
	}
	replies, err := trace.OpenReplies(f.trajectories)
	if err != nil {
		return err
	}
	if f.family == familyProbe {
		return f.scoreProbe(cmd, src, replies)
	}
	return f.scoreOneStep(cmd, src, replies)
}

// checkRun refuses a run directory with replies to another release's questions. A file of replies says nothing of where it is from.
func (s *source) checkRun(path string) error {
	if !trace.HasRun(path) {
		return nil
	}
	run, err := trace.ReadGameRun(path)
	if err != nil {
		return err
	}
	if m := s.Manifest(); run.ReleaseID != m.ID || run.ManifestSHA256 != s.ManifestSHA256() {
		return fault.New(fault.Mismatch, "answered on release %s (manifest %s), this one is %s (manifest %s)",
			fault.Quote(run.ReleaseID), fault.Quote(run.ManifestSHA256), m.ID, s.ManifestSHA256()).At(path, trace.RunFile)
	}
	return nil
}

func (f *scoreFlags) scoreProbe(cmd *cobra.Command, src *source, replies map[string]trace.Reply) error {
	questions, err := companion[schemas.ProbeInstance](src, "probe", "probe")
	if err != nil {
		return err
	}
	s, err := judge.ScoreProbe(src.named(), questions, replies)
	if err != nil {
		return err
	}
	if err := f.checkInfra(s.Infra); err != nil {
		return err
	}
	return f.publish(cmd, s, "", func() report.Sheet { return probeSheet(s) })
}

func probeSheet(s *judge.ProbeScores) report.Sheet {
	return report.Sheet{
		Title: "Scores of the probe",
		Head: append(head(s.Release, s.ManifestID, "", nil, nil),
			[2]string{"probe", fmt.Sprintf("%d questions, %d missing, %d unknown replies", s.N, s.Missing, s.Unknown)},
			[2]string{"replies", fmt.Sprintf("asked as %s: %d, in other words: %d", s.Prompt.Version, s.Prompted, s.Foreign)}),
		Tables: []report.Table{metricRows("metric", "value", s.Metrics), metricRows("class", "accuracy", s.ByClass)},
	}
}

func (f *scoreFlags) scoreOneStep(cmd *cobra.Command, src *source, replies map[string]trace.Reply) error {
	sets := f.splits
	if len(sets) == 0 {
		sets = setsOf(src, "onestep")
	}
	if len(sets) == 0 {
		return fault.New(fault.Usage, "the release has no one-step set")
	}
	var all []schemas.OneStepInstance
	for _, set := range sets {
		list, err := companion[schemas.OneStepInstance](src, "onestep", set)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	s, err := judge.ScoreOneStep(src.named(), all, replies, f.reward == "graded", f.seed)
	if err != nil {
		return err
	}
	if err := f.checkInfra(s.Infra); err != nil {
		return err
	}
	return f.publish(cmd, s, "", func() report.Sheet { return oneStepSheet(s) })
}

func oneStepSheet(s *judge.OneStepScores) report.Sheet {
	var columns []column
	for _, name := range slices.Sorted(maps.Keys(s.Metrics)) {
		columns = append(columns, column{name, name})
	}
	t := newTable("distance n", columns)
	t.add([]string{"all", strconv.Itoa(s.N)}, columns, s.Metrics)
	for _, row := range s.ByDistance {
		t.add([]string{strconv.Itoa(row.Distance), strconv.Itoa(row.N)}, columns, row.Metrics)
	}
	return report.Sheet{
		Title: "Scores of the one-step set",
		Head: append(head(s.Release, s.ManifestID, "", nil, nil),
			[2]string{"onestep", fmt.Sprintf("%d instances, %d missing, %d unparsed, %d unknown replies", s.N, s.Missing, s.Unparsed, s.Unknown)}),
		Tables: []report.Table{t.Table},
	}
}

// checkInfra refuses a score that too many failures of an endpoint stand behind.
func (f *scoreFlags) checkInfra(n int) error {
	if n > f.maxInfra {
		return fault.New(fault.Failure, "the endpoint failed on %d questions, at most %d are allowed: no score", n, f.maxInfra).
			At(f.trajectories, "").Hint("play them once more with --retry-infra, or raise --max-infra-errors")
	}
	return nil
}

// setsOf lists the sets in a directory of the release.
func setsOf(src *source, dir string) []string {
	var sets []string
	for _, name := range src.Names(dir) {
		if set, ok := strings.CutSuffix(name, ".jsonl"); ok {
			sets = append(sets, set)
		}
	}
	return sets
}

// companion reads a set of the release.
func companion[T any](src *source, dir, set string) ([]T, error) {
	name := set + ".jsonl"
	if !slices.Contains(src.Names(dir), name) {
		return nil, fault.New(fault.Usage, "the release has no set %s", fault.Quote(set)).At(dir, "").
			Hint("its files there: %s", strings.Join(src.Names(dir), ", "))
	}
	path := dir + "/" + name
	data, err := src.Text(path)
	if err != nil {
		return nil, err
	}
	return trace.Lines[T](data, path)
}

// metricRows shows metrics by name, a row each.
func metricRows(name, value string, m map[string]judge.Metric) report.Table {
	t := report.Table{Rows: [][]string{{name, value}}}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		t.Rows = append(t.Rows, []string{name, report.Cell(m[name])})
	}
	return t
}
