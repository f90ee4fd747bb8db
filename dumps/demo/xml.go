package demo

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"math/big"
	"strings"
)

const (
	nsMain     = 0
	nsProject  = 4
	nsSystem   = 8
	nsTemplate = 10
	nsHelp     = 12
	nsCategory = 14
	nsModule   = 828
)

const wikitext = "wikitext"

// head is the first stream: root tag and siteinfo. Namespace names are those of an English wiki.
const head = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.mediawiki.org/xml/export-0.11/ http://www.mediawiki.org/xml/export-0.11.xsd" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Demowiki</sitename>
    <dbname>demowiki</dbname>
    <base>https://demo.invalid/wiki/Main_Page</base>
    <generator>wikinav demo</generator>
    <case>first-letter</case>
    <namespaces>
      <namespace key="-2" case="first-letter">Media</namespace>
      <namespace key="-1" case="first-letter">Special</namespace>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="2" case="first-letter">User</namespace>
      <namespace key="3" case="first-letter">User talk</namespace>
      <namespace key="4" case="first-letter">Demowiki</namespace>
      <namespace key="5" case="first-letter">Demowiki talk</namespace>
      <namespace key="6" case="first-letter">File</namespace>
      <namespace key="7" case="first-letter">File talk</namespace>
      <namespace key="8" case="first-letter">MediaWiki</namespace>
      <namespace key="9" case="first-letter">MediaWiki talk</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
      <namespace key="11" case="first-letter">Template talk</namespace>
      <namespace key="12" case="first-letter">Help</namespace>
      <namespace key="13" case="first-letter">Help talk</namespace>
      <namespace key="14" case="first-letter">Category</namespace>
      <namespace key="15" case="first-letter">Category talk</namespace>
      <namespace key="828" case="first-letter">Module</namespace>
      <namespace key="829" case="first-letter">Module talk</namespace>
    </namespaces>
  </siteinfo>
`

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
