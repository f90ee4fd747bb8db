package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/audit"
	"github.com/wikinav/wikinav/artifacts/audit/page"
	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// audited makes tables of the records in a folder that is not a release. The file named for a
// family adds what knows its files; it returns none for a folder that has none of them.
var audited []func(ctx context.Context, dir string) ([]*audit.Table, error)

type auditFlags struct {
	workFlags
	graph audit.Options

	GraphOnly bool     `flag:"graph" usage:"describe the graph of a build alone"`
	ByRecipe  bool     `flag:"recipes" usage:"print how large the graph of a build is under eight policies"`
	Strict    bool     `flag:"strict-audit" usage:"fail where there is a warning"`
	SVG       string   `flag:"svg" usage:"directory for plots of --graph: out-degree.svg, in-degree.svg, distance.svg"`
	Out       string   `flag:"out" usage:"folder for audit.json, audit.md, audit.html and plots; an audit that is there is replaced"`
	Draw      string   `flag:"draw" usage:"print the drawing of this instance as SVG, and nothing else"`
	Against   []string `flag:"against" usage:"an earlier release that may share instances, repeatable"`
	Scores    []string `flag:"scores" usage:"results of a run as wikinav-eval score --items writes them, repeatable"`
}

func newAudit() *cobra.Command {
	f := &auditFlags{graph: audit.Defaults()}
	f.graph.Workers = runtime.GOMAXPROCS(0)
	cmd := &cobra.Command{
		Use:   "audit [DIR]",
		Short: "Say why instances are hard, and whether they are sound",
		Long: `audit describes a release: the funnel from dump to graph with its warnings, the shape of the graph,
for each set the numbers that may make an instance hard, side by side by group, the easiest, the
hardest and the suspicious instances, what sets share with each other, and how far labels reach.
It prints the tables as Markdown. --out writes a folder: audit.json has every number, audit.html shows
them with plots and every instance with its drawing, whole without scripts or a network; lists that
do not fit into it are pages beside it.

DIR is a release of any maker, or a folder of legs or mazes that is not a release. Without DIR the
build of --work is audited as the release that it would become.

--scores reads what came of the items of a run, which wikinav-eval score writes with --items, and
says which features predict success.

--graph describes the graph of a build alone. Up to 8,192 nodes every pair is counted; of a larger
graph a sample of sources is searched, and each estimate carries its 95 % interval.

--recipes makes the graph of a build anew under eight policies and prints how large each is, next to
a published one: titles of any kind or without a blank, redirects resolved or pages of their own,
disambiguation pages kept or dropped.`,
		Example: `  wikinav audit demo-release
  wikinav audit demo-release --out demo-audit
  wikinav audit demo-release --against older-release --strict-audit
  wikinav audit demo-release --scores items.jsonl --json
  wikinav audit demo-release --draw wr-hard-0001 > wr-hard-0001.svg
  wikinav audit my-legs
  wikinav audit --graph --work ltg --json
  wikinav audit --recipes --work ltg`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.workFlags.add(cmd)
	flags := cmd.Flags()
	cli.Bind(flags, f)
	flags.IntVar(&f.graph.Sources, "sources", f.graph.Sources, "sources that are searched of a large graph")
	flags.Uint64Var(&f.graph.Seed, "seed", f.graph.Seed, "seed of the sample of sources")
	flags.IntVar(&f.graph.Workers, "workers", f.graph.Workers, "parallel workers")
	cli.AddJSON(flags)
	return cmd
}

func (f *auditFlags) run(cmd *cobra.Command, args []string) error {
	ofRelease := f.Out != "" || len(f.Against)+len(f.Scores) > 0
	switch {
	case f.graph.Workers < 1 || f.graph.Sources < 1:
		return fault.New(fault.Usage, "--workers %d, --sources %d: want numbers from 1 on",
			f.graph.Workers, f.graph.Sources)
	case f.ByRecipe && (f.GraphOnly || len(args) > 0 || f.Draw != "" || ofRelease):
		return fault.New(fault.Usage, "--recipes makes graphs from the links of a build, which no release has").
			Hint("wikinav audit --recipes --work DIR, without other flags")
	case f.ByRecipe:
		return f.look(func(v *view) error { return v.recipes(cmd) })
	case f.GraphOnly && len(args) > 0:
		return fault.New(fault.Usage, "--graph describes a build, not %s", fault.Quote(args[0])).
			Hint("leave --graph out, or name the build with --work")
	case f.GraphOnly && ofRelease:
		return fault.New(fault.Usage, "--out, --against and --scores do not go with --graph").
			Hint("name a release, or leave --graph out")
	case f.Draw != "" && (f.GraphOnly || ofRelease):
		return fault.New(fault.Usage, "--draw prints one drawing: --graph, --out, --against and --scores "+
			"do not go with it").
			Hint("leave --draw out for the audit, whose pages have all drawings")
	case !f.GraphOnly && f.SVG != "":
		return fault.New(fault.Usage, "--svg goes with --graph").
			Hint("--out DIR writes all plots of a release")
	case f.GraphOnly:
		return f.look(func(v *view) error { return v.audit(cmd, f.graph, f.SVG) })
	case len(args) == 0:
		return f.look(func(v *view) error { return f.auditBuild(cmd, v) })
	}
	if _, err := os.Stat(args[0]); err != nil {
		return fault.Opening(args[0], err)
	}
	if _, err := os.Lstat(filepath.Join(args[0], release.ManifestName)); err == nil {
		return f.auditRelease(cmd, args[0])
	}
	return f.auditFolder(cmd, args[0])
}

// auditBuild audits the release that a build would become: it is written to a temporary folder.
func (f *auditFlags) auditBuild(cmd *cobra.Command, v *view) error {
	in, err := v.releaseInput()
	if err != nil {
		return err
	}
	defer in.Root.Close()
	dir, err := os.MkdirTemp("", "wikinav-audit-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if in.Licence.SPDX == "" {
		in.Licence = in.DataLicence(licenceOfBuilder, "")
	}
	dir = filepath.Join(dir, "release")
	if _, err := release.Write(cmd.Context(), dir, in, release.WriteOptions{AllowShort: true}); err != nil {
		return err
	}
	return f.auditRelease(cmd, dir)
}

func (f *auditFlags) auditRelease(cmd *cobra.Command, dir string) error {
	r, err := release.Open(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	if f.Draw != "" {
		return draw(cmd.OutOrStdout(), r, f.Draw)
	}
	q := audit.Request{Graph: f.graph}
	if q.Results, err = f.results(r.Manifest().ID); err != nil {
		return err
	}
	for _, old := range f.Against {
		o, err := release.Open(old)
		if err != nil {
			return fault.New(fault.KindOf(err), "--against %s: %w", fault.Quote(old), err)
		}
		defer o.Close()
		q.Against = append(q.Against, o)
	}
	rep, err := audit.Release(cmd.Context(), r, artifacts.All, q)
	if err != nil {
		return err
	}
	return f.tell(cmd, &page.Book{Report: rep, Release: r, Parts: artifacts.All})
}

// draw prints an instance as a whole SVG file.
func draw(out io.Writer, r *release.Release, id string) error {
	d, err := r.Drawing(artifacts.All, id)
	if err != nil {
		return err
	}
	_, err = out.Write(d.SVG(dag.Alone))
	return err
}

func (f *auditFlags) auditFolder(cmd *cobra.Command, dir string) error {
	if f.Draw != "" {
		return fault.New(fault.Usage, "--draw draws instances of releases, and %s is none", fault.Quote(dir)).
			Hint("name a folder with %s", release.ManifestName)
	}
	if len(f.Against) > 0 {
		return fault.New(fault.Usage, "--against compares releases, and %s is none", fault.Quote(dir)).
			Hint("name a folder with %s", release.ManifestName)
	}
	results, err := f.results("")
	if err != nil {
		return err
	}
	var tables []*audit.Table
	for _, of := range audited {
		if tables, err = of(cmd.Context(), dir); err != nil || len(tables) > 0 {
			break
		}
	}
	if err != nil {
		return err
	}
	if len(tables) == 0 {
		return release.NoRelease(fault.NotFound, dir, "neither a release nor a folder of instances is here")
	}
	name := filepath.Base(filepath.Clean(dir))
	rep, err := audit.Folder(cmd.Context(), name, tables, audit.Request{Results: results})
	if err != nil {
		return err
	}
	return f.tell(cmd, &page.Book{Report: rep})
}

// results reads the files of --scores, whose lines are of this release.
func (f *auditFlags) results(id string) (list []audit.Results, err error) {
	for _, name := range f.Scores {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fault.Opening(name, err)
		}
		lines, err := jsonl.Decode[schemas.Result](data, name, schemas.ResultSchema)
		if err != nil {
			return nil, fault.New(fault.KindOf(err), "%w", err).
				Hint("--scores takes what wikinav-eval score --items FILE writes")
		}
		for i, l := range lines {
			if l.ManifestID != id && l.ManifestID != "" {
				return nil, fault.New(fault.Mismatch, "the result is of release %s, not of %s", l.ManifestID, id).
					At(name, jsonl.Line(i+1)).Hint("score the run on this release")
			}
		}
		list = append(list, audit.Results{Name: filepath.Base(name), List: lines})
	}
	return list, nil
}

// tell writes the folder of --out, and prints the report.
func (f *auditFlags) tell(cmd *cobra.Command, b *page.Book) error {
	if f.Out != "" {
		if err := f.write(cmd.Context(), b); err != nil {
			return err
		}
	}
	err := cli.Print(cmd, b.Report, func(out io.Writer) error {
		if f.Out != "" {
			_, err := fmt.Fprintf(out, "%s: open %s\n", f.Out, filepath.Join(f.Out, page.HTMLFile))
			return err
		}
		return page.Of(b.Report, page.Plots{}).WriteMarkdown(out)
	})
	if n := len(b.Report.Warnings); err == nil && f.Strict && n > 0 {
		err = fault.New(fault.Failure, "the audit has %d warnings, the first is %s", n, b.Report.Warnings[0].Code).
			Hint("look into them, or leave out --strict-audit")
	}
	return err
}

func (f *auditFlags) write(ctx context.Context, b *page.Book) error {
	mayReplace := func(dir string) error {
		if _, err := os.Lstat(filepath.Join(dir, page.JSONFile)); err == nil {
			return nil
		}
		return fault.New(fault.Usage, "--out %s: the folder holds something that is no audit", fault.Quote(f.Out)).
			Hint("name a new folder")
	}
	return whole.MakeDir(f.Out, mayReplace, func(t *whole.Dir) error {
		put := func(name string, data []byte) error { return t.Root.WriteFile(name, data, 0o644) }
		if err := put(page.JSONFile, append(canon.MustMarshal(b.Report), '\n')); err != nil {
			return err
		}
		return b.Write(ctx, put)
	})
}

// graphAudit is the profile with what the receipt says of components.
type graphAudit struct {
	*audit.Profile
	Components int64   `json:"components"`
	Largest    []int64 `json:"largest_components"`
}

func (v *view) audit(cmd *cobra.Command, opts audit.Options, svg string) error {
	g, err := v.graph()
	if err != nil {
		return err
	}
	receipt, err := v.receipt("scc")
	if err != nil {
		return err
	}
	p, err := audit.Of(cmd.Context(), g, opts)
	if err != nil {
		return err
	}
	a := graphAudit{
		Profile:    p,
		Components: receipt.Counters["components"],
		Largest:    largest(receipt.Counters),
	}
	if svg != "" {
		of, err := v.subtitle()
		if err != nil {
			return err
		}
		if err := errors.Join(
			whole.WriteFile(svg, "out-degree.svg", audit.DegreeChart("Pages by the number of their links",
				"links", of, p.Out)),
			whole.WriteFile(svg, "in-degree.svg", audit.DegreeChart("Pages by the number of links to them",
				"links to a page", of, p.In)),
			whole.WriteFile(svg, "distance.svg", audit.DistanceChart(of, p.Distances)),
		); err != nil {
			return err
		}
	}
	return cli.Print(cmd, a, a.print)
}

// subtitle names the wiki and the recipe of the build.
func (v *view) subtitle() (string, error) {
	f, err := v.file(entryStage, "snapshot.json")
	if err != nil {
		return "", err
	}
	var s schemas.Snapshot
	if err := f.Decode(&s); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s, recipe %s", s.Wiki, dashed(s.Date), v.build.Recipe.Name), nil
}

// largest lists the sizes of the largest components, as far as the receipt has them.
func largest(counters map[string]int64) []int64 {
	list := []int64{}
	for i := 1; counters[fmt.Sprintf("component_%02d", i)] > 0; i++ {
		list = append(list, counters[fmt.Sprintf("component_%02d", i)])
	}
	return list
}

func (a graphAudit) print(out io.Writer) error {
	fmt.Fprintf(out, "%s nodes, %s edges, %s components before the choice, the largest %v\n",
		cli.Thousands(int64(a.Nodes)), cli.Thousands(int64(a.Edges)), cli.Thousands(a.Components), a.Largest)
	fmt.Fprintf(out, "%s of %s pages have fewer than 50 links\n\n",
		cli.Thousands(a.Under50.Num), cli.Thousands(a.Under50.Den))
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "degree\tmedian\tp90\tp99\tmax\tpage")
	degrees := func(name string, d audit.Degrees) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\n", name, d.Median, d.P90, d.P99, d.Max, d.MaxTitle)
	}
	degrees("out", a.Out)
	degrees("in", a.In)
	fmt.Fprintln(t, "\ndistance\tshare of pairs\tlow\thigh")
	share := func(name string, s audit.Interval) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", name, s.Value, s.Low, s.High)
	}
	for i, s := range a.Distances.Shares {
		share(fmt.Sprint(i+1), s)
	}
	share("unreached", a.Distances.Unreached)
	share("mean", a.Distances.Mean)
	if err := t.Flush(); err != nil {
		return err
	}
	kind := "every node was a source"
	if !a.Distances.Exact {
		kind = fmt.Sprintf("from a sample of %d sources", a.Distances.Sources)
	}
	_, err := fmt.Fprintf(out, "%s; %s\n", diameter(a.Distances), kind)
	return err
}

// diameter says how far pages can be from each other.
func diameter(d audit.Distances) string {
	if d.DiameterMax < 0 {
		return fmt.Sprintf("no diameter: not every page reaches every other; the largest distance seen is %d",
			d.DiameterMin)
	}
	return fmt.Sprintf("diameter at least %d, at most %d", d.DiameterMin, d.DiameterMax)
}
