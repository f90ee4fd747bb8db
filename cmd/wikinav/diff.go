package main

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/diff"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

type diffFlags struct {
	cli.ProgressFlag
	Out     string `flag:"out" usage:"file for the whole comparison, as --json prints it"`
	Work    string `flag:"work" usage:"work directory of NEW: says whether its dump has a page that its graph lacks"`
	Build   string `flag:"build" usage:"name of that build"`
	Workers int    `flag:"workers" usage:"parallel workers of searches"`
}

func newDiff() *cobra.Command {
	f := &diffFlags{Workers: runtime.GOMAXPROCS(0), Build: "default"}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say what became of the instances of a release in a later one",
		Long: `diff holds every pair of pages of the release OLD to the graph of NEW, a later snapshot of the same
wiki, and says which are the same, renamed, farther or nearer, or gone, and why; records that are no
pairs are compared as bytes. The states of a split add up to its records. Distances that NEW has no
column for are searched for. It also says how far the version of NEW must be above that of OLD.`,
		Example: `  wikinav diff ltg-2017 ltg-2018
  wikinav diff ltg-2017 ltg-2018 --work ltg-2018-work --out diff.json
  wikinav diff ltg-2017 ltg-2018 --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1]) },
	}
	cli.Bind(cmd.Flags(), f)
	cli.AddJSON(cmd.Flags())
	return cmd
}

func (f *diffFlags) run(cmd *cobra.Command, oldDir, newDir string) error {
	if f.Workers < 1 {
		return fault.New(fault.Usage, "--workers %d: want a number from 1 on", f.Workers)
	}
	old, err := release.Open(oldDir)
	if err != nil {
		return err
	}
	defer old.Close()
	now, err := release.Open(newDir)
	if err != nil {
		return err
	}
	defer now.Close()
	progress := cli.NewProgress(cmd.ErrOrStderr(), f.Progress)
	opts := diff.Options{Workers: f.Workers, Meter: func(phase, unit string, total int64) release.Meter {
		return progress.Meter("diff", phase, unit, total)
	}}
	compare := func() error {
		r, err := diff.Releases(cmd.Context(), old, now, artifacts.All, opts)
		if err != nil {
			return err
		}
		return f.print(cmd, r)
	}
	if f.Work == "" {
		return compare()
	}
	work := workFlags{work: f.Work, build: f.Build}
	return work.look(func(v *view) error {
		if opts.InDump, err = v.inDump(now.Manifest()); err != nil {
			return err
		}
		return compare()
	})
}

// inDump returns what a build knows of pages that its graph has not, after it made sure that the
// release is of that build.
func (v *view) inDump(m *release.Manifest) (func(uint32) (string, bool), error) {
	in, err := v.releaseInput()
	if err != nil {
		return nil, err
	}
	defer in.Root.Close()
	if in.Graph.Digest.SHA256 != m.Graph.SHA256 {
		return nil, fault.New(fault.Mismatch, "its build has the graph %.12s, NEW has %.12s", in.Graph.Digest.SHA256,
			m.Graph.SHA256).
			At(v.dir.Path(), "").Hint("--work names the work directory that NEW was released from, --build the build")
	}
	t, err := v.table(entryStage, "pages.arrow", schemas.PagesTable)
	if err != nil {
		return nil, err
	}
	col := schemas.PagesTable.Index
	return func(id uint32) (string, bool) {
		for b := range t.Batches() {
			ids := t.Uint32s(b, col("page_id"))
			if i, ok := slices.BinarySearch(ids, id); ok {
				if t.Bools(b, col("is_redirect")).At(i) {
					return "a redirect", true
				}
				return whyOutside(t.Int16s(b, col("ns"))[i], t.Strings(b, col("model")).At(i),
					t.Uint16s(b, col("flags"))[i]), true
			}
		}
		return "", false
	}, nil
}

// whyOutside says what keeps a page out of the graph.
func whyOutside(ns int16, model string, flags uint16) string {
	switch {
	case ns != 0:
		return fmt.Sprintf("in namespace %d", ns)
	case model != schemas.ModelWikitext:
		return "no wikitext"
	case flags&schemas.FlagDisambiguation != 0:
		return "a disambiguation page"
	case flags&schemas.FlagList != 0:
		return "a list"
	case flags&schemas.FlagDate != 0:
		return "a date"
	}
	return "outside the component, or filtered"
}

func (f *diffFlags) print(cmd *cobra.Command, r *diff.Result) error {
	if f.Out != "" {
		if _, err := whole.Write(whole.OS{}, filepath.Dir(f.Out), filepath.Base(f.Out), r.WriteJSON); err != nil {
			return fault.New(fault.KindOf(err), "%w", err).At(f.Out, "")
		}
	}
	if cli.AsJSON(cmd) {
		return r.WriteJSON(cmd.OutOrStdout())
	}
	return diffTable(cmd.OutOrStdout(), r)
}

// diffTable prints a line for each file, and a column for each state that occurs.
func diffTable(out io.Writer, r *diff.Result) error {
	for _, side := range []struct {
		name string
		diff.Side
	}{{"old", r.Old}, {"new", r.New}} {
		fmt.Fprintf(out, "%s: %s, %s of %s\n", side.name, side.Name, side.ID, side.SnapshotDate)
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(out, "WARNING %s\n", w)
	}
	g := r.Graph
	fmt.Fprintf(out, "pages: %s gone, %s new; links: %s gone, %s new\n",
		cli.Thousands(int64(g.NodesRemoved)), cli.Thousands(int64(g.NodesAdded)),
		cli.Thousands(int64(g.EdgesRemoved)), cli.Thousands(int64(g.EdgesAdded)))
	if g.NodesRenumbered > 0 {
		fmt.Fprintf(out, "pages with another node: %s\n", cli.Thousands(int64(g.NodesRenumbered)))
	}
	fmt.Fprintf(out, "version: %s\n", strings.TrimSuffix(r.Bump.String()+", because "+r.Why, ", because "))
	states := r.States()
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "split\t%s\t\n", strings.Join(states, "\t"))
	for _, split := range r.Splits() {
		fmt.Fprintf(table, "%s\t", split)
		for _, state := range states {
			fmt.Fprintf(table, "%d\t", r.PerSplit[split][state])
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}
