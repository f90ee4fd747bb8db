package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

const (
	formatJSONL  = "jsonl"
	formatTSV    = "tsv"
	formatMatrix = "matrix"
)

func newInspect() *cobra.Command {
	var f workFlags
	var format string
	var limit int
	cmd := &cobra.Command{
		Use:   "inspect ARTIFACT",
		Short: "Print the records of an artifact as text",
		Long: `inspect prints one record a line. Artifacts: ` + strings.Join(artifactNames(), ", ") + `.
graph can also be printed as source TAB target (--format tsv), distances as a matrix of
one character per node (--format matrix: 0-9a-z, _ unreached, + above 35).`,
		Example: `  wikinav inspect targets --limit 3
  wikinav inspect graph --format tsv --work ltg > edges.tsv
  wikinav inspect distances --format matrix --work ltg | head -3`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return fault.New(fault.Usage, "--limit %d: want a number from 0 on", limit)
			}
			write, err := showing(args[0], format)
			if err != nil {
				return err
			}
			return f.look(func(v *view) error {
				out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<20)
				v.notes = cmd.ErrOrStderr()
				v.out = &limited{w: out, left: limit, all: !cmd.Flags().Changed("limit")}
				if err := write(cmd.Context(), v); err != nil {
					return err
				}
				return out.Flush()
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&format, "format", formatJSONL, "jsonl, tsv (graph) or matrix (distances)")
	cmd.Flags().IntVar(&limit, "limit", 0, "print at most so many records; all by default")
	return cmd
}

// limited passes on the first lines of records; full tells when more would be in vain.
type limited struct {
	w    io.Writer
	left int
	all  bool
}

func (l *limited) full() bool { return !l.all && l.left == 0 }

// record writes one line unless the limit is reached.
func (l *limited) record(line []byte) error {
	if l.full() {
		return nil
	}
	l.left--
	_, err := l.w.Write(line)
	return err
}

// look opens the build that the flags name, shared with other readers, and lets do look at it.
func (f *workFlags) look(do func(*view) error) error {
	dir, unlock, err := openShared(f.work)
	if err != nil {
		return err
	}
	defer unlock()
	b, err := dir.Build(f.build)
	if err != nil {
		return err
	}
	v := &view{dir: dir, build: b}
	defer v.Close()
	return do(v)
}

type view struct {
	dir   *store.Dir
	build *schemas.Build
	out   *limited
	notes io.Writer // for people
	open  []io.Closer
}

func (v *view) Close() {
	for _, c := range v.open {
		c.Close()
	}
}

// kept closes c with the view.
func kept[C io.Closer](v *view, c C, err error) (C, error) {
	if err == nil {
		v.open = append(v.open, c)
	}
	return c, err
}

// entryStage stands for the stage that wrote pages and links: ingest, or edgelist.
const entryStage = "ingest"

// receipt finds what a stage of the build left.
func (v *view) receipt(stage string) (*schemas.Receipt, error) {
	if stage == entryStage {
		stage = pipeline.Entry(v.build.Stages)
	}
	key := v.build.Stages[stage]
	if key == "" {
		return nil, fault.New(fault.NotFound, "the build has no stage %s", stage).Hint("run wikinav build")
	}
	r, err := v.dir.Result(stage, key).Receipt()
	switch {
	case errors.Is(err, fault.Mismatch):
		return nil, fault.New(fault.Mismatch, "%w", err).At(v.relative(stage)+"/receipt.json", "").Hint("run wikinav build: it makes the result again")
	case err != nil:
		return nil, fault.New(fault.NotFound, "the result of %s is not there: %w", stage, err).Hint("run wikinav build")
	}
	return r, nil
}

// root opens the folder of a result, until the view is closed.
func (v *view) root(r *schemas.Receipt) (*os.Root, error) {
	root, err := v.dir.Result(r.Stage, r.Key).Root()
	return kept(v, root, err)
}

// file opens one output of a stage, with the digest of its receipt.
func (v *view) file(stage, name string) (stages.File, error) {
	r, err := v.receipt(stage)
	if err != nil {
		return stages.File{}, err
	}
	at := slices.IndexFunc(r.Outputs, func(out schemas.ReceiptOutput) bool { return out.Path == name })
	if at < 0 {
		return stages.File{}, fault.New(fault.NotFound, "stage %s wrote no %s", r.Stage, name)
	}
	root, err := v.root(r)
	return stages.File{Name: name, Root: root, Digest: store.DigestOf(r.Outputs[at])}, err
}

// showing returns what prints an artifact in a format.
func showing(artifact, format string) (func(context.Context, *view) error, error) {
	all := shownArtifacts()
	at := slices.IndexFunc(all, func(s shown) bool { return s.name == artifact })
	if at < 0 {
		return nil, fault.New(fault.Usage, "no artifact %s", fault.Quote(artifact)).
			Choose(artifact, artifactNames())
	}
	write := all[at].forms[format]
	if write == nil {
		return nil, fault.New(fault.Usage, "%s cannot be printed as %s", artifact, fault.Quote(format)).
			Choose(format, slices.Sorted(maps.Keys(all[at].forms)))
	}
	return write, nil
}

// forms says how an artifact is printed, by format.
type forms map[string]func(context.Context, *view) error

// shown is an artifact that inspect prints.
type shown struct {
	name  string
	forms forms
}

// shownArtifacts lists what inspect prints, in the order of the pipeline. It is a function because
// what it lists refers to views.
func shownArtifacts() []shown {
	all := []shown{
		{"snapshot", lines(entryStage, "snapshot.json")},
		{"pages", table(entryStage, "pages.arrow", schemas.PagesTable)},
		{"redirects", table(entryStage, "redirects.arrow", schemas.RedirectsTable)},
		{"links", forms{formatJSONL: showLinks}},
		{"pagelinks", table("pagelinks", schemas.PageLinksFile, schemas.LinksTable)},
		{"crosscheck", lines("crosscheck", schemas.CrosscheckFile)},
		{"link-anchors", table(entryStage, "link-anchors.arrow", schemas.LinkAnchorsTable)},
		{"leads", table(entryStage, "leads.arrow", schemas.LeadsTable)},
		{"facts", table(entryStage, "facts.arrow", schemas.FactsTable)},
		{"infoboxes", table(entryStage, "infoboxes.arrow", schemas.InfoboxesTable)},
		{"texts", table(entryStage, "texts.arrow", schemas.TextsTable)},
		{"linkgraph", table("linkgraph", "linkgraph.arrow", schemas.LinkGraphTable)},
		{"aliases", table("linkgraph", "aliases.arrow", schemas.AliasesTable)},
		{"anchors", table("linkgraph", "anchors.arrow", schemas.AnchorsTable)},
		{"further-anchors", table("linkgraph", "further-anchors.arrow", schemas.FurtherAnchorsTable)},
		{"graph", with(table("scc", "graph.arrow", schemas.GraphTable), formatTSV, showEdges)},
		{"nodes", table("scc", "nodes.arrow", schemas.NodesTable)},
		{"labels", table("labels", "labels.arrow", schemas.LabelsTable)},
		{"listed", forms{formatJSONL: showListed}},
		{"targets", rows("targets", "targets.arrow", schemas.TargetsTable, reasonLine)},
		{
			"distances",
			with(rows("distances", distances.Sidecar, schemas.ColumnsTable, reasonLine), formatMatrix, showMatrix),
		},
	}
	for _, p := range artifacts.All {
		name := p.Source().Name
		if !slices.ContainsFunc(all, func(s shown) bool { return s.name == name }) {
			all = append(all, shown{name, forms{formatJSONL: func(_ context.Context, v *view) error { return v.showPart(p) }}})
		}
	}
	return all
}

// showPart prints the records of a part of a release, set by set.
func (v *view) showPart(p release.Part) error {
	files, err := v.partFiles(p)
	if err != nil {
		return err
	}
	sets, err := files.Sets()
	if err != nil {
		return err
	}
	for _, set := range sets {
		data, err := files.Read(set + ".jsonl")
		if err != nil {
			return err
		}
		if err := v.printLines(data); err != nil {
			return err
		}
	}
	return nil
}

// showListed prints the rows of the files that list pairs, split by split.
func showListed(_ context.Context, v *view) error {
	r, err := v.receipt(schemas.Listed.Name)
	if err != nil {
		return err
	}
	for _, out := range r.Outputs {
		f, err := v.file(r.Stage, out.Path)
		if err != nil {
			return err
		}
		data, err := f.Read()
		if err == nil {
			err = v.printLines(data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func artifactNames() []string {
	var names []string
	for _, s := range shownArtifacts() {
		names = append(names, s.name)
	}
	return names
}

func with(f forms, format string, write func(context.Context, *view) error) forms {
	f[format] = write
	return f
}
