package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/export"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/harbor"
	"github.com/wikinav/wikinav/eval/harbor/games"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/samples"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/fault"
)

// exportFlags are those of every form.
type exportFlags struct {
	cli.ProgressFlag
	Release string `flag:"release" usage:"release directory (required)"`
	Out     string `flag:"out" usage:"directory of the export (required)"`
	Force   bool   `flag:"force" usage:"replace the export that the directory holds"`
}

// filler writes the files of a form.
type filler func(d *export.Dir, j export.Job, r *open.Release) error

func newExport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write a release in the form that another program loads",
		Long: `export writes a release in the form that another program loads without a line of glue. A
directory that holds something is left alone; --force replaces one that an export wrote. export.json
in it says which release it is of.`,
		Example: `  wikinav export hf --release demo-release --out demo-hf
  wikinav export csv --release demo-release --out demo-csv`,
	}
	cmd.AddCommand(newExportHF(), newExportCroissant(), newExportInspect(), newExportHarbor(), newExportCSV())
	return cmd
}

// verb makes the verb of a form. into has its flags, with exportFlags embedded as f.
func (f *exportFlags) verb(cmd *cobra.Command, into any, fill filler) *cobra.Command {
	format := cmd.Name()
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return f.run(cmd, format, fill) }
	cli.Bind(cmd.Flags(), into)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func (f *exportFlags) run(cmd *cobra.Command, format string, fill filler) error {
	if err := cli.Required("release", f.Release, "out", f.Out); err != nil {
		return err
	}
	r, err := open.Open(f.Release)
	if err != nil {
		return err
	}
	defer r.Close()
	progress := cli.NewProgress(cmd.ErrOrStderr(), f.Progress)
	var meter *cli.Meter
	job := export.Job{
		Release: r.Release, From: f.Release, Parts: artifacts.All, Out: f.Out, Force: f.Force,
		Meter: func(unit string, total int64) func(int64) {
			meter = progress.Meter("export", format, unit, total)
			return meter.Add
		},
	}
	about, err := job.Make(cmd.Context(), format, func(d *export.Dir) error {
		return fill(d, job, r)
	})
	if meter != nil {
		meter.Done()
	}
	if err != nil {
		return err
	}
	return printExport(cmd, f.Out, about)
}

func printExport(cmd *cobra.Command, dir string, about *export.About) error {
	total := int64(0)
	for _, f := range about.Files {
		total += f.Bytes
	}
	return cli.Print(cmd, about, func(out io.Writer) error {
		_, err := fmt.Fprintf(out, "%s: release %s as %s, %d files, %s\n", dir, about.ManifestID,
			about.Format, len(about.Files), pipeline.Bytes(total))
		return err
	})
}

func newExportHF() *cobra.Command {
	var f struct {
		exportFlags
		JSONL bool `flag:"jsonl" usage:"the JSON lines as well"`
	}
	return f.verb(&cobra.Command{
		Use:   "hf",
		Short: "Write a folder that is a dataset repository of Hugging Face",
		Long: `hf writes the data card with its configs, every table as Parquet, and the documents: a folder
that is uploaded as it is, and that load_dataset loads from its path.`,
		Example: `  wikinav export hf --release demo-release --out demo-hf
  python -c 'from datasets import load_dataset; print(load_dataset("demo-hf", "nodes"))'`,
	}, &f, func(d *export.Dir, j export.Job, _ *open.Release) error { return d.HF(j, f.JSONL) })
}

func newExportCroissant() *cobra.Command {
	var f struct {
		exportFlags
		Base string `flag:"base-url" usage:"address of the release; its files are not copied then"`
	}
	return f.verb(&cobra.Command{
		Use:   "croissant",
		Short: "Write the Croissant document with the files that it describes",
		Long: `croissant writes croissant.json of the release and beside it the files that it describes, by
their paths. With --base-url it writes the document alone, and in it the addresses of the files.`,
		Example: `  wikinav export croissant --release demo-release --out demo-croissant
  wikinav export croissant --release demo-release --out web --base-url https://example.org/demo`,
	}, &f, func(d *export.Dir, j export.Job, _ *open.Release) error { return d.Croissant(j, f.Base) })
}

func newExportInspect() *cobra.Command {
	var f exportFlags
	return f.verb(&cobra.Command{
		Use:   "inspect",
		Short: "Write a sample of Inspect for every instance",
		Long: `inspect writes a file of JSON lines for each split of every family, a sample a line: the words
of its first turn, the target, and the choices of questions that have a list of them.`,
		Example: `  wikinav export inspect --release demo-release --out demo-inspect
  wikinav export inspect --release demo-release --out demo-inspect --force --json`,
	}, &f, func(d *export.Dir, j export.Job, r *open.Release) error {
		return samples.Write(d, r, families.All, j.Meter)
	})
}

func newExportHarbor() *cobra.Command {
	var f struct {
		exportFlags
		Family    string     `flag:"family" usage:"family of games of links, by default the first"`
		Splits    cli.Commas `flag:"split" usage:"split, repeatable; all by default"`
		Instances cli.Commas `flag:"instance" usage:"instance, repeatable; all of the splits by default"`
		Limit     int        `flag:"limit" usage:"at most so many tasks; 0 for all"`
		Schema    string     `flag:"harbor-schema" usage:"version of task.toml: 1.0, 1.1 or 1.4"`
		Binary    string     `flag:"binary" usage:"static wikinav-eval for Linux that goes into the containers; by default the one beside this program"`
	}
	f.Schema = "1.1"
	return f.verb(&cobra.Command{
		Use:   "harbor",
		Short: "Write games of links as tasks of Harbor",
		Long: `harbor writes a task directory for each instance of a family of games of links, and
registry.json. The game runs in a container of its own with what it needs of the release; the
agent's has a client alone. Each solution is played and scored before a task is written. Legs of The
Amazing Agent Race are written by wikinav-eval harbor export.`,
		Example: `  wikinav export harbor --release demo-release --out tasks --limit 20
  wikinav export harbor --release demo-release --out tasks --split easy --harbor-schema 1.4`,
	}, &f, func(d *export.Dir, j export.Job, r *open.Release) error {
		x := &games.Export{
			Release: r, Splits: f.Splits, Instances: f.Instances, Limit: f.Limit, Schema: f.Schema,
		}
		var err error
		if x.Family, err = families.Find(cmp.Or(f.Family, families.All[0].Name())); err != nil {
			return err
		}
		if err := harbor.CheckSchema(f.Schema); err != nil {
			return err
		}
		if f.Limit < 0 {
			return fault.New(fault.Usage, "--limit %d: want 0 or more", f.Limit)
		}
		if x.Binary, err = evaluator(f.Binary); err != nil {
			return err
		}
		return x.Write(d, j)
	})
}

// evaluator returns the path of the program that plays and scores in containers.
func evaluator(path string) (string, error) {
	if path == "" {
		self, err := os.Executable()
		if err != nil {
			return "", err
		}
		path = filepath.Join(filepath.Dir(self), "wikinav-eval")
	}
	return cli.Static(path)
}

func newExportCSV() *cobra.Command {
	var f struct {
		exportFlags
		Distances bool `flag:"distances" usage:"distances as well: a line for each node and target"`
	}
	return f.verb(&cobra.Command{
		Use:   "csv",
		Short: "Write every table as comma-separated values",
		Long: `csv writes every table of the release as comma-separated values, lists as JSON in one field,
and a README that says what the columns are.`,
		Example: `  wikinav export csv --release demo-release --out demo-csv
  wikinav export csv --release demo-release --out demo-csv --distances --force`,
	}, &f, func(d *export.Dir, j export.Job, _ *open.Release) error { return d.CSV(j, f.Distances) })
}
