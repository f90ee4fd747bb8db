package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/eval/report/page"
	"github.com/wikinav/wikinav/schemas/fault"
)

// reportFile is what wikinav-eval report writes for programs.
const reportFile = "report.json"

type figuresFlags struct {
	Out string `flag:"out" usage:"folder for report.html and the figures (default: DIR)"`
}

func newFigures() *cobra.Command {
	f := &figuresFlags{}
	cmd := &cobra.Command{
		Use:   "figures DIR",
		Short: "Draw the report of runs: one page, and each figure as a file",
		Long: `figures reads DIR/report.json, which wikinav-eval report --out DIR wrote, and draws what is in it:
report.html, one page without scripts or a network that it needs, with sortable tables, success
against length and each feature with fitted curves, completion against budget, loops, planning gaps,
differences between runs, oracles, what went wrong, and clusters of instances such as mazes; and each
of its figures as an SVG file. Which sections there are follows from the report.`,
		Example: `  wikinav-eval report --release demo-release --trajectories runs/random ` +
			`--trajectories runs/bound --out report
  wikinav figures report
  wikinav figures report --out plots`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	cli.Bind(cmd.Flags(), f)
	return cmd
}

func (f *figuresFlags) run(cmd *cobra.Command, dir string) error {
	name := filepath.Join(dir, reportFile)
	data, err := os.ReadFile(name)
	if err != nil {
		return fault.New(fault.NotFound, "%w", err).At(name, "").
			Hint("make it with wikinav-eval report --trajectories RUN --out %s", dir)
	}
	r, err := report.Read(name, data)
	if err != nil {
		return err
	}
	if f.Out == "" {
		f.Out = dir
	}
	p := page.Of(r)
	var html bytes.Buffer
	if err := p.WriteHTML(&html); err != nil {
		return err
	}
	for _, file := range append(p.Files, report.File{Name: "report.html", Data: html.Bytes()}) {
		if err := whole.WriteFile(f.Out, file.Name, file.Data); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s and %d figures\n", filepath.Join(f.Out, "report.html"), len(p.Files))
	return err
}
