package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/board"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas/fault"
)

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
		return fault.New(fault.Usage, "--dataset and --revision are required").
			Hint("a result without a revision is one of no data set")
	}
	list, err := f.boards(f.Family)
	if err != nil {
		return err
	}
	var files []report.File
	for _, b := range list {
		of := func(r board.Row) bool { return f.Model == "" || r.Model == f.Model }
		more, err := b.Results(board.Dataset{ID: f.Dataset, Revision: f.Version}, of)
		if err != nil {
			return err
		}
		if files, err = board.Join(files, more); err != nil {
			return err
		}
	}
	if err := writeFiles(f.Out, files); err != nil {
		return err
	}
	names := []string{}
	for _, file := range files {
		names = append(names, filepath.ToSlash(filepath.Join(f.Out, file.Name)))
	}
	return cli.Print(cmd, map[string]any{"files": names}, func(out io.Writer) error {
		_, err := fmt.Fprintln(out, strings.Join(names, "\n"))
		return err
	})
}
