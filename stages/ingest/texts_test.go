package ingest

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/dumps/demo"
	"github.com/wikinav/wikinav/dumps/wikitext/wikitest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// textMode returns what the file of the texts says of itself.
func textMode(t *testing.T, env *stagetest.Env) string {
	t.Helper()
	f := open(t, env, textsFile, schemas.TextsTable)
	defer f.Close()
	return f.Metadata(schemas.KeyTexts)
}

func TestTextsAreThoseOfArticlesInOrderOfIDs(t *testing.T) {
	env := envOf(t, dumpOf(oddPages...))
	env.MustRun(New(Params{VerifyText: "count", Texts: schemas.TextsOn}, ""))
	got := lines(t, env, textsFile, schemas.TextsTable)
	if len(got) != 7 || got[1] != "3|Apple||# Apple\n\nand [Fruit](/wiki/Fruit)|33|false" {
		t.Errorf("got %d texts, %q", len(got), got)
	}
	if n := env.Counters; n["page_texts"] != 7 || n["page_texts_truncated"] != 0 || n["text_templates_deleted"] != 1 {
		t.Errorf("counters: %v", n)
	}
}

func TestTextsAreReadOnDemandAndChangeNothingElse(t *testing.T) {
	dump := dumpOf(manyPages(200)...)
	off := runOn(t, dump)
	for _, c := range []struct {
		mode  onDemand
		pages int64 // from which auto is off
		want  string
	}{
		{"", 1000, schemas.TextsOff},
		{schemas.TextsOff, 1000, schemas.TextsOff},
		{schemas.TextsOn, 3, schemas.TextsOn},
		{schemas.TextsAuto, 215, schemas.TextsOn},
		{schemas.TextsAuto, 214, schemas.TextsOff},
		{schemas.TextsAuto, 3, schemas.TextsOff},
	} {
		for _, workers := range []int{1, 4} {
			env := envOf(t, dump)
			env.NumWorkers = workers
			limit := autoTexts
			autoTexts = c.pages
			env.MustRun(New(Params{VerifyText: "count", Texts: c.mode}, ""))
			autoTexts = limit
			rows := env.Outputs[textsFile].Rows
			if got := textMode(t, env); got != c.want || (rows > 0) != (got == schemas.TextsOn) || env.Counters["page_texts"] != rows {
				t.Errorf("%q, limit %d: got %s with %d rows, want %s", c.mode, c.pages, got, rows, c.want)
			}
			for name, out := range off.Outputs {
				if got := env.Outputs[name]; name != textsFile && name != "snapshot.json" && got.Logical != out.Logical {
					t.Errorf("%q: %s depends on texts", c.mode, name)
				}
			}
		}
	}
}

// TestTextsAreTheSameWhateverTheWorkersAndTheReader reads dumps plain, as one stream and as many,
// with both readers.
func TestTextsAreTheSameWhateverTheWorkersAndTheReader(t *testing.T) {
	for _, c := range []struct {
		name, sum string // "" for the demo
		least     int64
	}{
		{"", "", 17_000},
		{"dumps/" + ltgPlain, ltgPlainSum, 800},
		{wikitest.EnwikiSample, wikitest.EnwikiSampleSum, 106},
		{wikitest.Sotho, wikitest.SothoSum, 8_563},
		{wikitest.Genshin, wikitest.GenshinSum, 15_490},
	} {
		t.Run(path.Base(c.name), func(t *testing.T) {
			first := ""
			for _, read := range readings(t, c.name, c.sum) {
				env := envOf(t, read.dump)
				if read.index != nil {
					env.GiveExternal(schemas.Dump, "test-index.txt.bz2", roleIndex, read.index)
				}
				env.NumWorkers = read.workers
				env.MustRun(New(Params{VerifyText: "count", Texts: schemas.TextsOn}, read.reader))
				out := env.Outputs[textsFile]
				got := fmt.Sprint(out.Logical, out.Rows)
				if first == "" {
					first = got
					checkTexts(t, env, c.least)
				}
				if got != first {
					t.Errorf("%s: got %s, want %s", read.name, got, first)
				}
			}
		})
	}
}

// reading is a way of reading a dump.
type reading struct {
	name, reader string
	workers      int
	dump, index  []byte
}

// readings lists ways of reading a dump. One of tens of megabytes is not packed anew, and read with
// go-wikiparse by one number of workers.
func readings(t *testing.T, name, sum string) []reading {
	t.Helper()
	var one, xml, many, index []byte
	if name == "" {
		var dump, lines bytes.Buffer
		if _, err := demo.Write(t.Context(), &dump, &lines, demo.Options{Seed: demo.Seed}); err != nil {
			t.Fatal(err)
		}
		many, index = dump.Bytes(), lines.Bytes()
		xml = unpacked(t, many)
		one = packed(t, string(xml))
	} else {
		one = wikitest.Shared(t, name, sum)
		xml = unpacked(t, one)
	}
	all := []reading{
		{"one stream, one worker", "native", 1, one, nil},
		{"one stream, four workers", "native", 4, one, nil},
		{"decompressed", "native", 4, xml, nil},
		{"go-wikiparse, decompressed", "wikiparse", 4, xml, nil},
	}
	if len(one) > 10<<20 {
		return all
	}
	if many == nil {
		many, index = inStreams(t, xml)
	}
	return append(all,
		reading{"streams, one worker", "native", 1, many, index},
		reading{"streams, four workers", "native", 4, many, index},
		reading{"streams without an index", "native", 4, many, nil},
		reading{"go-wikiparse, streams", "wikiparse", 1, many, index},
		reading{"go-wikiparse, one stream", "wikiparse", 4, one, nil})
}

func unpacked(t *testing.T, dump []byte) []byte {
	t.Helper()
	xml, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(dump)))
	if err != nil {
		t.Fatal(err)
	}
	return xml
}

var pageHead = regexp.MustCompile(`<title>([^<]*)</title>\s*<ns>-?\d+</ns>\s*<id>(\d+)</id>`)

// inStreams packs a dump as dump sites do: head, 100 pages to a stream, and the closing tag; and
// its index.
func inStreams(t *testing.T, xml []byte) (dump, index []byte) {
	t.Helper()
	pages := strings.SplitAfter(string(xml), "</page>\n")
	head, first, _ := strings.Cut(pages[0], "  <page>")
	pages[0] = "  <page>" + first
	last := len(pages) - 1
	dump = packed(t, head)
	var lines strings.Builder
	for from := 0; from < last; from += 100 {
		some := pages[from:min(from+100, last)]
		for _, p := range some {
			m := pageHead.FindStringSubmatch(p)
			fmt.Fprintf(&lines, "%d:%s:%s\n", len(dump), m[2], m[1])
		}
		dump = append(dump, packed(t, strings.Join(some, ""))...)
	}
	return append(dump, packed(t, pages[last])...), packed(t, lines.String())
}

func checkTexts(t *testing.T, env *stagetest.Env, least int64) {
	t.Helper()
	all := lines(t, env, textsFile, schemas.TextsTable)
	whole := strings.Join(all, "\n")
	if int64(len(all)) < least || !strings.Contains(whole, "](/wiki/") || strings.Contains(whole, "{{") {
		t.Errorf("%d texts, some with braces or none with a link", len(all))
	}
}
