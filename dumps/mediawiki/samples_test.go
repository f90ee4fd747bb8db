package mediawiki_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	enwiki     = "enwiki-sample.xml.bz2"
	ltg        = "ltgwiki-20170901-pages-articles.xml.bz2"
	ltgStreams = "ltgwiki-20170901-pages-articles-multistream.xml.bz2"
	itwiki     = "itwiki-2013-small-dump.xml.gz"
	aawiki     = "aawiki-20260101-pages-meta-current.xml.bz2"
	wiktionary = "enwiktionary-2018-sample.xml.bz2"
	tiny       = "tiny-011-with-xml-declaration.xml"
)

// sample gives the path of a file of the project's sample data, which lies outside of the repository.
func sample(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("WIKINAV_SHARED")
	for dir, _ := os.Getwd(); root == "" && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if shared := filepath.Join(dir, "shared"); isFolder(filepath.Join(shared, "data")) {
			root = shared
		}
	}
	path := filepath.Join(root, "data", "dumps", name)
	if _, err := os.Stat(path); root == "" || err != nil {
		t.Skipf("sample data not found: no %s under WIKINAV_SHARED or a folder shared/ above", name)
	}
	return path
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// result is everything that reading a dump to its end or its error gives.
type result struct {
	pages   []*mediawiki.Page
	counts  map[string]int64
	skipped []mediawiki.Skipped
	newest  string
	indexed bool
	err     error // nil after io.EOF
}

func readAll(t testing.TB, path string, opts mediawiki.Options) result {
	t.Helper()
	ctx := context.Background()
	d, err := mediawiki.Open(ctx, path, opts)
	if err != nil {
		return result{err: err}
	}
	defer d.Close()
	var r result
	for {
		page, err := d.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			r.err = err
			break
		}
		r.pages = append(r.pages, page)
	}
	_, again := d.Next(ctx)
	if r.err != nil && !errors.Is(again, r.err) || r.err == nil && again != io.EOF {
		t.Errorf("Next after its final answer: got %v, want %v again", again, r.err)
	}
	r.counts, r.skipped, r.newest, r.indexed = d.Counts(), d.Skipped(), d.NewestRevision(), d.IndexChecked()
	return r
}

var defaults sync.Map // path of a sample to its result

// readSample reads a sample with default options, once for all tests. Nobody may change the result.
func readSample(t testing.TB, name string) result {
	t.Helper()
	path := sample(t, name)
	if r, ok := defaults.Load(path); ok {
		return r.(result)
	}
	r := readAll(t, path, mediawiki.Options{})
	defaults.Store(path, r)
	return r
}

// perNS counts the pages of each namespace.
func (r result) perNS() map[int]int {
	m := map[int]int{}
	for _, p := range r.pages {
		m[p.NS]++
	}
	return m
}

func (r result) perModel() map[string]int {
	m := map[string]int{}
	for _, p := range r.pages {
		m[p.Model]++
	}
	return m
}

// wantCounts compares those counters that want names, and the sums that must balance.
func wantCounts(t *testing.T, got, want map[string]int64) {
	t.Helper()
	for name, n := range want {
		if got[name] != n {
			t.Errorf("counter %s: got %d, want %d", name, got[name], n)
		}
	}
	if got["pages_read"] != got["pages_kept"]+got["pages_skipped"] {
		t.Errorf("pages read are not kept + skipped: %v", got)
	}
	sums := got["sha1_ok"] + got["sha1_crlf"] + got["sha1_mismatch"] + got["sha1_absent"] + got["sha1_withheld"]
	if sums != got["pages_kept"] {
		t.Errorf("results of sums: got %d in all for %d pages", sums, got["pages_kept"])
	}
}

// wantFault checks kind, file and parts of the text of an error.
func wantFault(t *testing.T, err error, kind *fault.Kind, file string, parts ...string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || !errors.Is(err, kind) {
		t.Fatalf("error: got %v (%T), want a %v", err, err, kind)
	}
	if f.File != file {
		t.Errorf("file of the error: got %q, want %q", f.File, file)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error: got %q, want it to contain %q", err, part)
		}
	}
}

func TestSampleDumpsGiveTheirPages(t *testing.T) {
	ltgNS := map[int]int{0: 1050, 4: 28, 8: 12, 10: 347, 14: 539, 828: 28}
	ltgCounts := map[string]int64{"redirect_pages": 195, "sha1_ok": 2004, "pages_not_wikitext": 36, "ns_mismatch": 0}
	for _, c := range []struct {
		file   string
		pages  int
		perNS  map[int]int
		counts map[string]int64
	}{
		{enwiki, 206, map[int]int{0: 205, 4: 1}, map[string]int64{"redirect_pages": 100, "sha1_ok": 206}},
		{ltg, 2004, ltgNS, ltgCounts},
		{ltgStreams, 2004, ltgNS, ltgCounts},
		{itwiki, 747, nil, map[string]int64{"redirect_pages": 65, "sha1_ok": 742, "sha1_crlf": 5, "sha1_mismatch": 0}},
		{aawiki, 507, nil, map[string]int64{"redirect_pages": 19, "sha1_ok": 507, "bytes_mismatch": 8}},
		{tiny, 2, map[int]int{0: 2}, map[string]int64{"redirect_pages": 1, "pages_text_deleted": 1, "sha1_absent": 2}},
	} {
		t.Run(c.file, func(t *testing.T) {
			r := readSample(t, c.file)
			if r.err != nil || len(r.pages) != c.pages {
				t.Fatalf("got %d pages, error %v, want %d", len(r.pages), r.err, c.pages)
			}
			if got := r.perNS(); c.perNS != nil && !maps.Equal(got, c.perNS) {
				t.Errorf("pages per namespace: got %v, want %v", got, c.perNS)
			}
			wantCounts(t, r.counts, c.counts)
		})
	}
}

func TestAawikiHasTwoArticles(t *testing.T) {
	r := readSample(t, aawiki)
	if got := r.perNS()[0]; got != 2 {
		t.Errorf("pages of namespace 0: got %d, want 2", got)
	}
}

func TestContentModelsAreThoseOfTheDump(t *testing.T) {
	r := readSample(t, ltg)
	want := map[string]int{"wikitext": 1968, "css": 4, "javascript": 4, "Scribunto": 28}
	if got := r.perModel(); !maps.Equal(got, want) {
		t.Errorf("pages per model: got %v, want %v", got, want)
	}
}

func TestNoResultDependsOnWorkersOrPacking(t *testing.T) {
	plain := readSample(t, ltg)
	for _, c := range []struct {
		name string
		opts mediawiki.Options
	}{
		{"no index", mediawiki.Options{Index: mediawiki.IndexNone}},
		{"1 worker", mediawiki.Options{Workers: 1}},
		{"2 workers", mediawiki.Options{Workers: 2}},
		{"4 workers", mediawiki.Options{Workers: 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := readAll(t, sample(t, ltgStreams), c.opts)
			if r.err != nil || r.newest != plain.newest || r.indexed != (c.opts.Index == "") {
				t.Errorf("got error %v, newest %q, indexed %v", r.err, r.newest, r.indexed)
			}
			if !slices.EqualFunc(r.pages, plain.pages, samePage) {
				t.Errorf("the %d pages are not those of the plain dump", len(r.pages))
			}
			if !maps.Equal(r.counts, plain.counts) {
				t.Errorf("counts: got %v, want %v", r.counts, plain.counts)
			}
		})
	}
}

// samePage compares all but the place in the file.
func samePage(a, b *mediawiki.Page) bool {
	x, y := *a, *b
	x.Offset, y.Offset = 0, 0
	return x == y
}

func TestOffsetIsThatOfTheStreamWithAndWithoutIndex(t *testing.T) {
	with := readSample(t, ltgStreams)
	without := readAll(t, sample(t, ltgStreams), mediawiki.Options{Index: mediawiki.IndexNone})
	distinct := map[int64]bool{}
	for i, p := range with.pages {
		distinct[p.Offset] = true
		if p.Offset != without.pages[i].Offset {
			t.Fatalf("page %d: offset %d with the index, %d without", p.ID, p.Offset, without.pages[i].Offset)
		}
	}
	if len(distinct) != 21 {
		t.Errorf("streams with pages: got %d, want 21", len(distinct))
	}
}

func TestWrongSumsAreCountedRefusedOrIgnored(t *testing.T) {
	path := sample(t, wiktionary)
	wrong := readSample(t, wiktionary)
	wantFault(t, wrong.err, fault.Malformed, path, "28 of 1389 pages")
	off := readAll(t, path, mediawiki.Options{VerifyText: mediawiki.VerifyOff})
	if off.err != nil || len(off.pages) != 1389 {
		t.Fatalf("off: got %d pages, error %v, want 1389", len(off.pages), off.err)
	}
	wantCounts(t, off.counts, map[string]int64{"sha1_mismatch": 28})
	strict := readAll(t, path, mediawiki.Options{VerifyText: mediawiki.VerifyStrict})
	wantFault(t, strict.err, fault.Malformed, path, "stream at 0: page ")
	if len(strict.pages) >= 1389 {
		t.Errorf("strict: got all %d pages, want a stop at the first wrong sum", len(strict.pages))
	}
}

func TestUTF16IsRefused(t *testing.T) {
	path := sample(t, "bgwiki-sample.xml.bz2")
	r := readAll(t, path, mediawiki.Options{})
	wantFault(t, r.err, fault.Malformed, path, "E_XML_UTF16")
}

func TestDumpWithoutSiteInfoNeedsOne(t *testing.T) {
	path := sample(t, "enwiki-table.xml.bz2")
	r := readAll(t, path, mediawiki.Options{})
	wantFault(t, r.err, fault.Malformed, path, "E_XML_NO_SITEINFO")
	r = readAll(t, path, mediawiki.Options{SiteInfoFile: sample(t, enwiki)})
	if r.err != nil || len(r.pages) != 5 {
		t.Errorf("with a siteinfo file: got %d pages, error %v, want 5", len(r.pages), r.err)
	}
}

func TestCutXMLIsRefusedAfterItsGoodPages(t *testing.T) {
	path := sample(t, "negative-viwiki-truncated.xml")
	r := readAll(t, path, mediawiki.Options{})
	wantFault(t, r.err, fault.Malformed, path, "page 11", `"mediawiki" is not closed`)
	if len(r.pages) != 10 {
		t.Errorf("pages before the error: got %d, want 10", len(r.pages))
	}
}

func TestFragmentWithoutRootIsRefused(t *testing.T) {
	path := sample(t, "negative-multiroot-fragment.xml")
	r := readAll(t, path, mediawiki.Options{})
	wantFault(t, r.err, fault.Malformed, path, `root element "page", expected mediawiki`)
}

func TestDamageInOneStreamIsReportedWhateverTheWorkers(t *testing.T) {
	path := sample(t, "bad-ms.xml.bz2")
	for _, opts := range []mediawiki.Options{{Workers: 1}, {Workers: 2}, {Workers: 4}, {Tolerate: 10}} {
		r := readAll(t, path, opts)
		wantFault(t, r.err, fault.Malformed, path, "stream at 112346: page 4 of 10: XML syntax error")
		if len(r.pages) != 23 {
			t.Errorf("%+v: pages before the error: got %d, want 23", opts, len(r.pages))
		}
	}
}

func TestSiteInfoIsThatOfTheDump(t *testing.T) {
	d, err := mediawiki.Open(context.Background(), sample(t, ltgStreams), mediawiki.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	info := d.SiteInfo()
	if info.DBName != "ltgwiki" || info.Lang != "ltg" || info.Version != "0.10" || info.Case != "first-letter" || len(info.Namespaces) == 0 {
		t.Errorf("siteinfo: got %+v", info)
	}
	title, err := d.Site().ParsePageTitle("Taiss:x")
	if err != nil || title.NS != 10 {
		t.Errorf("Taiss:x: got %+v, %v, want namespace 10", title, err)
	}
}
