package demo

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/dumps/demo"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// small is the smallest demo; it is larger than it is asked to be.
var small = Params{Seed: demo.Seed, Pages: 300}

func TestTheStageKeepsTheContract(t *testing.T) {
	stagetest.Run(t, New(small), stagetest.New(t))
}

func TestTheFilesAreNamedLikeAPublishedDumpAndItsIndex(t *testing.T) {
	env := stagetest.New(t)
	env.MustRun(New(small))
	want := []string{
		"demowiki-20260101-instance-types.ttl.bz2",
		"demowiki-20260101-linktarget.sql.bz2", "demowiki-20260101-page.sql.bz2", "demowiki-20260101-page_props.sql.bz2",
		"demowiki-20260101-pagelinks.sql.bz2", "demowiki-20260101-pages-articles-multistream-index.txt.bz2",
		"demowiki-20260101-pages-articles-multistream.xml.bz2", "demowiki-20260101-redirect.sql.bz2",
	}
	if got := env.OutputNames(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	file, err := env.Written(DumpName)
	if err != nil {
		t.Fatal(err)
	}
	if index, ok := files.FindIndex(file.Path()); !ok || filepath.Base(index) != IndexName {
		t.Errorf("the index beside the dump: got %s, %t; want %s", index, ok, IndexName)
	}
}

func TestTheCounterIsThatOfThePagesAReaderFinds(t *testing.T) {
	env := stagetest.New(t)
	env.MustRun(New(small))
	file, err := env.Written(DumpName)
	if err != nil {
		t.Fatal(err)
	}
	dump, err := mediawiki.Open(context.Background(), file.Path(), mediawiki.Options{VerifyText: mediawiki.VerifyStrict})
	if err != nil {
		t.Fatal(err)
	}
	defer dump.Close()
	pages := int64(0)
	for {
		if _, err = dump.Next(context.Background()); err != nil {
			break
		}
		pages++
	}
	if err != io.EOF || !dump.IndexChecked() {
		t.Errorf("got %v, index checked %t; want a dump that its index confirms", err, dump.IndexChecked())
	}
	if got := env.Counters["pages"]; got != pages || pages < int64(small.Pages) {
		t.Errorf("counter: got %d, the dump has %d", got, pages)
	}
}

func TestTheSeedAloneDecidesTheWorld(t *testing.T) {
	run := func(p Params) map[string]stagetest.Output {
		env := stagetest.New(t)
		env.MustRun(New(p))
		return env.Outputs
	}
	first, again, other := run(small), run(small), run(Params{Seed: small.Seed + 1, Pages: small.Pages})
	for _, name := range []string{DumpName, IndexName, TypesName} {
		if first[name] != again[name] {
			t.Errorf("%s: %v, then %v", name, first[name], again[name])
		}
		if first[name] == other[name] {
			t.Errorf("%s: the same for seeds %d and %d", name, small.Seed, small.Seed+1)
		}
	}
}

func TestEverybodyBuildsTheSameDemo(t *testing.T) {
	if got, want := Default(), (Params{Seed: 20260101, Pages: 20_000}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// watched is an environment that keeps how far each phase said that it was.
type watched struct {
	*stagetest.Env
	done, total map[string]int64
}

type watch struct {
	of    watched
	phase string
}

func (w watched) Meter(phase, unit string, total int64) stages.Meter {
	w.total[phase+" "+unit] = total
	return watch{w, phase + " " + unit}
}

func (w watch) Add(n int64) { w.of.done[w.phase] += n }
func (watch) Done()         {}

func TestTheStageShowsHowFarItIs(t *testing.T) {
	env := watched{stagetest.New(t), map[string]int64{}, map[string]int64{}}
	if err := New(small).Run(t.Context(), env); err != nil {
		t.Fatal(err)
	}
	pages := env.Counters["pages"]
	want := map[string]int64{
		"writing pages": pages, "reading links pages": pages, "packing tables": int64(len(demo.Tables)),
	}
	if pages == 0 || !maps.Equal(env.done, want) || !maps.Equal(env.total, want) {
		t.Errorf("done %v of %v, want %v", env.done, env.total, want)
	}
}
