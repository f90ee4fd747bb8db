package pipeline_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages"
)

// g9 is the worked example of the wikirace specification, 5.7, as pages and their links.
var g9 = []string{"A:BCD", "B:CE", "C:AEF", "D:BF", "E:G", "F:G", "G:AH", "H:GT", "T:AD"}

const dumpName = "tinywiki-20260101-pages-articles.xml"

// writeDump writes a dump whose pages are given as "Title:Links", links being one letter each.
func writeDump(t *testing.T, folder string, pages []string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<mediawiki version="0.11" xml:lang="en"><siteinfo><sitename>Tiny</sitename><dbname>tinywiki</dbname>` +
		`<case>first-letter</case><namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo>` + "\n")
	for i, page := range pages {
		title, links, _ := strings.Cut(page, ":")
		fmt.Fprintf(&b, `<page><title>%s</title><ns>0</ns><id>%d</id><revision><id>%d</id>`+
			`<timestamp>2026-01-01T00:00:00Z</timestamp><model>wikitext</model><format>text/x-wiki</format><text>`, title, i+1, 100+i)
		for _, l := range links {
			fmt.Fprintf(&b, "see [[%c]] ", l)
		}
		b.WriteString("</text></revision></page>\n")
	}
	b.WriteString("</mediawiki>\n")
	path := filepath.Join(folder, dumpName)
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// job is a build of the tiny wiki that a test can vary.
type job struct {
	dump    string
	work    string
	fs      store.FS
	seed    int64
	workers int
	only    string
	shard   int64 // bytes of a distance shard
	name    string
	labels  string // labels by hand, "" for none
	log     func(any)
}

func newJob(t *testing.T) job {
	t.Helper()
	return job{dump: writeDump(t, t.TempDir(), g9), work: t.TempDir(), fs: store.OS{}, seed: 42, workers: 2, shard: 5000}
}

func (j job) recipe(t *testing.T) pipeline.Recipe {
	t.Helper()
	r, err := pipeline.LoadRecipe("strict", pipeline.Input{Dump: j.dump})
	if err != nil {
		t.Fatal(err)
	}
	must(t, r.Set(fmt.Sprint("wikirace.seed=", j.seed)))
	for _, value := range []string{ // few, because this is built hundreds of times
		`wikirace.splits=[{name="tiny", size=4, distances=[2, 3]}]`,
		"probe.size=3", "probe.max_attempts=5", "onestep.max_attempts=5",
		`onestep.splits=[{name="train", size=4, distances=[2, 3]}]`,
		"lumina.test=1", "lumina.dev=0", "lumina.list=k02", "lumina.tree=n007", "lumina.grid=n04",
		fmt.Sprint("distances.shard_bytes=", j.shard),
	} {
		must(t, r.Set(value))
	}
	return r
}

// open prepares the pipeline; the test's end closes it.
func (j job) open(t *testing.T) (*pipeline.Pipeline, error) {
	t.Helper()
	dir, err := store.Create(j.work, j.fs)
	if err != nil {
		return nil, err
	}
	in := pipeline.Input{Dump: j.dump}
	if j.labels != "" {
		in.Manual = filepath.Join(t.TempDir(), "labels.tsv")
		must(t, os.WriteFile(in.Manual, []byte(j.labels), 0o644))
	}
	src, err := pipeline.Open(context.Background(), in)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { src.Close() })
	opts := pipeline.Options{Workers: j.workers, Only: j.only, Build: j.name, Reporter: silent{}, Log: j.log}
	p, err := pipeline.New(dir, j.recipe(t), src, opts)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { p.Close() })
	return p, nil
}

func (j job) build(t *testing.T) (*pipeline.Result, error) {
	t.Helper()
	p, err := j.open(t)
	if err != nil {
		return nil, err
	}
	return p.Build(t.Context())
}

func (j job) mustBuild(t *testing.T) *pipeline.Result {
	t.Helper()
	res, err := j.build(t)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func ran(res *pipeline.Result) string {
	var names []string
	for _, o := range res.Outcomes {
		if o.Ran {
			names = append(names, o.Stage)
		}
	}
	return strings.Join(names, " ")
}

// tree lists the digests of all files of a work directory but its lock.
func tree(t *testing.T, work string) string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".lock" {
			return err
		}
		rel, err := filepath.Rel(work, path)
		if err != nil {
			return err
		}
		sums[rel], err = digest.SHA256File(t.Context(), path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(canon.MustMarshal(sums)), ",", ",\n")
}

type silent struct{}

func (silent) Stage(pipeline.Event) {}

func (silent) Meter(string, string, string, int64) stages.Meter { return silentMeter{} }

type silentMeter struct{}

func (silentMeter) Add(int64) {}
func (silentMeter) Done()     {}
