package demo

import (
	"bytes"
	"context"
	"crypto/sha1"
	_ "embed"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/dsnet/compress/bzip2"
)

const pagesPerStream = 100

// multistream writes a dump as one bzip2 stream after the other and counts where each begins.
type multistream struct {
	out     io.Writer
	zip     *bzip2.Writer
	offset  int64
	streams int
}

// writeMultistream writes head, pages and closing tag, and beside them the index. It returns the number of streams.
func writeMultistream(ctx context.Context, dump, index io.Writer, pages []page, meter Meter) (int, error) {
	defer meter.Done()
	m := &multistream{out: dump}
	if err := m.stream([]byte(head)); err != nil {
		return 0, err
	}
	var lines, body bytes.Buffer
	for from := 0; from < len(pages); from += pagesPerStream {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		body.Reset()
		some := pages[from:min(from+pagesPerStream, len(pages))]
		for _, p := range some {
			writePage(&body, p)
			fmt.Fprintf(&lines, "%d:%d:%s\n", m.offset, p.id, escape(p.title))
		}
		if err := m.stream(body.Bytes()); err != nil {
			return 0, err
		}
		meter.Add(int64(len(some)))
	}
	if err := m.stream([]byte(tail)); err != nil {
		return 0, err
	}
	list := &multistream{out: index}
	return m.streams, list.stream(lines.Bytes())
}

// stream compresses data into one complete stream at the end of the file. The compressor's tables are kept from stream to stream:
// they are larger than a stream.
func (m *multistream) stream(data []byte) (err error) {
	if m.zip == nil {
		m.zip, err = bzip2.NewWriter(m.out, &bzip2.WriterConfig{Level: 9})
	} else {
		err = m.zip.Reset(m.out)
	}
	if err != nil {
		return err
	}
	if _, err := m.zip.Write(data); err != nil {
		return err
	}
	if err := m.zip.Close(); err != nil {
		return err
	}
	m.offset += m.zip.OutputOffset
	m.streams++
	return nil
}

const (
	nsMain     = 0
	nsProject  = 4
	nsTemplate = 10
	nsCategory = 14
)

const wikitext = "wikitext"

// head is the first stream: root tag and siteinfo. Namespace names are those of an English wiki.
//
//go:embed head.xml
var head string

const tail = "</mediawiki>\n"

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// escape uses MediaWiki's own choice of entities, in text, attributes and index lines alike.
func escape(s string) string { return escaper.Replace(s) }

// writePage renders one page element. Field order is that of the export schema.
func writePage(b *bytes.Buffer, p page) {
	text := p.text()
	fmt.Fprintf(b, "  <page>\n    <title>%s</title>\n    <ns>%d</ns>\n    <id>%d</id>\n", escape(p.title), p.ns, p.id)
	if p.redirect != "" && !p.hiddenRedirect {
		fmt.Fprintf(b, "    <redirect title=\"%s\" />\n", escape(p.redirect))
	}
	fmt.Fprintf(b, "    <revision>\n      <id>%d</id>\n      <timestamp>%s</timestamp>\n", p.revision, p.timestamp)
	b.WriteString("      <contributor>\n        <username>Demo</username>\n        <id>1</id>\n      </contributor>\n")
	fmt.Fprintf(b, "      <origin>%d</origin>\n      <model>%s</model>\n      <format>%s</format>\n", p.revision, p.model, p.format)
	sum := base36(sha1.Sum([]byte(text)))
	if p.deleted {
		fmt.Fprintf(b, "      <text bytes=\"%d\" sha1=\"%s\" deleted=\"deleted\" />\n", len(text), sum)
	} else {
		fmt.Fprintf(b, "      <text bytes=\"%d\" sha1=\"%s\" xml:space=\"preserve\">%s</text>\n", len(text), sum, escape(text))
	}
	fmt.Fprintf(b, "      <sha1>%s</sha1>\n    </revision>\n  </page>\n", sum)
}

// base36 is the form of a SHA-1 in MediaWiki: 31 digits, lower case.
func base36(sum [sha1.Size]byte) string {
	return fmt.Sprintf("%031s", new(big.Int).SetBytes(sum[:]).Text(36))
}
