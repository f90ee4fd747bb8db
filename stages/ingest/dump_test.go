package ingest

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/dsnet/compress/bzip2"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/stagetest"
)

const (
	dumpHead = `<mediawiki version="0.11" xml:lang="en"><siteinfo><sitename>Test</sitename><dbname>testwiki</dbname>` +
		`<base>https://test.example/wiki/Main_Page</base><case>first-letter</case><namespaces>` +
		`<namespace key="-1">Special</namespace><namespace key="0" /><namespace key="1">Talk</namespace>` +
		`<namespace key="6">File</namespace><namespace key="14">Category</namespace></namespaces></siteinfo>` + "\n"
	dumpFoot = "</mediawiki>\n"
)

// testPage is one page of a hand-written dump.
type testPage struct {
	id       int
	ns       int
	title    string
	redirect string // of its <redirect>, "" for none
	model    string // "" for wikitext
	text     string
	deleted  bool
}

func (p testPage) xml() string {
	redirect, text := "", fmt.Sprintf(`<text bytes="%d" xml:space="preserve">%s</text>`, len(p.text), html.EscapeString(p.text))
	if p.redirect != "" {
		redirect = fmt.Sprintf(`<redirect title="%s" />`, html.EscapeString(p.redirect))
	}
	if p.deleted {
		text = `<text bytes="7" deleted="deleted" />`
	}
	if p.model == "" {
		p.model = schemas.ModelWikitext
	}
	return fmt.Sprintf("<page><title>%s</title><ns>%d</ns><id>%d</id>%s<revision><id>%d</id><timestamp>2026-01-%02dT00:00:00Z</timestamp>"+
		"<model>%s</model><format>text/x-wiki</format>%s</revision></page>\n",
		html.EscapeString(p.title), p.ns, p.id, redirect, 1000+p.id, p.id%28+1, p.model, text)
}

func dumpOf(pages ...testPage) []byte {
	var out strings.Builder
	out.WriteString(dumpHead)
	for _, p := range pages {
		out.WriteString(p.xml())
	}
	return []byte(out.String() + dumpFoot)
}

// multistream packs a dump as dump sites do: head, pages per to a stream, foot; and its index.
func multistream(t testing.TB, per int, pages ...testPage) (dump, index []byte) {
	t.Helper()
	dump = packed(t, dumpHead)
	for first := 0; first < len(pages); first += per {
		var text strings.Builder
		for _, p := range pages[first:min(first+per, len(pages))] {
			text.WriteString(p.xml())
			index = fmt.Appendf(index, "%d:%d:%s\n", len(dump), p.id, html.EscapeString(p.title))
		}
		dump = append(dump, packed(t, text.String())...)
	}
	return append(dump, packed(t, dumpFoot)...), packed(t, string(index))
}

func packed(t testing.TB, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := bzip2.NewWriter(&out, &bzip2.WriterConfig{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// envOf gives a world whose dump is these bytes; packing goes by content.
func envOf(t testing.TB, dump []byte) *stagetest.Env {
	t.Helper()
	env := stagetest.New(t)
	env.GiveExternal(schemas.Dump, "test-pages.xml.bz2", roleDump, dump)
	return env
}
