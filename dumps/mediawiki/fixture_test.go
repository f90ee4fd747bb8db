package mediawiki_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dsnet/compress/bzip2"
)

const (
	openRoot  = `<mediawiki version="0.11" xml:lang="en"><siteinfo><sitename>T</sitename><dbname>testwiki</dbname><case>first-letter</case>`
	siteNames = `<namespaces><namespace key="-1">Special</namespace><namespace key="0" /><namespace key="1">Talk</namespace></namespaces></siteinfo>` + "\n"
	fixHead   = openRoot + siteNames
	fixFoot   = "</mediawiki>\n"
)

// fixPage is one well-formed page; text stands in it as given.
func fixPage(id int, title, text string) string {
	return fmt.Sprintf("<page><title>%s</title><ns>0</ns><id>%d</id><revision><id>%d</id><timestamp>2026-01-01T00:00:00Z</timestamp>"+
		"<model>wikitext</model><format>text/x-wiki</format><text bytes=\"%d\" xml:space=\"preserve\">%s</text></revision></page>\n",
		title, id, 1000+id, len(text), text)
}

// multi is a multistream dump in parts: a head, page streams and a footer, each packed on its own.
type multi struct {
	parts [][]byte
	index [][]string // per page stream, the lines behind their offset
}

// newMulti packs pages 1..n, per to a stream.
func newMulti(t testing.TB, n, per int) *multi {
	t.Helper()
	m := &multi{parts: [][]byte{pack(t, fixHead)}}
	for first := 1; first <= n; first += per {
		var xml strings.Builder
		var lines []string
		for id := first; id < first+per && id <= n; id++ {
			title := fmt.Sprintf("Page %d: &quot;x&quot;", id)
			xml.WriteString(fixPage(id, title, fmt.Sprintf("Text of [[%d]] &amp; more", id+1)))
			lines = append(lines, fmt.Sprintf("%d:%s", id, title))
		}
		m.parts = append(m.parts, pack(t, xml.String()))
		m.index = append(m.index, lines)
	}
	m.parts = append(m.parts, pack(t, fixFoot))
	return m
}

func pack(t testing.TB, s string) []byte { return packLevel(t, []byte(s), 1) } // small blocks are quick to read

func packLevel(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := bzip2.NewWriter(&b, &bzip2.WriterConfig{Level: level})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (m *multi) bytes() []byte { return bytes.Join(m.parts, nil) }

// indexText is the index of the dump as it was packed.
func (m *multi) indexText() string {
	var b strings.Builder
	at := len(m.parts[0])
	for i, lines := range m.index {
		for _, line := range lines {
			fmt.Fprintf(&b, "%d:%s\n", at, line)
		}
		at += len(m.parts[i+1])
	}
	return b.String()
}

// write puts a dump, and its index unless that is "", into a new folder and gives the dump's path.
func write(t testing.TB, dump []byte, index string) string {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "testwiki.xml.bz2")
	writeFile(t, path, dump)
	if index != "" {
		writeFile(t, filepath.Join(folder, "testwiki-index.txt"), []byte(index))
	}
	return path
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// writeXML gives the path of a plain dump with these pages.
func writeXML(t testing.TB, pages ...string) string {
	t.Helper()
	return write(t, []byte(fixHead+strings.Join(pages, "")+fixFoot), "")
}
