package main

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/carry"
	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/fresh"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// rebuildFlags say what a release was built from.
type rebuildFlags struct {
	From    string `flag:"rebuild" usage:"build the release again from its dump or edge list, demo standing for the demo snapshot, and compare every file: level 4"`
	Work    string `flag:"work" usage:"folder for the work directory of --rebuild, which goes at the end; by default that of temporary files"`
	Workers int    `flag:"workers" usage:"parallel workers of --rebuild"`
	Carried string `flag:"carried" usage:"the older release that records are carried from: prove it, from level 2 on"`
	in      pipeline.Input

	m      *release.Manifest // of the release; this and the next ones are there after prepare
	recipe pipeline.Recipe
	src    pipeline.Source
}

// rebuildInputs are the flags of build that name other files than the dump.
var rebuildInputs = strings.Fields("index siteinfo sql nodes types ontology entity-types manual-labels " +
	"pairs fresh-since no-verify-input")

// rebuildDemo stands for the demo snapshot, which wikinav writes itself.
const rebuildDemo = "demo"

func newVerify() *cobra.Command {
	f := &rebuildFlags{Workers: runtime.GOMAXPROCS(0)}
	verb := &cli.Verify{
		Asked: func() bool { return f.From != "" }, Document: release.Document,
		Catalog: compareCatalog, Rebuild: f.rebuild,
	}
	verb.Prepare = f.prepare
	verb.Fresh = func() release.FreshProver {
		if f.in.FreshSince == "" {
			return nil
		}
		return fresh.Since(f.in.FreshSince)
	}
	verb.Carried = func() release.CarriedProver {
		if f.Carried == "" {
			return nil
		}
		return carry.Proof(f.Carried, max(1, f.Workers))
	}
	cmd := verb.Command("wikinav")
	cmd.Example += `
  wikinav verify ltg-2018 --fresh-since ltg-2017
  wikinav verify ltg-2018 --carried ltg-2017 --level 3
  wikinav verify demo-release --rebuild demo
  wikinav verify ltg-release --rebuild ltgwiki-20170901-pages-articles-multistream.xml.bz2 --types ltg-types.ttl.bz2`
	cli.Bind(cmd.Flags(), f)
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	cli.Bind(all, &f.in)
	for _, name := range rebuildInputs {
		cmd.Flags().AddFlag(all.Lookup(name))
	}
	since := cmd.Flags().Lookup("fresh-since")
	since.Usage = "the older release since which pairs are said to be fresh: prove it, from level 2 on"
	addSides(cmd.Flags(), &f.in)
	return cmd
}

// prepare compares the inputs with those of the manifest, by their digests, before anything is
// verified or built.
func (f *rebuildFlags) prepare(cmd *cobra.Command, dir string) error {
	r, err := release.Open(dir)
	if err != nil {
		return err
	}
	f.m = r.Manifest()
	if err := r.Close(); err != nil {
		return err
	}
	if err := f.place(f.m); err != nil {
		return err
	}
	if f.m.Carried != nil && f.Carried == "" {
		return fault.New(fault.Usage, "--rebuild: the release has records of release %s, which was not given",
			fault.Quote(f.m.Carried.ID)).Hint("name it with --carried")
	}
	if f.recipe, f.in, err = pipeline.Remake(f.m.Recipe, f.m.Params, f.in); err != nil {
		return err
	}
	if f.src, err = pipeline.Open(cmd.Context(), f.in); err != nil {
		return err
	}
	if err := compareInputs(f.m, f.src.Files()); err != nil {
		f.src.Close()
		return err
	}
	return nil
}

// rebuild is level 4: the build with the recipe of the manifest, then a release of it, file by
// file.
func (f *rebuildFlags) rebuild(cmd *cobra.Command, dir string, report *release.Report, progress *cli.Progress) error {
	defer f.src.Close()
	temp, err := os.MkdirTemp(f.Work, "wikinav-rebuild-")
	if err != nil {
		return fault.New(fault.Failure, "no folder for the second build: %w", err).Hint("name one with --work")
	}
	defer os.RemoveAll(temp)
	again := filepath.Join(temp, "release")
	if err := f.build(cmd, dir, temp, again, progress); err != nil {
		return err
	}
	if own := cli.Code(); own.VCSRevision != f.m.Generator.VCSRevision {
		report.Skip("generator: revision %q wrote the release, %q built it again", f.m.Generator.VCSRevision, own.VCSRevision)
	}
	return release.CompareRebuilt(cmd.Context(), report, dir, again, artifacts.All)
}

// place puts --rebuild where the kind of the release wants it.
func (f *rebuildFlags) place(m *release.Manifest) error {
	isDemo := m.Dump.Kind == release.DumpDemo
	switch {
	case isDemo != (f.From == rebuildDemo):
		return fault.New(fault.Usage, "--rebuild %s: the release is of kind %s", fault.Quote(f.From), m.Dump.Kind).
			Hint("--rebuild %s for a release of the demo snapshot, else its dump or edge list", rebuildDemo)
	case m.Dump.Kind == release.DumpEdges:
		f.in.Edges = f.From
	case !isDemo:
		f.in.Dump = f.From
	}
	return nil
}

// givenFile is a file that a release was built from, whatever its name. Those that list pairs are
// told apart by their splits.
type givenFile struct{ split, sha256 string }

func givenAs(role, sha256 string) givenFile {
	split, isList := strings.CutPrefix(role, schemas.RolePairs)
	if !isList {
		split = ""
	}
	return givenFile{split, sha256}
}

// compareInputs holds the files that were given to those of the manifest, before anything is built
// from them.
func compareInputs(m *release.Manifest, have []schemas.SourceFile) error {
	want := map[givenFile]string{} // names
	if m.Dump.Kind != release.DumpDemo {
		for _, f := range m.Dump.Files {
			want[givenAs("", f.SHA256)] = f.Name
		}
	}
	for _, s := range m.SideInputs {
		want[givenAs(s.Role, s.SHA256)] = s.Name
	}
	given := map[givenFile]bool{}
	for _, f := range have {
		file := givenAs(f.Role, f.SHA256)
		if given[file] = true; want[file] == "" {
			as := ""
			if file.split != "" {
				as = " as the pairs of split " + file.split
			}
			return fault.New(fault.Mismatch, "has SHA-256 %s, which is no input of the release%s", f.SHA256, as).
				At(f.Name, "").Hint("ATTRIBUTION.md of the release lists its inputs")
		}
	}
	files := slices.SortedFunc(maps.Keys(want), func(a, b givenFile) int {
		return cmp.Or(strings.Compare(a.sha256, b.sha256), strings.Compare(a.split, b.split))
	})
	for _, file := range files {
		if !given[file] {
			return notGiven(want[file], file)
		}
	}
	return nil
}

func notGiven(name string, f givenFile) error {
	e := fault.New(fault.Usage, "the release was built from %s (SHA-256 %s), which was not given",
		fault.Quote(name), f.sha256)
	if f.split != "" {
		return e.Hint("name it with --pairs %s=FILE", f.split)
	}
	return e.Hint("name it with --types, --ontology, --sql, --index, --fresh-since or as wikinav build does")
}

// build builds in temp and releases to out, as the release old says that it was done.
func (f *rebuildFlags) build(cmd *cobra.Command, old, temp, out string, progress *cli.Progress) error {
	m := f.m
	dir, err := store.Create(filepath.Join(temp, "work"), store.OS{})
	if err != nil {
		return err
	}
	p, err := pipeline.New(dir, f.recipe, f.src, pipeline.Options{Workers: max(1, f.Workers), Code: cli.Code(), Reporter: &reporter{Progress: progress, stop: func() {}}})
	if err != nil {
		return err
	}
	defer p.Close()
	res, err := p.Build(cmd.Context())
	if err != nil {
		return err
	}
	v := &view{dir: dir, build: &res.Build}
	defer v.Close()
	in, err := v.releaseInput()
	if err != nil {
		return err
	}
	defer in.Root.Close()
	takeOver(&in, m)
	corrections, err := release.Corrections(old)
	if err != nil {
		return err
	}
	opts := m.How()
	opts.AllowShort, opts.Errata = true, corrections
	if m.Carried != nil {
		older, err := release.Open(f.Carried)
		if err != nil {
			return err
		}
		defer older.Close()
		opts.Carry = carryFrom(older, nil)
		opts.Carry.Redraw = m.Redrawn(older.Manifest(), artifacts.All)
	}
	_, err = release.Write(cmd.Context(), out, in, opts)
	return err
}

// takeOver copies what only those who released know: the program, the licence, how files of the
// dump were called and checked, and which release it supersedes.
func takeOver(in *release.Input, m *release.Manifest) {
	in.Generator, in.Supersedes = m.Generator, m.Supersedes
	for _, part := range m.Licence.Parts {
		if part.Glob == "graph/*" {
			in.Licence = in.DataLicence(m.Licence.SPDX, part.Attribution)
		}
	}
	for i, have := range in.Dump.Files {
		for _, f := range m.Dump.Files {
			if f.SHA256 == have.SHA256 {
				in.Dump.Files[i] = f
			}
		}
	}
	for i, have := range in.SideInputs {
		for _, s := range m.SideInputs {
			if s.SHA256 == have.SHA256 {
				in.SideInputs[i].Name = cmp.Or(s.Name, have.Name)
			}
		}
	}
}

const (
	catalogFile = "catalog.sqlite"
	nodesFile   = "graph/nodes.parquet"
)

// compareCatalog compares the rows of a release's catalogue with those of its other files.
func compareCatalog(cmd *cobra.Command, dir string, report *release.Report) error {
	r, err := release.Open(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	if _, ok := r.Manifest().File(catalogFile); !ok {
		return nil
	}
	pages, err := pagesOf(dir, r.Manifest())
	if err != nil {
		return err
	}
	tables, err := tablesOf(r)
	if err != nil {
		return err
	}
	tables = append([]flat.Rows{pages}, tables...)
	err = catalog.Compare(cmd.Context(), filepath.Join(dir, catalogFile), tables, func(where string, want, got any) {
		report.Add("rows as in the other files", catalogFile, where, want, got)
	})
	if err != nil && cmd.Context().Err() == nil {
		report.Add("catalogue", catalogFile, "", "valid", err)
		err = nil
	}
	report.Cover("%s: every row of %d tables", catalogFile, len(tables))
	return err
}

// pagesOf returns the rows of the table of pages, which are those of the table of nodes.
func pagesOf(dir string, m *release.Manifest) (flat.Rows, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return flat.Rows{}, err
	}
	defer root.Close()
	f, _ := m.File(nodesFile)
	t, err := arrowio.ReadParquet(root, nodesFile, schemas.ReleaseNodesTable, digest.Digest{Bytes: f.Bytes, SHA256: f.SHA256, XXH64: f.XXH64})
	rows := catalog.PageRows
	rows.Each = func(visit func([]any) error) error {
		col := schemas.ReleaseNodesTable.Index
		for b := range t.Batches() {
			for i := range t.BatchRows(b) {
				number := func(name string) int64 { return int64(t.Uint32s(b, col(name))[i]) }
				err := visit([]any{
					number("node"), number("page_id"), t.Strings(b, col("title")).At(i), int64(t.Uint16s(b, col("flags"))[i]), number("in_degree"), number("out_degree"),
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
	return rows, err
}
