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
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/board"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/report"
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
	return "", fault.New(fault.Usage, "--board is required").Hint("or --release, in which the folder leaderboard is")
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

type boardAdd struct {
	replayFlags
	Submitted string `flag:"submitted" usage:"date of the entries, as 2026-01-31 (required)"`
	Source    string `flag:"source" usage:"where the results are from (default: the run; of imported games always the format)"`
	Unfrozen  bool   `flag:"unfrozen" usage:"keep results on splits that were not published, on a board without places"`
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
		return fault.New(fault.Usage, "--submitted is required").
			Hint("the date stands in the file, so it is given and never read off a clock")
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
	return cli.Print(cmd, map[string]any{"board": filepath.ToSlash(dir), "submissions": list}, func(out io.Writer) error {
		for _, a := range list {
			said := "entered"
			if !a.Entered {
				said = "is on the board already, nothing changed"
			}
			fmt.Fprintf(out, "%s: run %s of model %s: %s (%s)\n", report.Printable(a.File), report.Printable(a.Run), report.Printable(a.Model), said, a.Board)
		}
		return nil
	})
}

// unpacked replays all submissions before a board is touched, each in a folder of its own.
func (f *boardAdd) unpacked(ctx context.Context, files []string, temp string) (list []board.Submission, err error) {
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
			return nil, fault.New(fault.Mismatch, "its intervals are of the seed %d, those of a board are of %d", seed, boardSeed).
				At(path, "").Hint("wikinav-eval submit packs it anew")
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
		of := slices.DeleteFunc(slices.Clone(submissions), func(s board.Submission) bool { return s.Pack.Family != fam.Name() })
		if len(of) == 0 {
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

type boardShow struct {
	boardFlags
	Family string `flag:"family" usage:"benchmark family (default: every family that has a board)"`
	Format string `flag:"format" usage:"what is printed" oneof:"table markdown csv json"`
	JSON   bool   `flag:"json" usage:"the same as --format json"`
	Wide   bool   `flag:"wide" usage:"print tables with all columns, however wide they become"`
}

func newBoardShow() *cobra.Command {
	f := &boardShow{}
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print the tables of leaderboards",
		Long: `show prints the tables of every family's board. A table has one manifest, one split and one set of rules; every
row has its flags, and says whether its interval keeps it apart from the leader's. As csv, tables stand one after the
other with an empty line between.`,
		Example: `  wikinav-eval board show --release demo-release
  wikinav-eval board show --board leaderboard --format markdown`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cli.Bind(cmd.Flags(), f)
	return cmd
}

func (f *boardShow) run(cmd *cobra.Command) error {
	list, err := f.boards(f.Family)
	if err != nil {
		return err
	}
	if f.JSON {
		f.Format = formatJSON
	}
	if f.Format == formatJSON {
		shown := []board.Shown{}
		for _, b := range list {
			shown = append(shown, b.Shown())
		}
		return printForm(cmd.OutOrStdout(), formatJSON, map[string]any{"boards": shown}, nil)
	}
	var parts []string
	for _, b := range list {
		parts = append(parts, string(f.printed(b)))
	}
	_, err = io.WriteString(cmd.OutOrStdout(), strings.Join(parts, "\n"))
	return err
}

func (f *boardShow) printed(b *board.Board) []byte {
	switch {
	case f.Format == formatMarkdown:
		return b.Markdown()
	case f.Format == "csv":
		return b.CSV()
	case f.Wide:
		return b.Text(0)
	}
	return b.Text(report.PageWidth)
}

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
	err = cli.Print(cmd, map[string]any{"board": filepath.ToSlash(dir), "checked": list}, func(out io.Writer) error {
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
	list = slices.DeleteFunc(slices.Clone(list), func(c checked) bool { return c.State != stateFailed })
	if len(list) == 0 {
		return nil
	}
	return fault.New(fault.Mismatch, "%d findings, first %s %s: %s", len(list), list[0].Board, list[0].What, list[0].Why).At(dir, "")
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
		list = append(list, checked{Board: b.Name(), What: name, State: stateFailed, Why: "is not what the entries give"})
	}
	return list, nil
}

// entry replays the submission of an entry, or holds a claim against the release.
func (f *boardVerify) entry(ctx context.Context, d *door, b *board.Board, r board.Row) error {
	if r.Verified == board.Claimed {
		_, err := board.Claim(r.SummarySHA256, b.Summary(r.Entry), board.Published{
			Family: d.Family, Release: d.release.Name(), ManifestID: d.release.Manifest().ID, Open: d.under,
		})
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

type boardResults struct {
	boardFlags
	Family  string `flag:"family" usage:"benchmark family (default: every family that has a board)"`
	Model   string `flag:"model" usage:"the model whose results are written (default: every model)"`
	Out     string `flag:"out" usage:"directory for the files"`
	Dataset string `flag:"dataset" usage:"the release on the Hugging Face hub, as OWNER/NAME (required)"`
	Version string `flag:"revision" usage:"its commit or tag there (required)"`
}

func newBoardResults() *cobra.Command {
	f := &boardResults{Out: ".eval_results"}
	cmd := &cobra.Command{
		Use:   "results",
		Short: "Write entries as Hugging Face evaluation results",
		Long: `results writes the entries of leaderboards as a model's repository on the Hugging Face hub keeps them in
.eval_results, a file a model: the metric that ranks first as value, and in notes what finds it again.`,
		Example: `  wikinav-eval board results --release demo-release --dataset me/demo --revision v1.0.0
  wikinav-eval board results --board boards --model random --dataset me/demo --revision v1.0.0 --out .eval_results`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func (f *boardResults) run(cmd *cobra.Command) error {
	if f.Dataset == "" || f.Version == "" {
		return fault.New(fault.Usage, "--dataset and --revision are required").Hint("a result without a revision is one of no data set")
	}
	list, err := f.boards(f.Family)
	if err != nil {
		return err
	}
	var files []report.File
	for _, b := range list {
		more, err := b.Results(board.Dataset{ID: f.Dataset, Revision: f.Version}, func(r board.Row) bool { return f.Model == "" || r.Model == f.Model })
		if err != nil {
			return err
		}
		if files, err = board.Join(files, more); err != nil {
			return err
		}
	}
	names := []string{}
	for _, file := range files {
		if err := whole.WriteFile(f.Out, file.Name, file.Data); err != nil {
			return err
		}
		names = append(names, filepath.ToSlash(filepath.Join(f.Out, file.Name)))
	}
	return cli.Print(cmd, map[string]any{"files": names}, func(out io.Writer) error {
		_, err := fmt.Fprintln(out, strings.Join(names, "\n"))
		return err
	})
}
