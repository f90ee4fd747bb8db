package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/board"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type leaderboardFlags struct {
	releaseFlags
	countFlags
	entryFlags
	Trajectories []string `flag:"trajectories" usage:"a run directory, repeatable"`
	Summaries    []string `flag:"summary" usage:"a summary.json that nobody replays, repeatable"`
	Submitted    string   `flag:"submitted" usage:"date of the entries, as 2026-01-31 (required for new ones)"`
	Out          string   `flag:"out" usage:"directory of the leaderboard"`
	Results      string   `flag:"eval-results" usage:"directory for the new entries as Hugging Face evaluation results"`
	dataset      board.Dataset
}

func newLeaderboard() *cobra.Command {
	f := &leaderboardFlags{Out: "leaderboard", countFlags: countFlags{Seed: 42}}
	cmd := &cobra.Command{
		Use:   "leaderboard",
		Short: "Enter results into a leaderboard, and draw its tables",
		Long: `leaderboard replays runs and enters their scores into a leaderboard, a line a run and split, sorted; then it
writes the tables, as Markdown and as CSV. Results of other manifests or rules never share a table; they are ordered by
the metrics that the family's tables show first.

--trajectories are replayed: their entries are verified as "replayed", or "imported" for games that another harness
played. --summary takes a summary.json alone: what follows from its counts is checked, the entry is "claimed".
A result with an oracle, with games that failed for no fault of the player, or whose log the graph contradicts does
not enter. Without either flag the tables of the board are written again.

A split that was not published has no number on a leaderboard. --unfrozen keeps such results on a board of their
own, FAMILY.unfrozen, on which nobody has a place.`,
		Example: `  wikinav-eval report leaderboard --release demo-release --trajectories runs/random --submitted 2026-01-31 --unfrozen
  wikinav-eval report leaderboard --release demo-release --summary summary.json --submitted 2026-01-31 --unfrozen
  wikinav-eval report leaderboard --release demo-release --trajectories runs/random --submitted 2026-01-31 --unfrozen \
    --eval-results .eval_results --dataset me/demo --revision v1.0.0`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	flags := cmd.Flags()
	cli.Bind(flags, f)
	cli.AddJSON(flags)
	flags.StringVar(&f.dataset.ID, "dataset", "", "the release on the Hugging Face hub, as OWNER/NAME")
	flags.StringVar(&f.dataset.Revision, "revision", "", "its commit or tag there")
	return cmd
}

func (f *leaderboardFlags) run(cmd *cobra.Command) error {
	if err := f.checkFlags(); err != nil {
		return err
	}
	submissions, err := f.submissions(cmd.Context())
	if err != nil {
		return err
	}
	fam, err := families.Find(f.family)
	if err != nil {
		return err
	}
	b, err := board.Open(f.Out, fam, f.Unfrozen, judge.Frozen)
	if err != nil {
		return err
	}
	return errors.Join(f.enter(cmd, b, submissions), b.Close())
}

func (f *leaderboardFlags) checkFlags() error {
	adds := len(f.Trajectories)+len(f.Summaries) > 0
	switch {
	case adds && f.Submitted == "":
		return undated()
	case f.Results != "" && !adds:
		return fault.New(fault.Usage, "--eval-results is of the runs that are entered: name them with --trajectories or --summary")
	case f.Results != "" && (f.dataset.ID == "" || f.dataset.Revision == ""):
		return fault.New(fault.Usage, "--eval-results needs --dataset and --revision").Hint("a result without a revision is one of no data set")
	}
	if !adds && !board.Exists(f.Out, f.family, f.Unfrozen) {
		return fault.New(fault.NotFound, "no leaderboard here").At(f.Out, "").Hint("name runs with --trajectories, or the directory with --out")
	}
	return nil
}

// submissions scores all runs and reads all claims before the board is touched.
func (f *leaderboardFlags) submissions(ctx context.Context) ([]board.Submission, error) {
	if len(f.Trajectories)+len(f.Summaries) == 0 {
		return nil, nil
	}
	d, err := f.open()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var list []board.Submission
	for _, path := range f.Trajectories {
		s, err := replayed(ctx, d, path, family.Request{Splits: f.splits, Partial: f.Partial, Seed: f.Seed})
		if err != nil {
			return nil, err
		}
		s.Submitted, s.Source = f.Submitted, f.Source
		list = append(list, s)
	}
	for _, path := range f.Summaries {
		data, err := readSummary(path)
		if err != nil {
			return nil, err
		}
		s, err := board.Claim(path, data, d.published())
		if err != nil {
			return nil, err
		}
		s.Submitted, s.Source, s.Splits = f.Submitted, f.Source, f.splits
		list = append(list, s)
	}
	return list, nil
}

// replayed scores a run for a board. The summary is what score writes beside it.
func replayed(ctx context.Context, d *door, path string, req family.Request) (s board.Submission, err error) {
	log, set, err := d.log(path)
	if err != nil {
		return s, err
	}
	var files []board.Packed // as they are before they are read
	if log.Dir != "" {
		if files, err = board.Files(ctx, log.Dir, log.Layout); err != nil {
			return s, err
		}
	}
	if req.Splits, err = named(set, req.Splits); err != nil {
		return s, err
	}
	scores, err := set.Score(log, req)
	if err != nil {
		return s, err
	}
	sum, err := log.SHA256(ctx)
	s = board.Submission{
		Path: path, Scores: scores, Summary: append(canon.MustMarshal(scores), '\n'), Trajectories: &sum,
	}
	if log.Run != nil {
		pack := board.NewPack(log.Dir, files, s, req)
		s.Pack = &pack
	}
	return s, err
}

func readSummary(path string) ([]byte, error) {
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Missing(path)
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, canon.MaxManifest+1))
}

// enter adds what was submitted, all or nothing, and writes the board.
func (f *leaderboardFlags) enter(cmd *cobra.Command, b *board.Board, submissions []board.Submission) error {
	var entered []string
	for _, s := range submissions {
		if err := b.Add(s); err != nil {
			return err
		}
		entered = append(entered, s.SHA256())
	}
	var results []report.File // what was entered now, as the hub takes it
	if f.Results != "" {
		var err error
		if results, err = b.Results(f.dataset, func(r board.Row) bool { return slices.Contains(entered, r.SummarySHA256) }); err != nil {
			return err
		}
	}
	if err := b.Write(); err != nil {
		return err
	}
	if err := writeFiles(f.Results, results); err != nil {
		return err
	}
	entries := []board.Entry{}
	for _, r := range b.Rows() {
		entries = append(entries, r.Entry)
	}
	return cli.Print(cmd, map[string]any{"out": filepath.ToSlash(f.Out), "unfrozen": f.Unfrozen, "entries": entries}, func(out io.Writer) error {
		_, err := out.Write(b.Markdown())
		return err
	})
}
