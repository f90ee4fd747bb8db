package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/crosscheck"
	"github.com/wikinav/wikinav/stages/ingest"
)

// buildFlags are the flags of build, and of plan, which tells what build would do.
type buildFlags struct {
	workFlags
	recipeFlags
	dumpFlags
	Only string `flag:"only" usage:"one stage, and those that it needs"`
	Fast bool   `flag:"fast" usage:"trust xxhash64 instead of SHA-256 for results that are there"`
	job  jobFlags
}

type jobFlags struct {
	runFlags
	Shard       string `flag:"shard" usage:"compute the i-th of n shares of the shards of --only, as i/n, and nothing else"`
	Check       bool   `flag:"check" usage:"recompute the build in a temporary directory and compare; changes nothing"`
	StrictAudit bool   `flag:"strict-audit" usage:"fail when a stage raised a warning"`
	Memory      string `flag:"memory" usage:"memory that a stage may need, for example 8GiB; no bound by default"`
	bytes       int64  // of Memory; 0 for no bound
}

func (f *jobFlags) check() (err error) {
	if f.Memory != "" {
		if f.bytes, err = pipeline.ParseBytes(f.Memory); err != nil {
			return fault.New(fault.Usage, "--memory: %w", err)
		}
	}
	return f.runFlags.check()
}

func newBuild() *cobra.Command {
	f := &buildFlags{}
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build a snapshot: every stage that is not there yet",
		Long: `build runs the stages from the dump to the instances. What is there already is kept: a second
build does nothing, another seed draws new instances only, and after an interruption the
same command goes on where it stopped.`,
		Example: `  wikinav build                                                # the demo snapshot
  wikinav build --dump ltgwiki-20170901-pages-articles-multistream.xml.bz2 --work ltg
  wikinav build --work ltg --dump ltgwiki-... --seed 7         # other instances, same distances
  wikinav build --link-source pagelinks                        # the demo's links, from its SQL tables
  wikinav build --dump aawiki-...xml.bz2 --sql aawiki-...-pagelinks.sql.gz \
      --sql aawiki-...-linktarget.sql.gz --link-source pagelinks
  wikinav build --work ltg --dump ltgwiki-... --check          # recompute and compare
  wikinav build --pairs daily=daily.tsv                        # and a split of the pairs that a file lists
  wikinav build --work ltg18 --dump ltgwiki-20180901-... \
      --fresh-since releases/ltgwiki-20170901-strict-v1.0.0    # pairs that the older release cannot answer`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.bind(cmd)
	f.job.Workers = runtime.GOMAXPROCS(0)
	cli.Bind(cmd.Flags(), &f.job)
	return cmd
}

func (f *buildFlags) bind(cmd *cobra.Command) {
	f.Seed = 42
	f.workFlags.add(cmd)
	cli.Bind(cmd.Flags(), f)
	f.recipeFlags.add(cmd)
	cli.Bind(cmd.Flags(), &f.in)
	addSides(cmd.Flags(), &f.in)
	cli.AddJSON(cmd.Flags())
}

func (f *buildFlags) run(cmd *cobra.Command) error {
	if err := f.job.check(); err != nil {
		return err
	}
	r, err := f.load(cmd)
	if err != nil {
		return err
	}
	if err := f.precheck(); err != nil {
		return err
	}
	if f.job.Shard != "" {
		return f.computeShare(cmd, r)
	}
	dir, err := store.Create(f.work, store.OS{})
	if err != nil {
		return err
	}
	lock, err := dir.Lock()
	if err != nil {
		return err
	}
	defer lock.Release()
	f.in.Spool = f.work
	if f.job.Check {
		return f.with(cmd, dir, r, nil, func(p *pipeline.Pipeline) error { return f.compare(cmd, p) })
	}
	log, err := openRunLog(dir, f.workFlags.build, f.job.Workers)
	if err != nil {
		return err
	}
	defer log.Close()
	_ = lock.NameLog(log.name) // for status; nothing else depends on it
	err = f.with(cmd, dir, r, log.write, func(p *pipeline.Pipeline) error { return f.build(cmd, dir, p) })
	log.end(err)
	return err
}

// with opens what the flags name, says which of it is not read, and lets do work on the pipeline
// over the rest.
func (f *buildFlags) with(cmd *cobra.Command, dir *store.Dir, r pipeline.Recipe, log func(any), do func(*pipeline.Pipeline) error) error {
	f.in.Stdin = cmd.InOrStdin()
	src, err := pipeline.Open(cmd.Context(), f.in)
	for _, line := range src.Ignored {
		fmt.Fprintln(cmd.ErrOrStderr(), "ignored:", line)
	}
	if err != nil {
		return err
	}
	defer src.Close()
	told := newReporter(cmd, f.job.Progress, log)
	defer func() { told.stop() }()
	opts := pipeline.Options{
		Build: f.workFlags.build, Only: f.Only, Workers: f.job.Workers, Memory: f.job.bytes, Fast: f.Fast, Code: cli.Code(), Log: log,
		Reporter: told,
	}
	p, err := pipeline.New(dir, r, src, opts)
	if err != nil {
		return err
	}
	defer p.Close()
	return do(p)
}

// precheck finds what makes a build impossible before anything is made for it.
func (f *buildFlags) precheck() error {
	named := []string{
		f.in.Dump, f.in.SiteInfo, f.in.Edges, f.in.Nodes, f.in.Ontology, f.in.EntityTypes, f.in.Manual, f.in.FreshSince,
	}
	for _, path := range f.in.Sides { // in any order: the first that is missing is named
		named = append(named, *path)
	}
	lists, err := f.in.PairLists()
	if err != nil {
		return err
	}
	for _, l := range lists {
		named = append(named, l.Path)
	}
	for _, path := range append(named, f.in.Types...) {
		if path == "" || path == "-" {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			return fault.Opening(path, err)
		}
	}
	return nil
}

// load checks the flags and reads the recipe; where links come from depends on what there is.
func (f *buildFlags) load(cmd *cobra.Command) (pipeline.Recipe, error) {
	if err := f.dumpFlags.check(); err != nil {
		return pipeline.Recipe{}, err
	}
	r, err := f.recipeFlags.load(cmd, f.in)
	if err != nil {
		return r, err
	}
	if r, err = r.Settled(cmd.Context(), f.in); err != nil {
		return r, err
	}
	f.in.LinkSource = r.Graph.LinkSource
	if f.LinkSource != "" && f.in.Edges != "" {
		return r, fault.New(fault.Usage, "--link-source chooses between the sources of a dump: not with --edges")
	}
	if f.in.Hatnotes && r.Graph.LinkSource == schemas.SourcePagelinks {
		return r, fault.New(fault.Usage, "--hatnotes adds links to those of the wikitext; pagelinks has them already")
	}
	return r, nil
}

func (f *buildFlags) build(cmd *cobra.Command, dir *store.Dir, p *pipeline.Pipeline) error {
	start := time.Now()
	res, err := p.Build(cmd.Context())
	if err != nil {
		return err
	}
	if err := printSummary(cmd, dir, res, time.Since(start)); err != nil {
		return err
	}
	tellDoubts(cmd.ErrOrStderr(), res)
	return f.auditWarnings(res)
}

// doubts say of the warnings about the input what they mean and what to do.
var doubts = map[string]string{
	files.CodeNoIndex:      "the dump has several streams and was read without its index: a stream that is missing is not noticed; put the dump's -index.txt.bz2 next to it, or name it with --index",
	crosscheck.CodeMissing: "the dump lacks pages in a row that its table page lists, as if a stream were missing: fetch the dump again",
	ingest.CodeTextCut:     "a text has more than two million marks (brackets, braces, pipes, tags), and what follows them was not read: look whether the dump is what it should be",
	ingest.CodeForeignSite: "many links begin like a namespace that the siteinfo does not name, as if it were of another wiki: look at --siteinfo and the head of the dump",
}

// tellDoubts repeats on standard error the warnings that say that the input itself may be wrong.
func tellDoubts(to io.Writer, res *pipeline.Result) {
	for _, o := range res.Outcomes {
		for _, w := range o.Receipt.Warnings {
			if text := doubts[w.Code]; text != "" {
				fmt.Fprintf(to, "wikinav: %s: %s: %s\n", o.Stage, w.Code, text)
			}
		}
	}
}

// auditWarnings makes a failure of warnings, where that was asked for.
func (f *buildFlags) auditWarnings(res *pipeline.Result) error {
	n := 0
	for _, o := range res.Outcomes {
		n += len(o.Receipt.Warnings)
	}
	if f.job.StrictAudit && n > 0 {
		return fault.New(fault.Failure, "%d warnings, and --strict-audit", n)
	}
	return nil
}

func (f *buildFlags) compare(cmd *cobra.Command, p *pipeline.Pipeline) error {
	diffs, err := p.Check(cmd.Context())
	if err != nil {
		return err
	}
	err = cli.Print(cmd, map[string]any{"differences": diffs}, func(out io.Writer) error {
		for _, d := range diffs {
			fmt.Fprintf(out, "%s/%s: the build has %s, recomputed %s\n", d.Stage, d.Path, d.Have, d.Got)
		}
		if len(diffs) == 0 {
			fmt.Fprintf(out, "recomputed %d stages: every file and receipt is the same\n", len(p.Names()))
		}
		return nil
	})
	if err == nil && len(diffs) > 0 {
		return fault.New(fault.Mismatch, "%d differences between the build and its recomputation", len(diffs)).At(f.work, "")
	}
	return err
}

// computeShare is build --only STAGE --shard i/n: one job of an array of them, in a work directory
// that they share.
func (f *buildFlags) computeShare(cmd *cobra.Command, r pipeline.Recipe) error {
	share, err := parseShare(f.job.Shard)
	if err != nil {
		return err
	}
	dir, unlock, err := openShared(f.work)
	if err != nil {
		return err
	}
	defer unlock()
	return f.with(cmd, dir, r, nil, func(p *pipeline.Pipeline) error {
		done, err := p.Shards(cmd.Context(), share)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "share %s: %d shards computed, %d were there, %d are under way elsewhere\n",
			f.job.Shard, len(done.Computed), len(done.Fresh), len(done.Busy))
		return err
	})
}

func parseShare(text string) (pipeline.Share, error) {
	index, of, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, wrong := strconv.Atoi(of)
	if err != nil || wrong != nil || i < 1 || i > n {
		return pipeline.Share{}, fault.New(fault.Usage, "--shard %s: want i/n with i from 1 to n", fault.Quote(text))
	}
	return pipeline.Share{Index: i, Of: n}, nil
}
