package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

type importFlags struct {
	releaseFlags
	Out     string   `flag:"out" usage:"run directory (default runs/<run id>)"`
	Model   string   `flag:"model" usage:"the model whose games are meant, where a file has several"`
	Options []string `flag:"option" usage:"a rule that the games of models were played by, as NAME=VALUE, repeatable"`
	NoEdges bool     `flag:"no-edge-check" usage:"the games were played on another graph: take paths as they stand"`
}

func newImport() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FORMAT FILE",
		Short: "Turn games that were played elsewhere into a run directory",
		Long: `import reads what other harnesses and people played, finds its instances in a release, and writes a run directory
that score takes. Nothing is repaired: a step of a model that the release does not allow stays, as an invalid one; a
person's game with such a step is left out and counted.

Formats:
` + formats() + `
FILE may be packed with gzip. Games of other harnesses are played without pruning, because their menus are not ours;
those that name an instance are played by its rules. People have neither menu nor limit.

Games on another graph come with --no-edge-check: no link is looked at, titles are not resolved, and the score,
marked GRAPH?, tells success, length and loops of the paths and nothing that needs distances.`,
		Example: `  wikinav-eval import snap-paths paths_unfinished.tsv.gz --release wikispeedia --out runs/people
  wikinav-eval import titles-jsonl mine.jsonl --release demo-release --out runs/mine`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1]) },
	}
	f.addFamily(cmd.Flags())
	cli.Bind(cmd.Flags(), &f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

// formats lists the formats of all families, a line each.
func formats() string {
	var b strings.Builder
	for _, f := range families.All {
		if im, ok := f.(family.Importer); ok {
			for _, format := range im.Imports() {
				fmt.Fprintf(&b, "  --family %s %s: %s\n", f.Name(), format.Format, format.Says)
			}
		}
	}
	return b.String()
}

func importOf(f family.Family, format string) (family.Import, error) {
	im, ok := f.(family.Importer)
	if !ok {
		return family.Import{}, family.NotOffered(f, "import", having(is[family.Importer]))
	}
	var names []string
	for _, known := range im.Imports() {
		if known.Format == format {
			return known, nil
		}
		names = append(names, known.Format)
	}
	return family.Import{}, fault.New(fault.Usage, "family %s has no format %s", f.Name(), fault.Quote(format)).
		Choose(format, names)
}

func (f *importFlags) run(cmd *cobra.Command, format, path string) error {
	fam, err := families.Find(f.family)
	if err != nil {
		return err
	}
	from, err := importOf(fam, format)
	if err != nil {
		return err
	}
	if f.NoEdges && len(f.Options) > 0 {
		return fault.New(fault.Usage, "--option with --no-edge-check: nothing is played, so no rule applies")
	}
	o, err := fam.Options(f.Options)
	if err != nil {
		return err
	}
	d, err := f.open()
	if err != nil {
		return err
	}
	defer d.Close()
	set, err := d.set(o)
	if err != nil {
		return err
	}
	im, err := from.Read(set, path, family.ImportRequest{Options: o, Given: f.Options, Model: f.Model, Unchecked: f.NoEdges, Run: schemas.Run{
		ReleaseID: d.release.Manifest().ID, ManifestSHA256: d.release.ManifestSHA256(), Family: fam.Name(), Tool: tool(), Seed: 42,
	}})
	if err != nil {
		return err
	}
	if im.Import.Games == 0 {
		return fault.New(fault.Malformed, "none of its %d games can be taken%s", im.Import.Rows,
			report.Counts(": ", im.Import.Rejected)).
			At(path, "").Hint("nothing is written")
	}
	dir := cmp.Or(f.Out, filepath.Join("runs", im.Run.Run))
	if err := play.WriteImport(dir, fam.Layout(), im); err != nil {
		return err
	}
	return cli.Print(cmd, map[string]any{"out": dir, "import": im.Import}, func(out io.Writer) error {
		_, err := fmt.Fprintf(out, "%s: %d of %d games in %s%s%s%s\n", im.Import.Source, im.Import.Games, im.Import.Rows, dir,
			report.Counts("; rejected: ", im.Import.Rejected), report.Counts("; invalid steps: ", im.Import.Invalid), report.Counts("; unfinished: ", im.Import.Types))
		return err
	})
}
