package ingest

import (
	"bytes"
	"compress/bzip2"
	"context"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	dsnet "github.com/dsnet/compress/bzip2"
	"github.com/dustin/go-wikiparse"

	"github.com/wikinav/wikinav/dumps/demo"
	"github.com/wikinav/wikinav/dumps/mediawiki"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// BenchmarkIngest compares the whole stage with plain go-wikiparse and, where it is installed, with lbzip2 unpacking the
// same file to nowhere, all in one run. A-like dumps have articles of 30 kB, B-like ones of 6 kB; their text is the demo's.
func BenchmarkIngest(b *testing.B) {
	texts := demoTexts(b)
	for _, like := range []struct {
		name string
		size int
	}{{"A", 30_000}, {"B", 6_000}} {
		path, plain := writeBenchDump(b, texts, like.size)
		for _, tool := range []struct {
			name string
			run  func(b *testing.B, path string)
		}{
			{"wikinav", ingestWithout},
			{"wikinav with anchors", ingestAnchors},
			{"wikinav with texts", ingestTexts},
			{"go-wikiparse", readPlainly},
			{"lbzip2", unpackOnly},
		} {
			b.Run(like.name+"/"+tool.name, func(b *testing.B) {
				b.SetBytes(plain)
				for b.Loop() {
					tool.run(b, path)
				}
			})
		}
	}
}

// demoTexts gives the texts of the demo's articles.
func demoTexts(b *testing.B) []string {
	b.Helper()
	folder := b.TempDir()
	path := filepath.Join(folder, "demo.xml.bz2")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := demo.Write(context.Background(), f, io.Discard, demo.Options{Seed: demo.Seed}); err != nil {
		b.Fatal(err)
	}
	f.Close()
	dump, err := mediawiki.Open(context.Background(), path, mediawiki.Options{Index: mediawiki.IndexNone})
	if err != nil {
		b.Fatal(err)
	}
	defer dump.Close()
	var texts []string
	for {
		page, err := dump.Next(context.Background())
		if err == io.EOF {
			return texts
		}
		if err != nil {
			b.Fatal(err)
		}
		if page.NS == 0 && !page.HasRedirect {
			texts = append(texts, page.Text)
		}
	}
}

// writeBenchDump joins texts to articles of the given size.
func writeBenchDump(b *testing.B, texts []string, size int) (path string, plain int64) {
	b.Helper()
	var xml, article bytes.Buffer
	xml.WriteString(`<mediawiki version="0.11" xml:lang="en"><siteinfo><sitename>B</sitename><dbname>bench</dbname><case>first-letter</case>` +
		`<namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo>` + "\n")
	id := 0
	for _, text := range texts {
		article.WriteString(text)
		if article.Len() < size {
			continue
		}
		id++
		fmt.Fprintf(&xml, "<page><title>Page %d</title><ns>0</ns><id>%d</id><revision><id>%d</id><timestamp>2026-01-01T00:00:00Z</timestamp>"+
			"<model>wikitext</model><format>text/x-wiki</format><text>%s</text></revision></page>\n", id, id, id, html.EscapeString(article.String()))
		article.Reset()
	}
	xml.WriteString("</mediawiki>\n")
	path = filepath.Join(b.TempDir(), "bench.xml.bz2")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := dsnet.NewWriter(f, &dsnet.WriterConfig{Level: 9})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := z.Write(xml.Bytes()); err != nil {
		b.Fatal(err)
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	return path, int64(xml.Len())
}

// ingestWithout reads as a wiki of more than a million pages is read.
func ingestWithout(b *testing.B, path string) { ingest(b, path, schemas.AnchorsOff, schemas.TextsOff) }

func ingestAnchors(b *testing.B, path string) { ingest(b, path, schemas.AnchorsOn, schemas.TextsOff) }

func ingestTexts(b *testing.B, path string) { ingest(b, path, schemas.AnchorsOff, schemas.TextsOn) }

func ingest(b *testing.B, path, anchors string, texts onDemand) {
	b.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	env := stagetest.New(b)
	env.NumWorkers = 2
	env.GiveExternal(schemas.Dump, "bench.xml.bz2", "dump", data)
	env.MustRun(New(Params{VerifyText: "count", LeadRunes: 500, Anchors: anchors, Texts: texts}, ""))
	if rows := env.Outputs[textsFile].Rows; (rows > 0) != (texts == schemas.TextsOn) {
		b.Fatalf("%d texts, they are %s", rows, texts)
	}
}

// readPlainly is what the field's usual tool does: pages and links, one goroutine.
func readPlainly(b *testing.B, path string) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	p, err := wikiparse.NewParser(bzip2.NewReader(f))
	if err != nil {
		b.Fatal(err)
	}
	for {
		page, err := p.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			b.Fatal(err)
		}
		wikiparse.FindLinks(page.Revisions[0].Text)
	}
}

func unpackOnly(b *testing.B, path string) {
	if _, err := exec.LookPath("lbzip2"); err != nil {
		b.Skip("lbzip2 is not installed")
	}
	if err := exec.Command("lbzip2", "-n2", "-dc", path).Run(); err != nil {
		b.Fatal(err)
	}
}
