package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type reportFlags struct {
	releaseFlags
	sheetFlags
	passFlag
	Trajectories []string `flag:"trajectories" usage:"what was played, repeatable: a run, or a folder of runs (required)"`
	Human        []string `flag:"human" usage:"imported games of people, repeatable: those they won, and those they gave up"`
	Out          string   `flag:"out" usage:"directory for report.md and report.json, which wikinav figures draws"`
}

func newReport() *cobra.Command {
	f := &reportFlags{sheetFlags: sheetDefaults()}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Compare runs, and say what makes games hard",
		Long: `report replays several runs of one family and release and compares those of equal rules: a table for each split,
the difference of each two runs on the same tasks with its interval and McNemar's exact test, success against length
and against each difficulty feature. Runs under other rules have tables of their own, and the report says in which
fields the rules differ. A run under titles=pseudonym is paired with its twin under titles=plain,
for what success owes to knowing pages. --out gets report.md, and report.json with every curve and
figure as numbers: wikinav figures draws them as a page and files.

--human names a run directory that import made of people's games, or several; then each run is compared
with people on the pairs that both played.`,
		Example: `  wikinav-eval report --release demo-release --trajectories runs/random --trajectories runs/bound
  wikinav-eval report --release demo-release --trajectories runs/random --trajectories runs/twin
  wikinav-eval report --release demo-release --trajectories runs/random --out plots
  wikinav-eval report --release wikispeedia --trajectories runs/random --human runs/people --format markdown`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	cli.Bind(cmd.Flags(), f)
	cmd.AddCommand(newItems(), newLeaderboard(), newSubset())
	return cmd
}

func (f *reportFlags) run(cmd *cobra.Command) error {
	if err := f.check(); err != nil {
		return err
	}
	if len(f.Trajectories) == 0 {
		return fault.New(fault.Usage, "--trajectories is required").
			Hint("name a run directory, for example --trajectories runs/random")
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
	if f.Wide {
		r.Width = 0
	}
	if err := f.write(r); err != nil {
		return err
	}
	err = printForm(cmd.OutOrStdout(), f.Format, r, r)
	if apart := r.Apart(in); apart != nil && err == nil && fail == nil {
		return apart.At(strings.Join(f.Human, ", "), "")
	}
	return cmp.Or(err, fail)
}

// input scores every run; one that the release contradicts too. fail is the first of its kind.
func (f *reportFlags) input(d *door) (in report.Input, fail, err error) {
	in = report.Input{Family: d.Family, Seed: f.Seed, Partial: f.Partial}
	req := family.Request{Splits: f.splits, Partial: f.Partial, MaxInfra: f.MaxInfra, Seed: f.Seed}
	if req.PassAt, err = f.ks(); err != nil {
		return in, nil, err
	}
	if in.Runs, fail, err = d.scoreAll(f.Trajectories, req); err == nil {
		var scores []*family.Scores
		for _, r := range in.Runs {
			scores = append(scores, r.Scores)
		}
		err = f.within(scores...)
	}
	req.Splits = nil // people's games belong to no split
	for i := 0; i < len(f.Human) && err == nil; i++ {
		err = d.addPeople(&in, f.Human[i], req, &fail)
	}
	return in, fail, err
}

// addPeople adds people's games to those that are there.
func (d *door) addPeople(in *report.Input, path string, req family.Request, fail *error) error {
	run, bad, err := d.score(path, req)
	if err != nil {
		return err
	}
	if run.Scores.Import == nil || !run.Scores.Import.Human {
		return fault.New(fault.Usage, "holds no games of people").At(path, "").Hint("make it with import")
	}
	*fail = cmp.Or(*fail, bad)
	if in.Human == nil {
		in.Human = &family.Scores{}
	}
	in.Human.Results = append(in.Human.Results, run.Scores.Results...)
	return nil
}

// scoreAll scores runs under names of their own. fail is the first of what is wrong with their
// logs.
func (d *door) scoreAll(paths []string, req family.Request) (runs []report.Run, fail, err error) {
	if paths, err = d.runsIn(paths); err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		run, bad, err := d.score(path, req)
		if err != nil {
			return nil, nil, err
		}
		fail = cmp.Or(fail, bad)
		run.Name = name(runs, run.Scores, path)
		runs = append(runs, run)
	}
	return runs, fail, nil
}

// runsIn returns paths with the runs of the family in place of a folder that holds runs, as play
// --models leaves it.
func (d *door) runsIn(paths []string) (list []string, err error) {
	for _, path := range paths {
		inside, err := runsUnder(path)
		if err != nil {
			return nil, err
		}
		if trace.HasRun(path) || len(inside) == 0 {
			list = append(list, path)
			continue
		}
		before := len(list)
		for _, dir := range inside {
			run, err := trace.ReadRun(dir)
			if err != nil {
				return nil, err
			}
			if run.Family == d.Name() {
				list = append(list, dir)
			}
		}
		if len(list) == before {
			return nil, fault.New(fault.Usage, "holds no run of the family %s", d.Name()).At(path, "").
				Hint("name another with --family")
		}
	}
	return list, nil
}

// runsUnder lists the folders of a folder that hold a run, by name; none where path is not a folder.
func runsUnder(path string) (list []string, err error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, nil // whoever opens it says why
	}
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		if dir := filepath.Join(path, e.Name()); trace.HasRun(dir) {
			list = append(list, dir)
		}
	}
	return list, err
}

// score replays a run; bad is what is wrong with its log.
func (d *door) score(path string, req family.Request) (run report.Run, bad, err error) {
	log, set, err := d.log(path)
	if err != nil {
		return run, nil, err
	}
	if log.Import != nil && log.Import.Unchecked {
		return run, nil, fault.New(fault.Usage, "these games were played on another graph (GRAPH?)").At(path, "").
			Hint("there is no distance to draw them against; score tells what their paths show")
	}
	if log.Import != nil && log.Import.Human {
		req.Splits = nil
	}
	if req.Splits, err = named(set, req.Splits); err != nil {
		return run, nil, err
	}
	scores, bad := set.Score(log, req)
	if scores == nil {
		return run, nil, bad
	}
	return report.Run{Scores: scores, Set: set}, bad, scores.Unplayed(path)
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
	if f.Out == "" {
		return nil
	}
	files := []report.File{{Name: "report.md", Data: r.Markdown()}, {Name: "report.json", Data: append(canon.MustMarshal(r), '\n')}}
	return writeFiles(f.Out, files)
}

func writeFiles(dir string, files []report.File) error {
	for _, f := range files {
		if err := whole.WriteFile(dir, f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}
