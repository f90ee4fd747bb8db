package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/constrained"
	"github.com/wikinav/wikinav/stages/targets"
	"github.com/wikinav/wikinav/stages/wikirace"
)

// defaultWork is where a build goes when nobody says otherwise.
const defaultWork = "wikinav-work"

// workFlags say which build of which work directory.
type workFlags struct{ work, build string }

func (f *workFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.work, "work", defaultWork, "work directory")
	cmd.Flags().StringVar(&f.build, "build", store.DefaultBuild, "name of the build")
}

// recipeFlags say what to make.
type recipeFlags struct {
	recipe     string
	seed       int64
	splits     []string
	linkSource string
	linkParts  []string
	anchors    string
	targets    string
	maxStore   string
	overlap    string
	rw         string
	ban        string
	noPolicy   bool
	noInfobox  bool
	union      bool
}

func (f *recipeFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.recipe, "recipe", pipeline.DefaultRecipe, "recipe: a preset ("+strings.Join(pipeline.Presets(), ", ")+") or a TOML file")
	flags.Int64Var(&f.seed, "seed", 42, "root seed of the samplers")
	flags.StringArrayVar(&f.splits, "split", nil, "a split of your own as NAME:SIZE:D,D in place of the recipe's; repeatable")
	flags.StringVar(&f.linkSource, "link-source", "", "where links come from: wikitext, or pagelinks, the table of --sql; the recipe's by default")
	flags.StringSliceVar(&f.linkParts, "link-parts", nil, "where links count: "+strings.Join(schemas.ProvenanceNames, ","))
	flags.StringVar(&f.anchors, "anchors", "", "the text of links: on, off, or auto, which is on for a wiki below a million pages; auto by default")
	flags.StringVar(&f.targets, "targets", "", "target set: all, random:N, a file with a title or page id a line, or a release directory")
	flags.StringVar(&f.overlap, "overlap", "", "what the one-step set may share with splits and probe: none (no pair, reversed pair or target) or allow, which marks it contaminated")
	flags.StringVar(&f.rw, "rw", "", "chances of random walks: exact, or sim to estimate them by 100,000 walks where even that is too long; published splits need exact")
	flags.StringVar(&f.ban, "constrained-preset", "", "values of the constrained set: "+strings.Join(constrained.Presets, ", ")+"; in place of the recipe's values, which are those of paper, and of small for the demo snapshot")
	flags.BoolVar(&f.noPolicy, "no-policy-labels", false, "only labels that follow from DBpedia's ontology, without our additions for classes that it leaves out")
	flags.BoolVar(&f.noInfobox, "no-infobox-labels", false, "no labels from infoboxes for pages that DBpedia says nothing about")
	flags.BoolVar(&f.union, "union-labels", false, "labels of all sources together, in place of those of the best source of a page")
	flags.StringVar(&f.maxStore, "max-store", "", "space that distance columns may take, for example 8GiB")
}

// load reads the recipe and lays the flags that were given over it.
func (f *recipeFlags) load(cmd *cobra.Command) (pipeline.Recipe, error) {
	r, err := pipeline.LoadRecipe(f.recipe)
	if err != nil {
		return r, err
	}
	if f.ban != "" {
		if r.Constrained, err = f.preset(cmd, f.ban); err != nil {
			return r, err
		}
	}
	if cmd.Flags().Changed("seed") {
		r.Wikirace.Seed, r.Probe.Seed, r.OneStep.Seed, r.Mango.Seed = f.seed, f.seed, f.seed, f.seed
		r.Lumina.Seed, r.Constrained.Seed = f.seed, f.seed
	}
	if f.anchors != "" {
		r.Ingest.Anchors = f.anchors
	}
	if f.noPolicy {
		r.Labels.Policy = false
	}
	if f.noInfobox {
		r.Labels.Infobox = false
	}
	if f.union {
		r.Labels.Union = true
	}
	if f.overlap != "" {
		r.OneStep.Overlap = f.overlap
	}
	if f.rw != "" {
		r.Wikirace.RW = f.rw
	}
	if f.linkSource != "" {
		if err := f.takeLinkSource(&r.Graph); err != nil {
			return r, err
		}
	}
	if cmd.Flags().Changed("link-parts") {
		r.Graph.LinkParts = f.linkParts
	}
	if len(f.splits) > 0 {
		if r.Wikirace.Splits, err = parseSplits(f.splits); err != nil {
			return r, err
		}
	}
	if err := f.loadTargets(&r.Targets); err != nil {
		return r, err
	}
	return r, r.Validate()
}

// takeLinkSource lays --link-source over the recipe. A recipe whose links come from elsewhere has another name.
func (f *recipeFlags) takeLinkSource(g *schemas.Recipe) error {
	switch f.linkSource {
	case schemas.SourceWikitext, schemas.SourcePagelinks:
	default:
		return fault.New(fault.Usage, "--link-source %s: want %s or %s", fault.Quote(f.linkSource), schemas.SourceWikitext, schemas.SourcePagelinks)
	}
	if g.LinkSource != f.linkSource {
		g.Name += "+" + f.linkSource
	}
	g.LinkSource = f.linkSource
	return nil
}

// preset gives the values of a constrained preset, under the seed that was asked for.
func (f *recipeFlags) preset(cmd *cobra.Command, name string) (constrained.Params, error) {
	p, err := constrained.Preset(name)
	if cmd.Flags().Changed("seed") {
		p.Seed = f.seed
	}
	return p, err
}

func (f *recipeFlags) loadTargets(p *targets.Params) error {
	if f.maxStore != "" {
		size, err := parseSize(f.maxStore)
		if err != nil {
			return err
		}
		p.MaxStore = size
	}
	count, isRandom := strings.CutPrefix(f.targets, "random:")
	switch {
	case f.targets == "":
	case f.targets == "all":
		p.Mode = targets.ModeAll
	case isRandom:
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return fault.New(fault.Usage, "--targets %s: want random:N", fault.Quote(f.targets))
		}
		p.Mode, p.RandomN = targets.ModeRandom, n
	default:
		return f.loadNamed(p)
	}
	return nil
}

// loadNamed takes the lines of a file, or the targets of a release.
func (f *recipeFlags) loadNamed(p *targets.Params) error {
	if info, err := os.Stat(f.targets); err == nil && info.IsDir() {
		return f.loadRelease(p)
	}
	data, err := os.ReadFile(f.targets)
	if err != nil {
		return fault.New(fault.NotFound, "--targets: %w", err).At(f.targets, "").Hint("want all, random:N or a file")
	}
	text := strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	p.Named = strings.Split(text, "\n")
	return nil
}

func (f *recipeFlags) loadRelease(p *targets.Params) error {
	r, err := release.Open(f.targets)
	if err != nil {
		return err
	}
	defer r.Close()
	set, err := r.Distances()
	if err != nil {
		return err
	}
	for _, c := range set.Columns() {
		p.Release = append(p.Release, c.PageID)
	}
	return nil
}

// parseSplits reads NAME:SIZE:D,D.
func parseSplits(texts []string) ([]wikirace.Split, error) {
	var out []wikirace.Split
	for _, text := range texts {
		parts := strings.Split(text, ":")
		if len(parts) != 3 {
			return nil, fault.New(fault.Usage, "--split %s: want NAME:SIZE:D,D", fault.Quote(text))
		}
		s := wikirace.Split{Name: parts[0]}
		var err error
		if s.Size, err = strconv.Atoi(parts[1]); err != nil {
			return nil, fault.New(fault.Usage, "--split %s: the size is no number", fault.Quote(text))
		}
		for _, d := range strings.Split(parts[2], ",") {
			n, err := strconv.Atoi(d)
			if err != nil {
				return nil, fault.New(fault.Usage, "--split %s: a distance is no number", fault.Quote(text))
			}
			s.Distances = append(s.Distances, n)
		}
		out = append(out, s)
	}
	return out, nil
}

// parseSize reads bytes with an optional unit, binary (KiB) or decimal (KB).
func parseSize(text string) (int64, error) {
	number := strings.TrimRight(text, "KMGTiB")
	unit, ok := sizeUnits[text[len(number):]]
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || !ok || n < 0 || n > (1<<62)/unit {
		return 0, fault.New(fault.Usage, "%s is no size; write for example 8GiB", fault.Quote(text))
	}
	return n * unit, nil
}

var sizeUnits = map[string]int64{
	"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
}

// dumpFlags say what to read.
type dumpFlags struct {
	files      pipeline.DumpFiles
	edges      pipeline.EdgeFiles
	types      pipeline.TypeFiles
	verifyText string
	tolerate   int
	noVerify   bool
	hatnotes   bool
	reader     string
}

func (f *dumpFlags) add(cmd *cobra.Command, dump bool) {
	flags := cmd.Flags()
	if dump {
		flags.StringVar(&f.files.Dump, "dump", "", "dump: XML, plain or packed with bzip2, gzip or zstd; a folder of shards; - for standard input; without one, the demo snapshot")
		flags.StringArrayVar(&f.files.SQL, "sql", nil, "SQL table of the same wiki: page_props, for disambiguation pages; pagelinks and linktarget, for --link-source pagelinks; page and redirect, to compare the dump with; repeatable")
		flags.StringVar(&f.edges.Edges, "edges", "", "any graph in the place of a dump: source TAB target on each line")
		flags.StringVar(&f.edges.Nodes, "nodes", "", "the nodes of --edges, one name on each line; their order numbers the pages")
		flags.StringVar(&f.edges.Language, "language", "", "language of the names of --edges, for list and date pages; en by default")
	}
	if dump {
		f.addTypes(cmd)
		flags.BoolVar(&f.files.Mixed, "mixed-inputs", false, "accept tables and types whose names tell another wiki, day or language than the dump's")
	}
	flags.StringVar(&f.files.Index, "index", "", "multistream index; looked for beside the dump, none reads without")
	flags.StringVar(&f.files.SiteInfo, "siteinfo", "", "siteinfo for a dump that has none")
	flags.StringVar(&f.files.Wiki, "wiki", "", "wiki of the snapshot, for example enwiki; read off the dump's name or text")
	flags.StringVar(&f.files.Date, "date", "", "date of the snapshot as YYYYMMDD")
	flags.StringVar(&f.verifyText, "verify-text", "count", "wrong text checksums: count (up to 0.1 %), strict or off")
	flags.IntVar(&f.tolerate, "tolerate", 0, "malformed pages that may be skipped")
	flags.BoolVar(&f.hatnotes, "hatnotes", false, "the arguments of main, see also and further are links, too")
	flags.StringVar(&f.reader, "reader", mediawiki.ReaderNative, "how pages are read: native, or wikiparse as a second opinion")
	flags.BoolVar(&f.noVerify, "no-verify-input", false, "do not compare the dump with the checksums beside it")
	flags.BoolVar(&f.files.AllowLatest, "allow-latest", false, "accept a dump called latest")
}

func (f *dumpFlags) addTypes(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.types.Types, "types", nil, "what pages are about: instance types of DBpedia (specific, never transitive), one triple on a line; repeatable")
	flags.StringVar(&f.types.Ontology, "ontology", "", "DBpedia's ontology of these types, RDF/XML or N-Triples; without one our table of June 2024 decides alone")
	flags.StringVar(&f.types.EntityTypes, "entity-types", "", "types for a wiki that DBpedia does not know: title TAB class on each line")
	flags.StringVar(&f.types.Manual, "manual-labels", "", "labels by hand, which win over all: page id TAB label on each line")
}

// demo tells whether no input is named, which stands for the demo snapshot.
func (f *dumpFlags) demo() bool { return f.files.Dump == "" && f.edges.Edges == "" }

func (f *dumpFlags) check() error {
	switch f.verifyText {
	case "count", "strict", "off":
	default:
		return fault.New(fault.Usage, "--verify-text %s: want count, strict or off", fault.Quote(f.verifyText))
	}
	switch f.reader {
	case mediawiki.ReaderNative, mediawiki.ReaderWikiparse:
	default:
		return fault.New(fault.Usage, "--reader %s: want native or wikiparse", fault.Quote(f.reader))
	}
	if f.files.Date != "" && (len(f.files.Date) != 8 || strings.Trim(f.files.Date, "0123456789") != "") {
		return fault.New(fault.Usage, "--date %s: want YYYYMMDD", fault.Quote(f.files.Date))
	}
	if f.tolerate < 0 {
		return fault.New(fault.Usage, "--tolerate %d: want a number from 0 on", f.tolerate)
	}
	f.files.Trust = f.noVerify
	return f.checkEdges()
}

func (f *dumpFlags) checkEdges() error {
	switch e := f.edges; {
	case e.Edges == "" && (e.Nodes != "" || e.Language != ""):
		return fault.New(fault.Usage, "--nodes and --language need --edges")
	case e.Edges != "" && (f.files.Dump != "" || f.files.Index != "" || f.files.SiteInfo != ""):
		return fault.New(fault.Usage, "--edges takes the place of a dump: give one of the two")
	case f.files.Dump == "" && len(f.files.SQL) > 0:
		return fault.New(fault.Usage, "--sql needs a --dump")
	case e.Edges == "" && f.files.Dump == "" && (f.files.Index != "" || f.files.SiteInfo != ""):
		return fault.New(fault.Usage, "--index and --siteinfo need a --dump")
	}
	return nil
}

// open opens what the flags name: an edge list, a dump, or nothing, which is the demo.
func (f *dumpFlags) open(ctx context.Context) (pipeline.Source, error) {
	src, err := f.openPages(ctx)
	if err != nil {
		return src, err
	}
	f.types.Mixed = f.files.Mixed
	if err := src.AddTypes(ctx, f.types); err != nil {
		src.Close()
		return pipeline.Source{}, err
	}
	return src, nil
}

func (f *dumpFlags) openPages(ctx context.Context) (pipeline.Source, error) {
	if f.edges.Edges != "" {
		f.edges.Wiki, f.edges.Date = f.files.Wiki, f.files.Date
		return pipeline.OpenEdges(ctx, f.edges)
	}
	src, err := pipeline.OpenSource(ctx, f.files)
	src.VerifyText, src.Tolerate, src.Hatnotes, src.Reader = f.verifyText, f.tolerate, f.hatnotes, f.reader
	return src, err
}

// runFlags say how to work; nothing that comes out depends on them.
type runFlags struct {
	workers  int
	memory   string
	progress string
	fast     bool
}

func (f *runFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "parallel workers")
	flags.StringVar(&f.progress, "progress", "auto", "progress on standard error: auto, plain, json or none")
}

func (f *runFlags) check() error {
	if f.workers < 1 {
		return fault.New(fault.Usage, "--workers %d: want a number from 1 on", f.workers)
	}
	return checkProgress(f.progress)
}

// code says which program this is. A build without version control data says so by an empty revision.
func code() schemas.Code {
	c := schemas.Code{Module: "github.com/wikinav/wikinav", Version: "devel", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return c
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		c.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			c.VCSRevision = s.Value
		case "vcs.modified":
			c.Dirty = s.Value == "true"
		}
	}
	return c
}

// isTerminal tells whether w is a screen.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// thousands writes a number for people.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
