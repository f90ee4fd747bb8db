package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/board"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/fault"
)

// boardSeed is that of the bootstrap behind every interval of a submission: nobody chooses it.
const boardSeed = 42

type submitFlags struct {
	releaseFlags
	Partial bool   `flag:"partial" usage:"leave missing items out instead of refusing the run; the row says PARTIAL"`
	Out     string `flag:"out" usage:"file for the submission (required)"`
}

func newSubmit() *cobra.Command {
	f := &submitFlags{}
	cmd := &cobra.Command{
		Use:   "submit DIR",
		Short: "Pack a run, its summary and its proof in one file for a leaderboard",
		Long: `submit scores the run directory DIR and packs it: run.json, the logs, the summary that score writes, and
submission.json, which says whose score it is (manifest id, rules, model) and has the digest of everything.
Whoever keeps the leaderboard replays it with "board add".

The file is a tar. The same run gives the same bytes: it holds no clock, no user and no path. Pack it with gzip
if it is large; "board add" reads both forms.

A run that has no score is refused, and so is one in whose files your API key (WIKINAV_API_KEY), your home, the run's
or the release's directory stands. What its rows are flagged with (SHORT, PARTIAL, UNFROZEN, ORACLE and others) is printed.`,
		Example: `  wikinav-eval submit runs/random --release demo-release --out random.tar
  wikinav-eval submit runs/random --release demo-release --split easy --out random-easy.tar`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.releaseFlags.add(cmd)
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func (f *submitFlags) run(cmd *cobra.Command, dir string) error {
	if f.Out == "" {
		return fault.New(fault.Usage, "--out is required").
			Hint("name a file for the submission, for example --out random.tar")
	}
	if _, err := os.Lstat(f.Out); err == nil {
		return fault.New(fault.Usage, "is there already").At(f.Out, "").Hint("name another file with --out")
	}
	if !trace.HasRun(dir) {
		return fault.New(fault.NotFound, "a folder that holds no %s, or none at all", trace.RunFile).At(dir, "").
			Hint("name the folder that play wrote with --out")
	}
	run, err := trace.ReadRun(dir)
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("family") {
		f.family = run.Family
	}
	d, err := f.open()
	if err != nil {
		return err
	}
	defer d.Close()
	s, err := scored(cmd.Context(), d, dir, family.Request{Splits: f.splits, Partial: f.Partial, Seed: boardSeed})
	if err != nil {
		return err
	}
	if err := f.private(dir, *s.Pack); err != nil {
		return err
	}
	return f.write(cmd, d.Family, s)
}

// scored replays a run as score does, and refuses one without a score.
func scored(ctx context.Context, d *door, dir string, req family.Request) (board.Submission, error) {
	s, err := replayed(ctx, d, dir, req)
	if err == nil {
		err = s.Scores.Unplayed(dir)
	}
	return s, err
}

// private refuses a run that tells what is not for others to read.
func (f *submitFlags) private(dir string, p board.Pack) error {
	var words, names []string
	add := func(name, word string, least int) {
		if word = strings.TrimSpace(word); len(word) >= least {
			words, names = append(words, word), append(names, name)
		}
	}
	add("the API key of "+apiKeyVariable, os.Getenv(apiKeyVariable), 8) // a placeholder such as "none" is a word
	for name, path := range map[string]string{"the run's directory": dir, "the release's directory": f.dir} {
		if path, err := filepath.Abs(path); err == nil {
			add(name, path, 2)
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		add("your home directory", strings.TrimRight(home, "/")+"/", 3)
	}
	place, word, err := p.Told(words)
	if err != nil || place == "" {
		return err
	}
	return fault.New(fault.Usage, "%s stands there, which is not for others to read: nothing was packed", names[word]).
		At(dir, place).Hint("play the run again without it; what is edited is another run")
}

// handed is a submission for programs.
type handed struct {
	Out    string      `json:"out"`
	SHA256 string      `json:"sha256"`
	Bytes  int64       `json:"bytes"`
	Proof  board.Proof `json:"proof"`
	Rows   []handedRow `json:"rows"`
}

type handedRow struct {
	Split   string   `json:"split"`
	Variant string   `json:"variant"`
	N       int      `json:"n"`
	Flags   []string `json:"flags"`
	shown   string
}

func (f *submitFlags) write(cmd *cobra.Command, fam family.Family, s board.Submission) error {
	folder := filepath.Dir(f.Out)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	sum, err := whole.Write(whole.OS{}, folder, filepath.Base(f.Out), s.Pack.Write)
	if err != nil {
		return err
	}
	h := handed{filepath.ToSlash(f.Out), sum.SHA256, sum.Bytes, s.Pack.Proof, []handedRow{}}
	for _, r := range s.Scores.Rows {
		if r.Whole() {
			h.Rows = append(h.Rows, rowOf(fam, r))
		}
	}
	return cli.Print(cmd, h, h.text)
}

func rowOf(fam family.Family, r family.Row) handedRow {
	row := handedRow{Split: r.Split, N: r.N, Flags: append([]string{}, r.Flags...)}
	if len(r.By) > 0 {
		row.Variant = r.By[0].Value
	}
	for _, c := range fam.Columns() {
		if m, has := r.Metrics[c.Metric]; has {
			row.shown = c.Heading + " " + report.Cell(m)
			break
		}
	}
	return row
}

func (h handed) text(out io.Writer) error {
	p := h.Proof
	_, err := fmt.Fprintf(out, "%s: run %s of model %s on %s (manifest %s), rules %s\n", h.Out,
		report.Printable(p.Run), report.Printable(p.Model), report.Printable(p.Release), p.ManifestID, p.RulesSHA256)
	for _, r := range h.Rows {
		name := strings.TrimSpace(r.Split + " " + r.Variant)
		_, e := fmt.Fprintf(out, "  %s: %s, n %d: %s\n", name, r.shown, r.N, strings.Join(r.Flags, ", "))
		err = errors.Join(err, e)
	}
	_, e := fmt.Fprintf(out, "%d files, %d bytes, sha256 %s\n", len(p.Files), h.Bytes, h.SHA256)
	return errors.Join(err, e)
}
