package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type reportFlags struct {
	releaseFlags
	trajectories []string
	human        string
	out          string
	format       string
	partial      bool
	maxInfra     int
	seed         int64
	json         bool
}

func newReport() *cobra.Command {
	f := &reportFlags{}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Compare runs, and draw what makes games hard",
		Long: `report replays several runs of one family and release and compares those of equal rules: a table for each split,
the difference of each two runs on the same tasks with its interval and McNemar's exact test, success against length
and against each difficulty feature. Runs under other rules have tables of their own, and the report says in which
fields the rules differ. --out gets report.md, report.json and a chart a feature.

--human names a run directory that import made of people's games; then each run is compared with
people on what both won.`,
		Example: `  wikinav-eval report --release demo-release --trajectories runs/random --trajectories runs/bound
  wikinav-eval report --release demo-release --trajectories runs/random --out plots
  wikinav-eval report --release wikispeedia --trajectories runs/random --human runs/people --format markdown`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.trajectories, "trajectories", nil, "what was played, repeatable (required)")
	flags.StringVar(&f.human, "human", "", "imported games of people")
	flags.StringVar(&f.out, "out", "", "directory for the report and its charts")
	flags.StringVar(&f.format, "format", formatTable, "what is printed: table, markdown or json")
	flags.BoolVar(&f.partial, "partial", false, "leave missing games out instead of counting them as failures")
	flags.IntVar(&f.maxInfra, "max-infra-errors", 0, "games of a split that may have failed for no fault of the player")
	flags.Int64Var(&f.seed, "seed", 42, "seed of the bootstrap")
	flags.BoolVar(&f.json, "json", false, "the same as --format json")
	cmd.AddCommand(newLeaderboard())
	return cmd
}

func (f *reportFlags) run(cmd *cobra.Command) error {
	if err := f.check(); err != nil {
		return err
	}
	d, err := f.open()
	if err != nil {
		return err
	}
	defer d.Close()
	in, fail, err := f.input(d)
	if err != nil {
		return err
	}
	r := report.New(in)
	if err := f.write(r); err != nil {
		return err
	}
	if err := printForm(cmd.OutOrStdout(), f.format, r, r); err != nil {
		return err
	}
	return fail
}

func (f *reportFlags) check() error {
	if f.json {
		f.format = formatJSON
	}
	if err := checkFormat(f.format); err != nil {
		return err
	}
	switch {
	case len(f.trajectories) == 0:
		return fault.New(fault.Usage, "--trajectories is required")
	case f.maxInfra < 0:
		return fault.New(fault.Usage, "--max-infra-errors %d: want 0 or more", f.maxInfra)
	}
	return nil
}

// input scores every run. A log that the release contradicts is reported with what the replay says, and fail
// is the first of its kind.
func (f *reportFlags) input(d *door) (in report.Input, fail, err error) {
	in = report.Input{Family: d.Family, Seed: f.seed, Partial: f.partial}
	for _, path := range f.trajectories {
		run, bad, err := f.score(d, path, f.splits)
		if err != nil {
			return in, nil, err
		}
		fail = firstOf(fail, bad)
		run.Name = name(in.Runs, run.Scores, path)
		in.Runs = append(in.Runs, run)
	}
	if f.human == "" {
		return in, fail, nil
	}
	run, bad, err := f.score(d, f.human, nil) // they belong to no split
	if err != nil {
		return in, nil, err
	}
	if run.Scores.Import == nil || !run.Scores.Import.Human {
		return in, nil, fault.New(fault.Usage, "holds no games of people").At(f.human, "").Hint("make it with import")
	}
	in.Human = run.Scores
	return in, firstOf(fail, bad), nil
}

// score replays a run; bad is what is wrong with its log.
func (f *reportFlags) score(d *door, path string, splits []string) (run report.Run, bad, err error) {
	log, set, err := d.log(path)
	if err != nil {
		return run, nil, err
	}
	if log.Import != nil && log.Import.Unchecked {
		return run, nil, fault.New(fault.Usage, "these games were played on another graph (GRAPH?)").At(path, "").
			Hint("there is no distance to draw them against; score tells what their paths show")
	}
	if log.Import != nil && log.Import.Human {
		splits = nil
	}
	if splits, err = named(set, splits); err != nil {
		return run, nil, err
	}
	scores, bad := set.Score(log, family.Request{Splits: splits, Partial: f.partial, MaxInfra: f.maxInfra, Seed: f.seed})
	if scores == nil {
		return run, nil, bad
	}
	return report.Run{Scores: scores, Set: set}, bad, nil
}

// name returns for a run the name of its model, with its directory where another run has that name.
func name(runs []report.Run, s *family.Scores, path string) string {
	base := filepath.Base(filepath.Clean(path))
	names := []string{base, path}
	if s.Model != nil {
		model := s.Model.Name
		names = []string{model, model + " (" + base + ")", model + " (" + path + ")"}
	}
	for _, name := range names {
		if !slices.ContainsFunc(runs, func(r report.Run) bool { return r.Name == name }) {
			return name
		}
	}
	return fmt.Sprintf("%s %d", names[0], len(runs)+1)
}

func (f *reportFlags) write(r *report.Report) error {
	if f.out == "" {
		return nil
	}
	files := []report.File{{Name: "report.md", Data: r.Markdown()}, {Name: "report.json", Data: append(canon.MustMarshal(r), '\n')}}
	for _, file := range append(files, r.Charts()...) {
		if err := whole.WriteFile(f.out, file.Name, file.Data); err != nil {
			return err
		}
	}
	return nil
}
