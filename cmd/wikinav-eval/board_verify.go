package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/board"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/fault"
)

type boardVerify struct{ replayFlags }

func newBoardVerify() *cobra.Command {
	f := &boardVerify{replayFlags{MaxMiB: board.MaxPack >> 20}}
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Replay every entry of the leaderboards",
		Long: `verify replays the submission behind every entry of the release, and compares summary, metrics and digests with
what the board says; claims, which have no submission, are held against the release as when they came. Tables that are
not what the entries give, files that no entry names and entries without the submission that proves them are findings
(exit code 3). Entries of other manifests are listed as skipped.`,
		Example: `  wikinav-eval board verify --release demo-release
  wikinav-eval board verify --release demo-release --board boards --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

// checked is what verify says of an entry, or of a file.
type checked struct {
	Board string `json:"board"`
	What  string `json:"what"`  // the digest of a summary, or a file
	State string `json:"state"` // replayed, claimed, skipped or failed
	Why   string `json:"why"`
	Model string `json:"model"`
}

const (
	stateFailed  = "failed"
	stateSkipped = "skipped"
)

func (f *boardVerify) run(cmd *cobra.Command) error {
	if err := f.checkRelease(); err != nil {
		return err
	}
	boards, err := f.boards("")
	if err != nil {
		return err
	}
	defer f.close()
	list := []checked{}
	var names []string
	for _, b := range boards {
		more, err := f.verify(cmd.Context(), b)
		if err != nil {
			return err
		}
		list, names = append(list, more...), append(names, b.Names()...)
	}
	dir, _ := f.folder()
	stray, err := strays(dir, names)
	if err != nil {
		return err
	}
	for _, name := range stray {
		list = append(list, checked{What: name, State: stateFailed, Why: "a file that no entry makes or names"})
	}
	object := map[string]any{"board": filepath.ToSlash(dir), "checked": list}
	err = cli.Print(cmd, object, func(out io.Writer) error {
		for _, c := range list {
			fmt.Fprintf(out, "%s: %s %s%s\n", c.State, c.Board, c.What, report.Printable(c.words()))
		}
		return nil
	})
	return errors.Join(err, failures(dir, list))
}

func (c checked) words() string {
	text := ""
	if c.Model != "" {
		text = " of model " + c.Model
	}
	if c.Why != "" {
		text += ": " + c.Why
	}
	return text
}

func failures(dir string, list []checked) error {
	n, first := 0, checked{}
	for _, c := range list {
		if c.State == stateFailed {
			if n++; n == 1 {
				first = c
			}
		}
	}
	if n == 0 {
		return nil
	}
	return fault.New(fault.Mismatch, "%d findings, first %s %s: %s", n, first.Board, first.What, first.Why).
		At(dir, "")
}

// verify replays what the entries of a board name, each once.
func (f *boardVerify) verify(ctx context.Context, b *board.Board) (list []checked, err error) {
	for _, r := range b.Rows() {
		if slices.ContainsFunc(list, func(c checked) bool { return c.What == r.SummarySHA256 }) {
			continue
		}
		c := checked{Board: b.Name(), What: r.SummarySHA256, State: r.Verified, Model: r.Model}
		d, err := f.door(r.Scores.Family)
		if err != nil {
			return nil, err
		}
		if id := d.release.Manifest().ID; id != r.ManifestID {
			c.State, c.Why = stateSkipped, "of manifest "+r.ManifestID+", the release is "+id
		} else if err := f.entry(ctx, d, b, r); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			c.State, c.Why = stateFailed, err.Error()
		}
		list = append(list, c)
	}
	for _, name := range b.Undrawn() {
		why := "is not what the entries give"
		list = append(list, checked{Board: b.Name(), What: name, State: stateFailed, Why: why})
	}
	return list, nil
}

// entry replays the submission of an entry, or holds a claim against the release.
func (f *boardVerify) entry(ctx context.Context, d *door, b *board.Board, r board.Row) error {
	if r.Verified == board.Claimed {
		_, err := board.Claim(r.SummarySHA256, b.Summary(r.Entry), d.published())
		return err
	}
	temp, err := os.MkdirTemp("", "wikinav-board-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	s, err := f.replay(ctx, b.Kept(r.SummarySHA256), temp)
	if err != nil {
		return err
	}
	if s.SHA256() != r.SummarySHA256 {
		return fault.New(fault.Mismatch, "the submission kept for it is another one").At(b.Kept(r.SummarySHA256), "")
	}
	return b.Proves(s)
}

// strays lists the files of a leaderboard's folder that are none of names.
func strays(dir string, names []string) (list []string, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !slices.Contains(names, filepath.FromSlash(path)) {
			list = append(list, path)
		}
		return err
	})
	return list, err
}
