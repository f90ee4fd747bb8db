package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/board"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas/fault"
)

// boardFlags say which leaderboard of which release is meant.
type boardFlags struct {
	Release string `flag:"release" usage:"release directory that submissions are replayed on"`
	Board   string `flag:"board" usage:"directory of the leaderboard (default: leaderboard in the release)"`
}

// replayFlags are those of a leaderboard whose submissions are played again.
type replayFlags struct {
	boardFlags
	MaxMiB int64 `flag:"max-mib" usage:"MiB that a submission may unpack to"`

	doors map[string]*door
}

// entryFlags say what is entered, and where.
type entryFlags struct {
	Source   string `flag:"source" usage:"where the results are from (default: the run; of imported games always the format)"`
	Unfrozen bool   `flag:"unfrozen" usage:"keep results on splits that were not published, on a board without places"`
}

// undated refuses entries without --submitted.
func undated() error {
	return fault.New(fault.Usage, "--submitted is required").
		Hint("the date stands in the file, so it is given and never read off a clock")
}

func newBoard() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "board",
		Short: "Keep leaderboards of submissions that are replayed",
		Long: `A leaderboard is a folder of files, leaderboard/ in the release unless --board names another. No digest of the
release covers it. It holds a file of entries a family, the summaries and submissions that the entries name, and tables.`,
		Example: `  wikinav-eval board add random.tar --release demo-release --submitted 2026-01-31 --unfrozen
  wikinav-eval board show --release demo-release
  wikinav-eval board verify --release demo-release
  wikinav-eval board results --release demo-release --dataset me/demo --revision v1.0.0 --out .eval_results`,
	}
	cmd.AddCommand(newBoardAdd(), newBoardShow(), newBoardVerify(), newBoardResults())
	return cmd
}

// folder is that of the leaderboard.
func (f *boardFlags) folder() (string, error) {
	switch {
	case f.Board != "":
		return f.Board, nil
	case f.Release != "":
		return filepath.Join(f.Release, "leaderboard"), nil
	}
	return "", fault.New(fault.Usage, "--board is required").
		Hint("or --release, in which the folder leaderboard is")
}

func (f *replayFlags) checkRelease() error {
	switch {
	case f.Release == "":
		return fault.New(fault.Usage, "--release is required").Hint("submissions are replayed on it")
	case f.MaxMiB < 1:
		return fault.New(fault.Usage, "--max-mib %d: want 1 or more", f.MaxMiB)
	}
	return nil
}

// door opens the release for a family, once.
func (f *replayFlags) door(name string) (*door, error) {
	if d, ok := f.doors[name]; ok {
		return d, nil
	}
	d, err := (&releaseFlags{dir: f.Release, family: name}).open()
	if err == nil {
		if f.doors == nil {
			f.doors = map[string]*door{}
		}
		f.doors[name] = d
	}
	return d, err
}

// published is what claims are held against.
func (d *door) published() board.Published {
	m := d.release.Manifest()
	return board.Published{
		Family: d.Family, Release: d.release.Name(), ManifestID: m.ID,
		FreshSince: m.FreshSince(d.Family.Name()), Open: d.under,
	}
}

func (f *replayFlags) close() {
	for _, d := range f.doors {
		_ = d.Close() // was only read
	}
}

// replay unpacks a submission into dir, which is empty, and scores it. Whatever the release, the log
// or the summary contradicts is an error that names the file at path.
func (f *replayFlags) replay(ctx context.Context, path, dir string) (s board.Submission, err error) {
	p, err := board.Unpack(path, dir, f.MaxMiB<<20, families.Find)
	if err != nil {
		return s, err
	}
	d, err := f.door(p.Family)
	if err == nil {
		req := family.Request{Splits: p.Splits, Partial: p.Partial, Seed: p.Seed}
		if s, err = scored(ctx, d, dir, req); err == nil {
			s, err = p.Replayed(s, req)
		}
	}
	if err != nil && ctx.Err() == nil {
		what := strings.NewReplacer(dir+string(filepath.Separator), "", dir+": ", "").Replace(err.Error())
		err = fault.New(fault.KindOf(err), "%s", what).At(path, "")
	}
	s.Path = path
	return s, err
}

// boards opens every board of a folder for reading, of one family if it is named.
func (f *boardFlags) boards(named string) ([]*board.Board, error) {
	dir, err := f.folder()
	if err != nil {
		return nil, err
	}
	if named != "" {
		if _, err := families.Find(named); err != nil {
			return nil, err
		}
	}
	var list []*board.Board
	for _, fam := range families.All {
		for _, unfrozen := range []bool{false, true} {
			if named != "" && fam.Name() != named || !board.Exists(dir, fam.Name(), unfrozen) {
				continue
			}
			b, err := board.Read(dir, fam, unfrozen, judge.Frozen)
			if err != nil {
				return nil, err
			}
			list = append(list, b)
		}
	}
	if list == nil {
		return nil, fault.New(fault.NotFound, "no leaderboard here").At(dir, "").
			Hint("wikinav-eval board add makes one; --board names its folder")
	}
	return list, nil
}
