// Package links reads the links of a page, where each stands, and what readers see of it; and it
// knows disambiguation pages.
//
// A page goes through its steps in the order of these functions: markup.ExpandMagic and
// markup.Flattener, linkTarget (grammar.go), titles.ParseTitle, dropped (counts.go). It promises
// that every `[[` is kept or counted under the reason that dropped it. It never resolves a
// redirect, and keeps nothing of a page that it has read.
package links

import (
	"strings"
	"unicode"

	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
)

// Link is one target of a page, before redirects are resolved.
type Link struct {
	Target     string             // normalised title of namespace 0
	Provenance schemas.Provenance // OR over the occurrences
}

// Extractor reads the links of one page after another. It reuses its memory, which grows to what
// the largest page needs; use one per goroutine.
type Extractor struct {
	site   *titles.Site
	levels []*level
	counts Counts
	alien  int64 // kept links that begin like a namespace of another wiki

	hatnotes bool     // they are read
	anchors  *anchors // nil where they are not

	own    titles.Title
	self   schemas.Provenance // of the page's links to itself
	links  []Link
	seen   linkIndex // of links, by target
	texts  arena
	buf    []byte
	names  markup.NameTable
	marked bool // the page is in a category of disambiguation pages, or has a template of such
	top    []string
}

// level is the working memory for one depth of nested bodies. A body never holds a tag of its own
// name, since it ends at the first closing tag; so there are at most as many levels as names of
// bodies, and one for the page.
type level struct {
	markup.Flattener
	markup.Marks
	flat string // overwritten when the next fragment of this depth is read
	hats hatnotes
}

func NewExtractor(s *titles.Site) *Extractor {
	return &Extractor{site: s, seen: newLinkIndex(), names: markup.NameTable{}}
}

// Counts returns what became of all links since NewExtractor.
func (x *Extractor) Counts() Counts { return x.counts }

// Alien returns how many of the links that were kept begin like a namespace that the site does not
// have, as [[Datei:A.jpg]]: hardly any on a wiki whose siteinfo is its own.
func (x *Extractor) Alien() int64 { return x.alien }

// Links returns the targets of a page in the order of their first occurrence, each once (steps A to
// E). Own is the page's title. The slice is valid until the next call. Its strings may be kept:
// they are copies, shared by the links of some pages, and hold on to no text.
func (x *Extractor) Links(own titles.Title, text string) []Link {
	x.reset(own)
	x.fragment(markup.ExpandMagic(text, own.Text, x.site.FullTitle(own)), 0, inBody)
	return x.links
}

// SelfLinks returns the provenance of the links to itself that the page last read by Links has, 0 for
// none.
func (x *Extractor) SelfLinks() schemas.Provenance { return x.self }

// Forget gives back the memory that the last page needed; what Links returned stays as it is until
// the next call.
func (x *Extractor) Forget() {
	x.levels, x.links, x.seen, x.top, x.buf = nil, nil, newLinkIndex(), nil, nil
	x.ReadAnchors(x.anchors != nil)
}

func (x *Extractor) reset(own titles.Title) {
	x.seen.reset()
	if x.anchors != nil {
		x.anchors.reset()
	}
	x.own, x.links, x.self, x.marked = own, x.links[:0], 0, false
}

// fragment reads raw text, the page's or that of a body which stands in around: links and bodies in
// the order of their positions.
func (x *Extractor) fragment(raw string, depth int, around place) {
	l := x.level(depth)
	l.flat = l.FlatView(raw)
	l.Find(l.flat, x.site)
	if x.hatnotes {
		l.hats.find(l.flat, x.site)
	}
	r := reading{x: x, level: l, depth: depth, around: around, bodies: l.Subs, notes: l.hats.args, where: tour{marks: &l.Marks}}
	for i, b := range l.Brackets {
		r.upTo(b.Start)
		end := int32(len(l.flat))
		if i+1 < len(l.Brackets) {
			end = l.Brackets[i+1].Start
		}
		x.bracket(b, l.flat[b.Start+2:end], r.at(b.Start))
	}
	r.upTo(int32(len(l.flat)))
}

func (x *Extractor) body(b markup.Sub, depth int, around place) {
	x.fragment(b.Body, depth+1, min(around, placeOf(b.Tag.Name)))
}

func (x *Extractor) level(depth int) *level {
	if depth == len(x.levels) {
		x.levels = append(x.levels, new(level))
	}
	return x.levels[depth]
}

// bracket takes the link that begins at b, if one does; piece reaches from there to the next `[[`.
func (x *Extractor) bracket(b markup.Bracket, piece string, at place) {
	x.counts[Found]++
	raw, plain, ok := linkTarget(piece)
	link := noLink
	switch {
	case plain:
		x.buf = x.site.AppendPlain(x.buf[:0], raw)
		link = x.page(markup.View(x.buf), provenances[at])
	case ok:
		link = x.link(raw, provenances[at])
	case b.File && b.End > 0:
		x.counts[File]++
	default:
		x.counts[Unterminated]++
	}
	if x.anchors != nil && link != noLink {
		x.anchor(link, raw, piece[len(raw):], provenances[at])
	}
}

// noLink stands for the index of a link that is not kept.
const noLink = -1

// link takes a link to what is written as raw and gives its index.
func (x *Extractor) link(raw string, at schemas.Provenance) int {
	t, err := x.site.ParseTitle(raw)
	if err != nil {
		x.counts[Invalid]++
		return noLink
	}
	if reason := dropped(t, x.site); reason != Kept {
		x.counts[reason]++
		x.marked = x.marked || x.site.IsDisambiguationCategory(t)
		return noLink
	}
	if looksNamespaced(t.Text) {
		x.alien++
	}
	return x.page(t.Text, at)
}

// looksNamespaced reports whether a title is a word and a colon with no blank behind it. Subtitles
// have the blank.
func looksNamespaced(title string) bool {
	colon := strings.IndexByte(title, ':')
	if colon < 2 || colon+1 == len(title) || title[colon+1] == ' ' {
		return false
	}
	return strings.IndexFunc(title[:colon], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) < 0
}

// page takes a link to a page of namespace 0, "" for a part of the own page, and gives its index.
func (x *Extractor) page(title string, at schemas.Provenance) int {
	if title == "" || x.own.NS == titles.NSMain && title == x.own.Text {
		x.counts[Self]++
		x.self |= at
		return noLink
	}
	x.counts.keep(at)
	slot := x.seen.find(title, x.links)
	if *slot > 0 {
		x.links[*slot-1].Provenance |= at
		return int(*slot - 1)
	}
	x.links = append(x.links, Link{x.texts.keep(title), at})
	*slot = uint32(len(x.links))
	return len(x.links) - 1
}

// reading is the way through one fragment.
type reading struct {
	x      *Extractor
	level  *level
	depth  int
	around place
	bodies []markup.Sub // ahead
	notes  []hatArg     // ahead
	where  tour
}

// at returns the place of pos. Positions come in rising order.
func (r *reading) at(pos int32) place { return min(r.around, r.where.at(pos)) }

// upTo reads the bodies and hatnotes before pos.
func (r *reading) upTo(pos int32) {
	for {
		switch {
		case len(r.notes) > 0 && r.notes[0].start < pos && (len(r.bodies) == 0 || r.notes[0].start < r.bodies[0].At):
			n := r.notes[0]
			r.notes = r.notes[1:]
			r.x.hatnote(r.level.flat[n.start:n.end], min(inTemplate, r.at(n.start)))
		case len(r.bodies) > 0 && r.bodies[0].At < pos:
			b := r.bodies[0]
			r.bodies = r.bodies[1:]
			r.x.body(b, r.depth, r.at(b.At))
		default:
			return
		}
	}
}
