package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/board"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/fault"
)

type boardAdd struct {
	replayFlags
	entryFlags
	Submitted string `flag:"submitted" usage:"date of the entries, as 2026-01-31 (required)"`
	Replace   bool   `flag:"replace" usage:"take the place of other results of the same run"`
}

func newBoardAdd() *cobra.Command {
	f := &boardAdd{replayFlags: replayFlags{MaxMiB: board.MaxPack >> 20}}
	cmd := &cobra.Command{
		Use:   "add FILE...",
		Short: "Replay submissions, and enter those whose numbers are true",
		Long: `add unpacks each submission into a folder of its own, replays it on the release as score does, and compares every
number of its summary with the replay. Only then the entries are written, with the summary and the submission beside
them: all of a family, or none. A submission that is on the board already changes nothing.

Nothing that a submission says is believed: a member that submit does not write, a link, a path, a size or digest that
is another, a number that the replay does not give are refused (exit codes 3 and 14), each with its name.`,
		Example: `  wikinav-eval board add random.tar --release demo-release --submitted 2026-01-31 --unfrozen
  wikinav-eval board add a.tar b.tar.gz --release demo-release --board boards --submitted 2026-01-31 --unfrozen`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

// added is what became of a submission.
type added struct {
	File          string `json:"file"`
	Board         string `json:"board"`
	Run           string `json:"run"`
	Model         string `json:"model"`
	SummarySHA256 string `json:"summary_sha256"`
	Entered       bool   `json:"entered"` // false if it was there
}

func (f *boardAdd) run(cmd *cobra.Command, files []string) error {
	if err := f.checkRelease(); err != nil {
		return err
	}
	if f.Submitted == "" {
		return undated()
	}
	dir, err := f.folder()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "wikinav-board-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	defer f.close()
	submissions, err := f.unpacked(cmd.Context(), files, temp)
	if err != nil {
		return err
	}
	list, err := f.enter(dir, submissions)
	if err != nil {
		return err
	}
	object := map[string]any{"board": filepath.ToSlash(dir), "submissions": list}
	return cli.Print(cmd, object, func(out io.Writer) error {
		for _, a := range list {
			said := "entered"
			if !a.Entered {
				said = "is on the board already, nothing changed"
			}
			fmt.Fprintf(out, "%s: run %s of model %s: %s (%s)\n", report.Printable(a.File),
				report.Printable(a.Run), report.Printable(a.Model), said, a.Board)
		}
		return nil
	})
}

// unpacked replays all submissions before a board is touched, each in a folder of its own.
func (f *boardAdd) unpacked(
	ctx context.Context, files []string, temp string,
) (list []board.Submission, err error) {
	for i, path := range files {
		dir := filepath.Join(temp, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		s, err := f.replay(ctx, path, dir)
		if err != nil {
			return nil, err
		}
		if seed := s.Pack.Seed; seed != boardSeed {
			return nil, fault.New(fault.Mismatch, "its intervals are of the seed %d, those of a board of %d",
				seed, boardSeed).At(path, "").Hint("wikinav-eval submit packs it anew")
		}
		s.Submitted, s.Source, s.Guest = f.Submitted, f.Source, !f.Replace
		list = append(list, s)
	}
	return list, nil
}

// enter adds the submissions to the boards of their families, and writes these once all have taken
// theirs.
func (f *boardAdd) enter(dir string, submissions []board.Submission) (list []added, err error) {
	list = []added{}
	for _, fam := range families.All {
		var of []board.Submission
		for _, s := range submissions {
			if s.Pack.Family == fam.Name() {
				of = append(of, s)
			}
		}
		if of == nil {
			continue
		}
		b, err := board.Open(dir, fam, f.Unfrozen, judge.Frozen)
		if err != nil {
			return nil, err
		}
		more, err := enterInto(b, of)
		if err = errors.Join(err, b.Close()); err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

func enterInto(b *board.Board, submissions []board.Submission) (list []added, err error) {
	changed := false
	for _, s := range submissions {
		a := added{s.Path, b.Name(), *s.Scores.Run, s.Scores.Model.Name, s.SHA256(), !b.Has(s)}
		if a.Entered {
			if err := b.Add(s); err != nil {
				return nil, err
			}
		}
		list, changed = append(list, a), changed || a.Entered
	}
	if changed {
		err = b.Write()
	}
	return list, err
}
