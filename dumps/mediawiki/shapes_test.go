package mediawiki_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/dumps/mediawiki/files"
	"github.com/wikinav/wikinav/schemas/fault"
)

// document is a dump with pages first..last.
func document(first, last int) string {
	var b strings.Builder
	b.WriteString(fixHead)
	for id := first; id <= last; id++ {
		b.WriteString(fixPage(id, fmt.Sprintf("Page %d", id), fmt.Sprintf("Text of page %d, [[Page %d]].", id, id+1)))
	}
	b.WriteString(fixFoot)
	return b.String()
}

func zip(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstandard(t testing.TB, s string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(s), nil)
}

// packings are the same content in every packing that is read.
func packings(t testing.TB, s string) map[string][]byte {
	half := len(s) / 2
	return map[string][]byte{
		"plain": []byte(s), "byte order mark": []byte("\uFEFF" + s), "declaration": []byte("<?xml version=\"1.0\"?>\n" + s),
		"bzip2": pack(t, s), "two bzip2 streams": append(pack(t, s[:half]), pack(t, s[half:])...),
		"gzip": zip(t, s), "two gzip members": append(zip(t, s[:half]), zip(t, s[half:])...),
		"zstd": zstandard(t, s), "two zstd frames": append(zstandard(t, s[:half]), zstandard(t, s[half:])...),
	}
}

func drain(d *mediawiki.Dump, err error) (r result) {
	if err != nil {
		return result{err: err}
	}
	defer d.Close()
	for {
		page, err := d.Next(context.Background())
		if err != nil {
			if err != io.EOF {
				r.err = err
			}
			r.counts, r.skipped = d.Counts(), d.Skipped()
			return r
		}
		r.pages = append(r.pages, page)
	}
}

func (r result) ids() (ids []uint32) {
	for _, p := range r.pages {
		ids = append(ids, p.ID)
	}
	return ids
}

func upTo(n int) (ids []uint32) {
	for id := range n {
		ids = append(ids, uint32(id+1))
	}
	return ids
}

func TestEveryPackingGivesTheSamePages(t *testing.T) {
	want := readAll(t, write(t, []byte(document(1, 300)), ""), mediawiki.Options{})
	if want.err != nil || len(want.pages) != 300 {
		t.Fatalf("plain: got %d pages, %v", len(want.pages), want.err)
	}
	for name, data := range packings(t, document(1, 300)) {
		fromFile := readAll(t, write(t, data, ""), mediawiki.Options{Workers: 2})
		fromInput := drain(mediawiki.OpenReader(context.Background(), "standard input", iotest.HalfReader(bytes.NewReader(data)), mediawiki.Options{}))
		for from, got := range map[string]result{"file": fromFile, "input": fromInput} {
			if got.err != nil || !slices.EqualFunc(got.pages, want.pages, samePage) || !maps.Equal(got.counts, want.counts) {
				t.Errorf("%s from a %s: got %d pages, %v, want %d", name, from, len(got.pages), got.err, len(want.pages))
			}
		}
	}
}

func TestEveryPackingThatIsCutOrGoesOnIsRefused(t *testing.T) {
	for name, data := range packings(t, document(1, 300)) {
		for _, bad := range [][]byte{data[:len(data)*2/3], data[:len(data)-1-len(data)/50], append(slices.Clone(data), "tail"...)} {
			r := drain(mediawiki.OpenReader(context.Background(), "standard input", bytes.NewReader(bad), mediawiki.Options{}))
			if !errors.Is(r.err, fault.Malformed) {
				t.Errorf("%s, %d of %d bytes: got %d pages, %v, want malformed", name, len(bad), len(data), len(r.pages), r.err)
			}
		}
	}
}

func TestZstdWindowsAreBounded(t *testing.T) {
	// A frame header that asks for 256 MiB: magic, descriptor, window descriptor with exponent 18.
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 18 << 3, 0x01, 0x00, 0x00}
	r := readAll(t, write(t, frame, ""), mediawiki.Options{})
	if !errors.Is(r.err, fault.Malformed) || !strings.Contains(r.err.Error(), "window of more than 128 MiB") {
		t.Errorf("got %v, want the window refused", r.err)
	}
}

func TestInputThatWaitsDoesNotHoldCloseUp(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, document(1, 5)[:1000])
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	start := time.Now()
	got := drain(mediawiki.OpenReader(ctx, "standard input", r, mediawiki.Options{}))
	if took := time.Since(start); !errors.Is(got.err, fault.Interrupted) || took > 2*time.Second {
		t.Errorf("got %v after %v, want an interruption within 2 s", got.err, took)
	}
	wantFault(t, drain(mediawiki.OpenReader(context.Background(), "-", strings.NewReader(""), mediawiki.Options{})).err, fault.Malformed, "-", "empty")
	wantFault(t, drain(mediawiki.OpenReader(context.Background(), "-", r, mediawiki.Options{Index: "x"})).err, fault.Usage, "-", "index")
}

// folder gives a new folder with these files.
func folder(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		writeFile(t, filepath.Join(dir, name), data)
	}
	return dir
}

func openAll(paths ...string) result {
	return drain(mediawiki.OpenAll(context.Background(), paths, mediawiki.Options{}))
}

func TestShardsOfAFolderAreOneDump(t *testing.T) {
	m := newMulti(t, 20, 5)
	dir := folder(t, map[string][]byte{
		"c.xml":                   []byte(document(41, 60)),
		"b.xml.gz":                zip(t, document(21, 40)),
		"w-1-multistream.xml.bz2": m.bytes(), "w-1-multistream-index.txt": []byte(m.indexText()),
		"SHA256SUMS": []byte("00  b.xml.gz\n"), "page.sql.gz": zip(t, "-- MySQL dump\nCREATE TABLE `page`"),
		"x-index.txt.bz2": pack(t, "600:1:A\n"), "README.html": []byte("<html></html>"), "empty": nil, "siteinfo.json": []byte("{}"),
	})
	parts, err := files.Dumps(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range parts {
		names = append(names, fmt.Sprint(filepath.Base(p.Path), " ", filepath.Base(p.Index), " ", p.First))
	}
	want := []string{"w-1-multistream.xml.bz2 w-1-multistream-index.txt 1", "b.xml.gz . 21", "c.xml . 41"}
	if !slices.Equal(names, want) {
		t.Errorf("parts: got %q, want %q", names, want)
	}
	before := runtime.NumGoroutine()
	r := openAll(dir)
	if r.err != nil || !slices.Equal(r.ids(), upTo(60)) {
		t.Errorf("got pages %v, %v, want 1 to 60", r.ids(), r.err)
	}
	wantCounts(t, r.counts, map[string]int64{"pages_read": 60})
	wantGoroutines(t, before)
	byName := openAll(filepath.Join(dir, "c.xml"), filepath.Join(dir, "b.xml.gz"))
	if byName.err != nil || len(byName.pages) != 40 || byName.pages[0].ID != 21 {
		t.Errorf("two files: got %v, %v, want 21 to 60", byName.ids(), byName.err)
	}
}

func TestFilesThatDoNotMakeOneDumpAreRefused(t *testing.T) {
	other := strings.Replace(document(30, 40), "testwiki", "otherwiki", 1)
	for name, c := range map[string]struct {
		files map[string][]byte
		part  string
	}{
		"two packings":        {map[string][]byte{"a.xml": []byte(document(1, 9)), "b.xml.bz2": pack(t, document(1, 9))}, "overlap"},
		"ranges that overlap": {map[string][]byte{"a.xml": []byte(document(1, 9)), "b.xml": []byte(document(5, 12))}, "for the second time"},
		"ranges that enclose": {map[string][]byte{
			"a.xml": []byte(document(5, 6)), "b.xml": []byte(strings.Replace(document(7, 8), "<id>8</id>", "<id>3</id>", 1)),
		}, "overlap"},
		"declared ranges": {map[string][]byte{"a-p1p20.xml": []byte(document(1, 9)), "a-p15p30.xml": []byte(document(15, 16))}, "overlap"},
		"two wikis":       {map[string][]byte{"a.xml": []byte(document(1, 9)), "b.xml": []byte(other)}, "otherwiki"},
		"a cut shard":     {map[string][]byte{"a.xml": []byte(document(1, 9)), "b.xml": []byte(document(20, 29))[:2500]}, "unexpected end"},
		"no dump":         {map[string][]byte{"a.txt": []byte("text")}, "no file in the folder"},
	} {
		t.Run(name, func(t *testing.T) {
			r := openAll(folder(t, c.files))
			if !errors.Is(r.err, fault.Malformed) || !strings.Contains(r.err.Error(), c.part) {
				t.Errorf("got %d pages, %v, want malformed with %q", len(r.pages), r.err, c.part)
			}
		})
	}
	dir := folder(t, map[string][]byte{"a.xml": []byte(document(1, 9)), "b.xml": []byte(other)})
	if r := drain(mediawiki.OpenAll(context.Background(), []string{dir}, mediawiki.Options{Mixed: true})); r.err != nil || len(r.pages) != 20 {
		t.Errorf("mixed: got %d pages, %v, want 20", len(r.pages), r.err)
	}
	wantFault(t, openAll().err, fault.Usage, "", "no dump file")
	wantFault(t, openAll(dir, filepath.Join(dir, "none.xml")).err, fault.NotFound, filepath.Join(dir, "none.xml"))
	seven := folder(t, map[string][]byte{"a.xml": []byte(document(1, 9)), "b.7z": []byte("7z\xbc\xaf\x27\x1c......")})
	wantFault(t, openAll(seven).err, fault.Usage, filepath.Join(seven, "b.7z"), "7z x")
}

func TestGapsBetweenDeclaredRangesAreAWarning(t *testing.T) {
	dir := folder(t, map[string][]byte{
		"w-2026-01-01-p1p20.xml": []byte(document(1, 9)), "w-2026-01-01-p21p40.xml": []byte(document(25, 30)),
		"w-2026-01-01-p51p60.xml": []byte(document(55, 56)), "w-2026-01-01-p45r1r9.xml": []byte(document(45, 45)),
	})
	d, err := mediawiki.OpenAll(context.Background(), []string{dir}, mediawiki.Options{})
	if err != nil {
		t.Fatal(err)
	}
	warnings := d.Warnings()
	if r := drain(d, nil); r.err != nil || len(r.pages) != 18 {
		t.Errorf("got %d pages, %v, want 18", len(r.pages), r.err)
	}
	want := []files.Warning{
		{Code: files.CodeRangeGap, Text: "no file covers the page ids 41 to 44, between w-2026-01-01-p21p40.xml and w-2026-01-01-p45r1r9.xml"},
		{Code: files.CodeRangeGap, Text: "no file covers the page ids 46 to 50, between w-2026-01-01-p45r1r9.xml and w-2026-01-01-p51p60.xml"},
	}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings:\ngot  %v\nwant %v", warnings, want)
	}
}

func TestProgressOfSeveralFilesEndsAtTheirSizes(t *testing.T) {
	dir := folder(t, map[string][]byte{"a.xml.bz2": pack(t, document(1, 90)), "b.xml.gz": zip(t, document(100, 190))})
	d, err := mediawiki.OpenAll(context.Background(), []string{dir}, mediawiki.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	last := int64(0)
	for err == nil {
		done, _ := d.Progress()
		if done < last {
			t.Fatalf("progress fell from %d to %d", last, done)
		}
		last = done
		_, err = d.Next(context.Background())
	}
	if done, total := d.Progress(); err != io.EOF || done != total || total == 0 {
		t.Errorf("at the end: %v, got %d of %d", err, done, total)
	}
}

// TestEverySchemaIsRead has the fields that each version of the export has: redirect titles came with 0.6, models with 0.8,
// parts of the root with 0.9, sums as attributes and origins with 0.11.
func TestEverySchemaIsRead(t *testing.T) {
	for _, c := range []struct{ version, page, sum, model, redirect string }{
		{"0.6", `<redirect title="B" /><sha1/><revision><id>2</id><timestamp>2011-01-01T00:00:00Z</timestamp><contributor><ip>1</ip></contributor>` +
			`<sha1>aaaa</sha1><text xml:space="preserve" bytes="4">text</text></revision>`, "aaaa", "wikitext", "B"},
		{"0.8", `<redirect title="B" /><revision><id>2</id><parentid>1</parentid><timestamp>2013-01-01T00:00:00Z</timestamp>` +
			`<text xml:space="preserve">text</text><sha1>bbbb</sha1><model>css</model><format>text/css</format></revision>`, "bbbb", "css", "B"},
		{"0.10", `<restrictions>sysop</restrictions><revision><id>2</id><timestamp>2017-01-01T00:00:00Z</timestamp><minor/><comment>c</comment><model>wikitext</model>` +
			`<format>text/x-wiki</format><text xml:space="preserve">text</text><sha1>cccc</sha1></revision>`, "cccc", "wikitext", ""},
		{"0.11", `<revision><id>2</id><timestamp>2026-01-01T00:00:00Z</timestamp><contributor deleted="deleted" /><origin>2</origin><model>wikitext</model><format>text/x-wiki</format>` +
			`<text bytes="4" sha1="dddd" xml:space="preserve">text</text><sha1>dddd</sha1><content><role>x</role><origin>2</origin><model>json</model><format>j</format>` +
			`<text location="x" /></content></revision>`, "dddd", "wikitext", ""},
	} {
		doc := strings.Replace(fixHead, `version="0.11"`, fmt.Sprintf(`xmlns="http://www.mediawiki.org/xml/export-%s/" version="%s"`, c.version, c.version), 1) +
			"<page><title>A</title><ns>0</ns><id>1</id>" + strings.ReplaceAll(c.page, "<sha1/>", "") + "</page>" + fixFoot
		for _, reader := range []string{mediawiki.ReaderNative, mediawiki.ReaderWikiparse} {
			r := readAll(t, write(t, []byte(doc), ""), mediawiki.Options{Reader: reader})
			if r.err != nil || len(r.pages) != 1 {
				t.Errorf("%s, %s: got %d pages, %v", c.version, reader, len(r.pages), r.err)
				continue
			}
			if p := r.pages[0]; p.Text != "text" || p.SHA1 != c.sum || p.Model != c.model || p.RedirectTitle != c.redirect || p.RevID != 2 {
				t.Errorf("%s, %s: got %+v", c.version, reader, *p)
			}
		}
	}
}

func TestRealShardsOfOtherFormatsAreTheSameDump(t *testing.T) {
	f, err := os.Open(sample(t, aawiki))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := drain(mediawiki.OpenReader(context.Background(), "-", f, mediawiki.Options{}))
	if want := readSample(t, aawiki); r.err != nil || !slices.EqualFunc(r.pages, want.pages, samePage) {
		t.Errorf("from standard input: got %d pages, %v, want %d", len(r.pages), r.err, len(want.pages))
	}
}
