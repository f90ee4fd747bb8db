package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// The dump of a real wiki in both packings, with the sums of the shared data's README.
const (
	ltgPlain, ltgPlainSum = "ltgwiki-20170901-pages-articles.xml.bz2", "c5cfd8f620bab14a032e09b525325a610ecb80ee567f0a2aa02a8fde69441148"
	ltgMulti, ltgMultiSum = "ltgwiki-20170901-pages-articles-multistream.xml.bz2", "c99cc899c4b2f90d1aa9e09e1b5b005384f581c2037f405732c78ed4fee967a9"
	ltgIndex, ltgIndexSum = "ltgwiki-20170901-pages-articles-multistream-index.txt.bz2", "ff3150e013047836d84c4abe89585fa3faad5f8b124fd34c9717a806a10dacc9"
)

// sharedDump returns the path of a file of the sample data, which lies outside the repository: in the folder
// WIKINAV_SHARED, else in shared/ beside the repository.
func sharedDump(t *testing.T, name string) string {
	t.Helper()
	roots := []string{os.Getenv("WIKINAV_SHARED")}
	for up := ".."; roots[0] == "" && len(up) < 30; up = filepath.Join("..", up) {
		roots = append(roots, filepath.Join(up, "shared"))
	}
	for _, root := range roots {
		path := filepath.Join(root, "data", "dumps", name)
		if _, err := os.Stat(path); root != "" && err == nil {
			return path
		}
	}
	t.Skipf("no sample %s: set WIKINAV_SHARED, or put shared/ beside the repository", name)
	return ""
}

func sample(t *testing.T, name, sum string) []byte {
	t.Helper()
	data, err := os.ReadFile(sharedDump(t, name))
	if err != nil {
		t.Fatal(err)
	}
	if got := digest.SHA256(data); got != sum {
		t.Fatalf("%s has SHA-256 %s, want %s", name, got, sum)
	}
	return data
}

func TestARealDumpGivesTheSameArtifactsPlainOrMultistreamWithAnyWorkers(t *testing.T) {
	plain, multi := envOf(t, sample(t, ltgPlain, ltgPlainSum)), envOf(t, sample(t, ltgMulti, ltgMultiSum))
	multi.GiveExternal(schemas.Dump, "test-index.txt.bz2", roleIndex, sample(t, ltgIndex, ltgIndexSum))
	s := New(Params{Wiki: "ltgwiki", Date: "20170901", VerifyText: "strict"}, "")
	plain.NumWorkers = 1
	plain.MustRun(s)
	for name, want := range map[string]int64{ // acceptance check 4 of the inputs specification
		"pages": 2004, "pages_ns_0": 1050, "pages_ns_4": 28, "pages_ns_8": 12, "pages_ns_10": 347, "pages_ns_14": 539,
		"pages_ns_828": 28, "pages_redirect": 195, "sha1_ok": 2004, "redirect_pages": 195,
	} {
		if got := plain.Counters[name]; got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
	checkBooks(t, plain.Counters)
	checkModels(t, plain)
	for _, workers := range []int{1, 2, 4} {
		multi.NumWorkers = workers
		multi.MustRun(s)
		sameBut(t, plain, multi, "snapshot.json")
		checkBooks(t, multi.Counters)
	}
}

func checkModels(t *testing.T, env *stagetest.Env) {
	t.Helper()
	f := open(t, env, "pages.arrow", schemas.PagesTable)
	defer f.Close()
	models := map[string]int{}
	for b := range f.Batches() {
		for i := range f.BatchRows(b) {
			models[f.Strings(b, schemas.PagesTable.Index("model")).At(i)]++
		}
	}
	want := map[string]int{"wikitext": 1968, "css": 4, "javascript": 4, "Scribunto": 28}
	if fmt.Sprint(models) != fmt.Sprint(want) {
		t.Errorf("models: got %v, want %v", models, want)
	}
}

type silent struct{}

func (silent) Add(int64) {}
func (silent) Done()     {}

func TestListShowsWhatTheArtifactsHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dump.xml")
	for _, dump := range [][]byte{dumpOf(manyPages(200)...), sample(t, ltgPlain, ltgPlainSum)} {
		if err := os.WriteFile(path, dump, 0o600); err != nil {
			t.Fatal(err)
		}
		want := linesOf(t, runOn(t, dump))
		d, err := mediawiki.Open(context.Background(), path, mediawiki.Options{Index: mediawiki.IndexNone, Workers: 3})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		_, err = List(context.Background(), d, false, silent{}, func(p PageLinks) error {
			got = append(got, fmt.Sprintf("%d %d %q %t %q %q", p.ID, p.NS, p.Title, p.IsRedirect, p.Redirect, p.Links))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		d.Close()
		equal(t, "pages with links", got, want)
	}
}

// linesOf puts the artifacts together as List shows them.
func linesOf(t *testing.T, env *stagetest.Env) []string {
	t.Helper()
	links, redirects := map[string][]string{}, map[string]string{}
	titles := lines(t, env, "link-titles.arrow", schemas.LinkTitlesTable)
	for i, link := range lines(t, env, "links.arrow", schemas.LinksTable) {
		id, _, _ := strings.Cut(link, "|")
		links[id] = append(links[id], titles[i])
	}
	for _, r := range lines(t, env, "redirects.arrow", schemas.RedirectsTable) {
		redirects[strings.Split(r, "|")[1]] = strings.Split(r, "|")[2]
	}
	var out []string
	for _, p := range lines(t, env, "pages.arrow", schemas.PagesTable) {
		f := strings.Split(p, "|")
		out = append(out, fmt.Sprintf("%s %s %q %s %q %q", f[0], f[1], f[2], f[3], redirects[f[0]], links[f[0]]))
	}
	return out
}
