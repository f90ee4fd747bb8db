package links

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/names"
)

// Anchor is what readers see of a link: its label, or its target where it has none, and its trail,
// without markup. It is "" for a link of which nothing is seen that stands in the text itself, such
// as a label that is a template.
type Anchor struct {
	Link       uint32             // index in the page's links
	At         uint32             // its place among all occurrences of the page's links
	Provenance schemas.Provenance // of this occurrence, one bit
	Text       string
}

// anchors collects the anchors of a page.
type anchors struct {
	list  []Anchor
	first []int32         // by link: place in list of its first anchor, plus 1; 0 for none
	seen  map[Anchor]bool // further anchors of a link, by all but At: few links have any
	next  uint32          // place of the next occurrence
	buf   []byte
}

// ReadAnchors says whether Links collects anchors from the next page on. It does not unless this is
// called.
func (x *Extractor) ReadAnchors(on bool) {
	x.anchors = nil
	if on {
		x.anchors = &anchors{seen: map[Anchor]bool{}}
	}
}

// Anchors returns the anchors of the page that Links read last, if ReadAnchors asked for them: by
// link, those of a link in the order of the text; of occurrences of a link that agree in text and
// provenance the first. Every link has one. The slice is valid until the next call of Links, its
// strings may be kept.
func (x *Extractor) Anchors() []Anchor {
	if x.anchors == nil {
		return nil
	}
	slices.SortFunc(x.anchors.list, func(a, b Anchor) int { return cmp.Or(cmp.Compare(a.Link, b.Link), cmp.Compare(a.At, b.At)) })
	return x.anchors.list
}

func (a *anchors) reset() {
	const usual = 1 << 12
	if len(a.seen) > usual { // one page with many must not slow down all later ones
		a.seen = map[Anchor]bool{}
	}
	clear(a.seen)
	clear(a.first)
	a.list, a.first, a.next = a.list[:0], a.first[:0], 0
}

// longestLabel is how much of a label is read: all of one in a text that MediaWiki saves.
const longestLabel = 2 << 20

// anchor takes the anchor of an occurrence of link i: target is written in it, and rest is the text
// from its `|` or `]]` on.
func (x *Extractor) anchor(i int, target, rest string, at schemas.Provenance) {
	label, after := cutLabel(rest)
	if len(label) > longestLabel {
		label = strings.ToValidUTF8(label[:longestLabel], "")
	}
	trail := after[:x.site.TrailLen(after)]
	b := x.anchors.buf[:0]
	switch {
	case label != "" && isPlainLabel(label):
		b = append(b, label...)
	case label != "":
		b = append(b, shownLabel(x.site, label)...)
	case isPlainLabel(target) && target[0] != ':' && strings.IndexByte(target, '%') < 0:
		b = append(b, target...)
	default:
		b = append(b, shownTarget(target)...)
	}
	b = append(b, trail...)
	x.anchors.buf = b
	x.keepAnchor(uint32(i), tidyAnchor(markup.View(b)), at)
}

// hatAnchor takes the anchor of a title that stands in a hatnote.
func (x *Extractor) hatAnchor(i int, title string, at schemas.Provenance) {
	x.keepAnchor(uint32(i), tidyAnchor(shownTarget(title)), at)
}

func (x *Extractor) keepAnchor(link uint32, text string, at schemas.Provenance) {
	a := x.anchors
	place := a.next
	a.next++
	if !a.begins(link) {
		first := a.list[a.first[link]-1]
		if first.Provenance == at && first.Text == text {
			return
		}
		key := Anchor{Link: link, Provenance: at, Text: text}
		if a.seen[key] {
			return
		}
		key.Text = x.texts.keep(text)
		text, a.seen[key] = key.Text, true
	} else {
		text = x.texts.keep(text)
	}
	a.list = append(a.list, Anchor{link, place, at, text})
}

// begins reports whether the next anchor is the first of its link, and notes where that will stand.
func (a *anchors) begins(link uint32) bool {
	for int(link) >= len(a.first) {
		a.first = append(a.first, 0)
	}
	if a.first[link] != 0 {
		return false
	}
	a.first[link] = int32(len(a.list) + 1)
	return true
}

// cutLabel divides what follows a target into label and the text after the link. A third `]` ends a
// bracket that was opened in the label. There is a label of one byte at least behind a `|`.
func cutLabel(rest string) (label, after string) {
	if rest[0] == ']' {
		return "", rest[len("]]"):]
	}
	end := len("|]") + strings.Index(rest[len("|]"):], "]]")
	label, after = rest[1:end], rest[end+len("]]"):]
	if strings.HasPrefix(after, "]") && strings.IndexByte(label, '[') >= 0 {
		return rest[1 : end+1], after[1:]
	}
	return label, after
}

// plainLabelBytes need no work in a label.
var plainLabelBytes = ascii.NewByteSet(ascii.ByteSet{}, " !\"#$%()*+,-./:;=?@^`|~"+ascii.Alphanumeric)

// isPlainLabel reports whether a label shows as it is written.
func isPlainLabel(s string) bool {
	for i := range len(s) {
		if !plainLabelBytes[s[i]] {
			return false
		}
	}
	return true
}

// shownLabel returns a label without markup. Templates in it show as in leads; the bodies of tags
// stand elsewhere.
func shownLabel(s *titles.Site, label string) string {
	label = strings.ReplaceAll(label, string(markup.Marker), "")
	label = markup.WithoutTemplates(s, label)
	if strings.IndexByte(label, '[') >= 0 { // an external link: one of another kind cannot be there
		label = markup.WithoutLinks(s, label)
	}
	return markup.WithoutFormatting(label)
}

// shownTarget returns what a link without label shows.
func shownTarget(target string) string {
	target = strings.TrimLeft(names.DecodePercent(target), " ")
	return titles.DecodeReferences(strings.TrimPrefix(target, ":"))
}

// isTidy tells in one look what is true of most anchors: nothing beyond ASCII, no control
// character, no blank too many.
func isTidy(s string) bool {
	blank := true
	for i := range len(s) {
		b := s[i]
		if b < ' ' || b >= utf8.RuneSelf || blank && b == ' ' {
			return false
		}
		blank = b == ' '
	}
	return !blank
}

// tidyAnchor makes runs of blanks one, none at the ends, and NFC.
func tidyAnchor(text string) string {
	if isTidy(text) {
		return text
	}
	text = norm.NFC.String(text)
	if !strings.ContainsAny(text, "\t\n\r\u00A0") && !strings.Contains(text, "  ") {
		return strings.Trim(text, " ")
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == 0xA0
	}), " ")
}
