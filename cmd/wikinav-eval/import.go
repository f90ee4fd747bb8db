package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/importer"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

type importFlags struct {
	releaseFlags
	out     string
	model   string
	options []string
	noEdges bool
	json    bool
}

func newImport() *cobra.Command {
	f := &importFlags{}
	cmd := &cobra.Command{
		Use:   "import FORMAT FILE",
		Short: "Turn games that were played elsewhere into a run directory",
		Long: `import reads games of other harnesses and of people, resolves their titles in a release, and writes
a run directory that score takes. Nothing is repaired: a step of a model that the graph does not
allow stays, as an invalid one; a person's game with such a step is left out and counted.

Formats: ` + strings.Join(importer.Formats(), ", ") + `. FILE may be packed with gzip.
Games of other harnesses are played without pruning, because their menus are not ours; those that name
an instance are played by its rules. People have neither menu nor limit.

Games under a ban, --family constrained, come as titles-jsonl, and are always of instances of the release.

Games on another graph come with --no-edge-check: no link is looked at, titles are not resolved, and the score,
marked GRAPH?, tells success, length and loops of the paths and nothing that needs distances.`,
		Example: `  wikinav-eval import snap-paths paths_unfinished.tsv.gz --release wikispeedia --out runs/people
  wikinav-eval import titles-jsonl mine.jsonl --release demo-release --out runs/mine
  wikinav-eval import titles-jsonl banned.jsonl --family constrained --release demo-release --out runs/banned`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.dir, "release", "", "release directory (required)")
	flags.StringVar(&f.family, "family", wikirace, "benchmark family: "+wikirace+" or "+schemas.FamilyConstrained)
	flags.StringVar(&f.out, "out", "", "run directory (default runs/<run id>)")
	flags.StringVar(&f.model, "model", "", "the model whose games are meant, where a file has several")
	flags.StringArrayVar(&f.options, "option", nil, "a rule that the games of models were played by, as NAME=VALUE, repeatable")
	flags.BoolVar(&f.noEdges, "no-edge-check", false, "the games were played on another graph: take paths as they stand")
	flags.BoolVar(&f.json, "json", false, "print the result as one JSON object")
	return cmd
}

func (f *importFlags) run(cmd *cobra.Command, format, path string) error {
	if err := f.checkFamily(format); err != nil {
		return err
	}
	file, err := f.read(format, path)
	if err != nil {
		return err
	}
	run := schemas.GameRun{Model: schemas.Model{Name: f.model, Kind: schemas.KindForeign}, Tool: tool(), Seed: 42}
	if file.Human {
		run.Model = schemas.Model{Name: "human", Kind: schemas.KindHuman}
	}
	result, err := f.convert(file, run)
	if err != nil {
		return err
	}
	dir := cmp.Or(f.out, filepath.Join("runs", result.Run.Run))
	if err := result.Write(dir); err != nil {
		return err
	}
	return f.print(cmd.OutOrStdout(), result.Import, dir)
}

func (f *importFlags) checkFamily(format string) error {
	banned := f.family == schemas.FamilyConstrained
	switch {
	case banned && format != titlesFormat:
		return fault.New(fault.Usage, "format %s tells no games under a ban", fault.Quote(format)).Hint("write them as %s", titlesFormat)
	case banned && f.noEdges:
		return fault.New(fault.Usage, "--no-edge-check: without the release's labels nobody knows who breaks a ban")
	case f.noEdges && len(f.options) > 0:
		return fault.New(fault.Usage, "--option with --no-edge-check: nothing is played, so no rule applies")
	}
	return nil
}

// titlesFormat is the format that games of every family can be written in.
const titlesFormat = "titles-jsonl"

// convert plays the games on the release, which is needed no longer than that.
func (f *importFlags) convert(file *importer.File, run schemas.GameRun) (*importer.Result, error) {
	if f.family == schemas.FamilyConstrained {
		return f.convertBanned(file, run)
	}
	src, err := f.open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	rel, err := src.judged(&trace.GameLog{})
	if err != nil {
		return nil, err
	}
	if rel.Resolve, err = src.resolver(true); err != nil {
		return nil, err
	}
	if f.noEdges {
		return importer.ConvertUnchecked(file, rel, run), nil
	}
	opts, err := setOptions(file.Rules(game.Defaults()), f.options)
	if err != nil {
		return nil, err
	}
	return importer.Convert(file, rel, src.Manifest().Wiki, opts, run)
}

func (f *importFlags) convertBanned(file *importer.File, run schemas.GameRun) (*importer.Result, error) {
	src, err := f.openBanned()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	opts, err := setOptions(file.Rules(game.BanDefaults()), f.options)
	if err != nil {
		return nil, err
	}
	return importer.ConvertBanned(file, src.judged, src.Manifest().Wiki, opts, run)
}

// read reads the file and settles whose games it is about.
func (f *importFlags) read(format, path string) (*importer.File, error) {
	if f.dir == "" {
		return nil, fault.New(fault.Usage, "--release is required")
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err)
	}
	defer in.Close()
	file, err := importer.Read(format, path, in)
	if err != nil || file.Human {
		return file, err
	}
	models := file.Models()
	switch {
	case f.model != "" && !slices.Contains(models, f.model):
		return nil, fault.New(fault.Usage, "no game is by model %s", fault.Quote(f.model)).At(path, "").Hint("there are %s", strings.Join(models, ", "))
	case f.model == "" && len(models) > 1:
		return nil, fault.New(fault.Usage, "the games are by %d models, a run has one", len(models)).At(path, "").
			Hint("choose with --model from %s", strings.Join(models, ", "))
	case f.model == "" && len(models) == 1:
		f.model = models[0]
	}
	f.model = cmp.Or(f.model, "unnamed")
	file.Keep(f.model)
	return file, nil
}

func (f *importFlags) print(out io.Writer, im schemas.Import, dir string) error {
	if f.json {
		_, err := fmt.Fprintf(out, "%s\n", canon.MustMarshal(map[string]any{"out": dir, "import": im}))
		return err
	}
	_, err := fmt.Fprintf(out, "%s: %d of %d games in %s%s%s%s\n", im.Source, im.Games, im.Rows, dir,
		counts("; rejected", im.Rejected), counts("; invalid steps", im.Invalid), counts("; unfinished", im.Types))
	return err
}

// counts writes the entries of a map by name, or nothing for an empty one.
func counts(heading string, m map[string]int) string {
	if len(m) == 0 {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s %d", printable(name), m[name]))
	}
	return heading + ": " + strings.Join(parts, ", ")
}
