package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
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
		Long: `report replays the games of several runs of one release and compares them: a table of all runs, the
difference of each two on the same games with its interval and McNemar's exact test, success against
distance and against each difficulty feature. --out gets report.md, report.json and a chart a feature.

--human names a run directory that import made of people's games; then each run is compared with
people on the pairs that both won.`,
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
	if err := f.checkFlags(); err != nil {
		return err
	}
	in, fail, closeSource, err := f.read()
	if err != nil {
		return err
	}
	defer closeSource()
	r := report.New(in)
	if err := f.write(r); err != nil {
		return err
	}
	if _, err := cmd.OutOrStdout().Write(f.form(r)); err != nil {
		return err
	}
	return fail
}

// read opens the release and scores every run; the release is needed until the report is written.
func (f *reportFlags) read() (in report.Input, fail error, closeSource func() error, err error) {
	if f.family == schemas.FamilyConstrained {
		src, err := f.openBanned()
		if err != nil {
			return in, nil, nil, err
		}
		in, fail, err = f.bannedInput(src)
		return in, fail, src.Close, closing(src.source, err)
	}
	src, err := f.open()
	if err != nil {
		return in, nil, nil, err
	}
	in, fail, err = f.input(src)
	return in, fail, src.Close, closing(src, err)
}

// closing closes src if err is not nil, which it gives back.
func closing(src *source, err error) error {
	if err != nil {
		return errors.Join(err, src.Close())
	}
	return nil
}

func (f *reportFlags) checkFlags() error {
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
	case f.human != "" && f.family == schemas.FamilyConstrained:
		return fault.New(fault.Usage, "--human: there are no games of people under a ban")
	}
	return nil
}

// input scores every run. A log that the graph contradicts is reported with what the graph says, and fail is the first of its kind.
func (f *reportFlags) input(src *source) (in report.Input, fail, err error) {
	in.Seed, in.Partial = f.seed, f.partial
	for _, path := range f.trajectories {
		scores, log, rel, bad, err := f.score(src, path)
		if scores == nil || err != nil {
			return in, nil, firstOf(err, bad)
		}
		fail = firstOf(fail, bad)
		in.Release = rel
		in.Runs = append(in.Runs, report.Run{Name: name(in.Runs, scores, path), Scores: scores, Options: rulesOf(log)})
	}
	if f.human != "" {
		scores, _, _, bad, err := f.score(src, f.human)
		if scores == nil || err != nil {
			return in, nil, firstOf(err, bad)
		}
		if scores.Import == nil || !scores.Import.Human {
			return in, nil, fault.New(fault.Usage, "holds no games of people").At(f.human, "").Hint("make it with import snap-paths or node-paths")
		}
		in.Human, fail = scores, firstOf(fail, bad)
	}
	return in, fail, nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *reportFlags) score(src *source, path string) (s *judge.Scores, log *trace.GameLog, rel judge.Release, bad, err error) {
	log, err = trace.OpenGames(path)
	if err != nil {
		return nil, nil, rel, nil, err
	}
	if log.Import != nil && log.Import.Unchecked {
		return nil, nil, rel, nil, fault.New(fault.Usage, "these games were played on another graph (GRAPH?)").At(path, "").
			Hint("there is no distance to draw them against; score tells what their paths show")
	}
	if rel, err = src.judged(log); err != nil {
		return nil, nil, rel, nil, err
	}
	req := judge.Request{Splits: f.splits, Partial: f.partial, MaxInfra: f.maxInfra, Seed: f.seed}
	if log.Import != nil && log.Import.Human {
		req.Splits = nil // they belong to none
	}
	s, bad = judge.Score(rel, log, req)
	return s, log, rel, bad, nil
}

// rulesOf gives the options of a run, nil for games that name none or whose player had other rules.
func rulesOf(log *trace.GameLog) *schemas.GameOptions {
	if log.Run == nil || log.Import != nil {
		return nil
	}
	return &log.Run.Options
}

// name gives a run the name of its model, with its directory where another run has that name.
func name(runs []report.Run, s *judge.Scores, path string) string {
	base := filepath.Base(filepath.Clean(path))
	names := []string{base, path}
	if len(s.Summaries) > 0 && s.Summaries[0].Model != nil {
		model := s.Summaries[0].Model.Name
		names = []string{model, model + " (" + base + ")", model + " (" + path + ")"}
	}
	for _, name := range names {
		if !slices.ContainsFunc(runs, func(r report.Run) bool { return r.Name == name }) {
			return name
		}
	}
	return fmt.Sprintf("%s %d", names[0], len(runs)+1)
}

func (f *reportFlags) form(r *report.Report) []byte {
	switch f.format {
	case formatJSON:
		return append(canon.MustMarshal(r), '\n')
	case formatMarkdown:
		return r.Markdown()
	}
	return r.Text()
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
