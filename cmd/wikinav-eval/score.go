package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type partialFlag struct {
	Partial bool `flag:"partial" usage:"leave missing items out instead of counting them as failures"`
}

type countFlags struct {
	partialFlag
	Seed int64 `flag:"seed" usage:"seed of the bootstrap"`
}

// passFlag says which pass@k are shown.
type passFlag struct {
	PassAt cli.Commas `flag:"pass-at" usage:"the k of pass@k, as 1,5,10 (default: all up to the attempts, as far as there are several)"`
}

// ks reads the flag, nil for all.
func (f passFlag) ks() ([]int, error) {
	var list []int
	for _, text := range f.PassAt {
		k, err := strconv.Atoi(text)
		if err != nil || k < 1 || k > trace.MaxAttempts {
			return nil, fault.New(fault.Usage, "--pass-at %s: want numbers of attempts, such as 1,5,10",
				fault.Quote(text))
		}
		list = append(list, k)
	}
	return list, nil
}

// within refuses a k beyond the attempts of every score.
func (f passFlag) within(scores ...*family.Scores) error {
	list, most := []int{0}, 0
	ks, err := f.ks()
	for _, s := range scores {
		most = max(most, s.Attempts)
	}
	if k := slices.Max(append(list, ks...)); err == nil && k > most {
		return fault.New(fault.Usage, "--pass-at %d: there were at most %d attempts at a task", k, most).
			Hint("play more with --attempts")
	}
	return err
}

type infraFlag struct {
	MaxInfra int `flag:"max-infra-errors" usage:"items of a split that may have failed for no fault of the player"`
}

type printFlags struct {
	Format string `flag:"format" usage:"what is printed: table, markdown or json"`
	JSON   bool   `flag:"json" usage:"the same as --format json"`
	Wide   bool   `flag:"wide" usage:"print tables with all columns, however wide they become"`
}

// sheetFlags say what counts in a score that is printed, and how it is printed.
type sheetFlags struct {
	countFlags
	infraFlag
	printFlags
}

type scoreFlags struct {
	releaseFlags
	sheetFlags
	passFlag
	rules        ruleFlags
	Trajectories string   `flag:"trajectories" usage:"what was played (required)"`
	Folder       string   `flag:"folder" usage:"files of the family in a folder, in place of a release"`
	Options      []string `flag:"option" usage:"how to score where the family leaves a choice, as NAME=VALUE, repeatable"`
	Reparse      string   `flag:"reparse" usage:"read the replies of a run again by another parser, as 1 or 2; the rules of the scores say so"`
	Attempts     int      `flag:"attempts" usage:"items expected of each instance (default: those of the run, or 1)"`
	Items        string   `flag:"items" usage:"file for what came of every item, a line each, which wikinav audit --scores reads"`
}

// sheetDefaults are the flags as they are where nobody names them.
func sheetDefaults() sheetFlags {
	return sheetFlags{countFlags: countFlags{Seed: 42}, printFlags: printFlags{Format: formatTable}}
}

func newScore() *cobra.Command {
	f := &scoreFlags{sheetFlags: sheetDefaults()}
	cmd := &cobra.Command{
		Use:   "score",
		Short: "Score trajectories by playing them again",
		Long: `score replays what was played on the release and prints what came of it: a row for each split, and for each group
of its instances. Wherever the log says something else, the place is listed and the exit code is 3.

PATH is a run directory, a file of one, or a JSON-lines file with a line for each game or reply, such as
  {"instance":"wr-easy-0001","path":["A","B","T"]}
  {"id":"pr-d2-0001","reply":"\\boxed{no}"}
The page of each family says which form its lines have, and which choices --option leaves to the score.

--reparse NAME reads the replies of a run again by another parser, without asking again. The scores name both
parsers, their rules have a hash of their own, and summary.json stays as it is. A game that would have gone on
elsewhere counts as lost: nobody knows what the player would have said there.

A run that is not finished has no score: play the rest, or name --partial to score what was played. In a list of
your own what is missing fails.

--folder takes the files of a family in a folder in place of a release, where the family has such.`,
		Example: `  wikinav-eval score --release demo-release --trajectories runs/random
  wikinav-eval score --release demo-release --trajectories mine.jsonl --split easy --partial
  wikinav-eval score --release demo-release --trajectories runs/random --json
  wikinav-eval score --release demo-release --trajectories runs/random --format markdown
  wikinav-eval score --release demo-release --trajectories runs/random --items items.jsonl
  wikinav-eval score --release demo-release --trajectories runs/ten-attempts --pass-at 1,5,10`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.releaseFlags.add(cmd)
	cli.Bind(cmd.Flags(), f)
	f.rules = addRuleFlags(cmd.Flags(), true)
	cmd.SetFlagErrorFunc(explainFlag)
	return cmd
}

func (f *scoreFlags) run(cmd *cobra.Command) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.Folder != "" {
		return f.scoreFolder(cmd)
	}
	d, err := f.open()
	if err != nil {
		return err
	}
	defer d.Close()
	log, set, err := d.log(f.Trajectories)
	if err != nil {
		return err
	}
	return f.score(cmd, d.Family, log, set)
}

func (f *scoreFlags) scoreFolder(cmd *cobra.Command) error {
	fam, err := families.Find(f.family)
	if err != nil {
		return err
	}
	bare, ok := fam.(family.Bare)
	if !ok {
		return family.NotOffered(fam, "score --folder", having(is[family.Bare]))
	}
	log, err := openLog(fam, f.Trajectories)
	if err != nil {
		return err
	}
	o, err := optionsOf(fam, rulesOf(log))
	if err != nil {
		return err
	}
	set, err := bare.OpenFolder(f.Folder, o)
	if err != nil {
		return err
	}
	return f.score(cmd, fam, log, set)
}

func (f *scoreFlags) score(cmd *cobra.Command, fam family.Family, log *trace.Log, set family.Set) error {
	splits, err := named(set, f.splits)
	if err != nil {
		return err
	}
	if f.Reparse != "" && !is[family.Rereader](fam) {
		return family.NotOffered(fam, "score --reparse", having(is[family.Rereader]))
	}
	options, err := f.rules.options(fam, f.Options)
	if err != nil {
		return err
	}
	ks, err := f.ks()
	if err != nil {
		return err
	}
	scores, fail := set.Score(log, family.Request{
		Splits: splits, Attempts: f.Attempts, Partial: f.Partial, MaxInfra: f.MaxInfra, Seed: f.Seed, Options: options,
		Reparse: f.Reparse, PassAt: ks,
	})
	if scores == nil {
		return fail
	}
	if err := cmp.Or(scores.Unplayed(f.Trajectories), f.within(scores)); err != nil {
		return err
	}
	if log.Dir != "" && f.Reparse == "" { // the run's own summary is that of its own rules
		if err := whole.WriteFile(log.Dir, trace.SummaryFile, append(canon.MustMarshal(scores), '\n')); err != nil {
			return err
		}
	}
	if f.Items != "" {
		dir, name := filepath.Dir(f.Items), filepath.Base(f.Items)
		if err := whole.WriteFile(dir, name, jsonl.Encode(scores.Items())); err != nil {
			return err
		}
	}
	sheet := report.ScoreSheet(fam, scores)
	if f.Wide {
		sheet.Width = 0
	}
	return cmp.Or(printForm(cmd.OutOrStdout(), f.Format, scores, sheet), fail)
}

func (f *scoreFlags) check() error {
	if err := f.sheetFlags.check(); err != nil {
		return err
	}
	switch {
	case f.Trajectories == "":
		return fault.New(fault.Usage, "--trajectories is required").
			Hint("name a run directory or a file of JSON lines, for example --trajectories runs/random")
	case f.Folder == "" && f.dir == "":
		return fault.New(fault.Usage, "--release is required").Hint("or --folder, for a family whose files can lie in a folder")
	case f.Folder != "" && f.dir != "":
		return fault.New(fault.Usage, "--release and --folder: want one of both")
	case f.Attempts < 0 || f.Attempts > trace.MaxAttempts:
		return fault.New(fault.Usage, "--attempts %d: want 1 to %d", f.Attempts, trace.MaxAttempts)
	}
	return nil
}

const (
	formatTable    = "table"
	formatMarkdown = "markdown"
	formatJSON     = "json"
)

func (f *sheetFlags) check() error { return cmp.Or(f.printFlags.check(), f.infraFlag.check()) }

func (f *printFlags) check() error {
	if f.JSON {
		f.Format = formatJSON
	}
	if forms := []string{formatTable, formatMarkdown, formatJSON}; !slices.Contains(forms, f.Format) {
		return fault.New(fault.Usage, "--format %s: there is no such form", fault.Quote(f.Format)).
			Choose(f.Format, forms)
	}
	return nil
}

func (f *infraFlag) check() error {
	if f.MaxInfra < 0 {
		return fault.New(fault.Usage, "--max-infra-errors %d: want 0 or more", f.MaxInfra)
	}
	return nil
}

// shown is what can be printed in words.
type shown interface {
	Text() []byte
	Markdown() []byte
}

// printForm prints a record, or what stands for it in words.
func printForm(out io.Writer, format string, record any, words shown) (err error) {
	switch format {
	case formatMarkdown:
		_, err = out.Write(words.Markdown())
	case formatTable:
		_, err = out.Write(words.Text())
	default:
		_, err = fmt.Fprintf(out, "%s\n", canon.MustMarshal(record))
	}
	return err
}
