// Package guard stands between the bytes of a MediaWiki export and any XML parser.
//
// encoding/xml buffers whatever a file claims, takes two titles or none, and stops without a word at the
// wrong kind of document. The guard is a byte scanner that reads the same XML first, in one pass. It owns
// the limits of size and nesting, the well-formedness of everything it lets through, and one Record per page
// with the fields that go-wikiparse drops. It promises that a page it hands on is complete, that io.EOF
// means that the document ended as it must, and that what it keeps in memory is bounded by Limits.
//
// It never repairs: damage to the document is a *SyntaxError and final; a page that is well-formed but breaks a rule
// for pages has its reason in Record.Malformed, and the next page follows.
//
// Scanner is the byte scanner; it keeps one tag in memory. Pages assembles its tokens into records.
package guard

import "fmt"

// Limits bounds what a document may hold. Sizes count bytes as they stand in the XML, references unresolved.
type Limits struct {
	Text       int   // the text of one revision, with its references resolved: see PageText
	Field      int   // any other field that is kept: title, id, timestamp, sum
	Tag        int   // one tag with its attributes; what exceeds it is damage, not a malformed page
	SiteInfo   int   // the siteinfo element
	Outside    int64 // what stands between two pages
	Prelude    int64 // how far from the start siteinfo may begin
	Depth      int   // nesting of elements, the root included
	Attributes int   // attributes of an element
	Revisions  int   // revisions of a page
}

// PageText is the longest text that MediaWiki saves: $wgMaxArticleSize, 2 MiB.
const PageText = 2 << 20

// longestReference is the most bytes of XML that MediaWiki writes for a byte of text, &quot;. So much more may a text take in the file
// before it is known how long it is.
const longestReference = 6

// TextTooLong is the reason of a page whose text is longer than Limits.Text, with both sizes.
const TextTooLong = "text longer than %d bytes: %d"

// DefaultLimits are those of the specification.
var DefaultLimits = Limits{
	Text:       PageText,
	Field:      4 << 10,
	Tag:        64 << 10,
	SiteInfo:   1 << 20,
	Outside:    1 << 20,
	Prelude:    64 << 10,
	Depth:      64,
	Attributes: 64,
	Revisions:  1_000_000,
}

// Part says which ends of a document a reader holds. The streams of a multistream dump are cut out of one document.
type Part struct {
	Opens  bool // begins with the prolog and the root's start tag; else the root is open already
	Closes bool // ends with the root's end tag; else the root stays open
}

// The parts of a document.
var (
	Whole = Part{Opens: true, Closes: true}
	Head  = Part{Opens: true}
	Body  = Part{}
	Foot  = Part{Closes: true}
)

// Codes of errors that have a name of their own.
const (
	CodeUTF16      = "E_XML_UTF16"
	CodeNoSiteInfo = "E_XML_NO_SITEINFO"
	CodeTrailing   = "E_XML_TRAILING"
)

// SyntaxError is damage that ends the reading of a document.
type SyntaxError struct {
	Offset int64  // byte of the decompressed XML
	Code   string // one of the codes above, or ""
	What   string
}

func (e *SyntaxError) Error() string {
	if e.Code != "" {
		return fmt.Sprintf("%s at byte %d: %s", e.Code, e.Offset, e.What)
	}
	return fmt.Sprintf("XML syntax error at byte %d: %s", e.Offset, e.What)
}
