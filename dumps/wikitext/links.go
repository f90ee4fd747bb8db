package wikitext

import "github.com/wikinav/wikinav/schemas"

// Link is one target of a page, before redirects are resolved.
type Link struct {
	Target     string             // normalised title of namespace 0
	Provenance schemas.Provenance // OR over the occurrences
}

// Extractor reads the links of one page after another. It reuses its memory, which grows to what the largest page
// needs; use one per goroutine.
type Extractor struct {
	site   *Site
	levels []*level
	counts Counts

	hatnotes bool     // they are read
	anchors  *anchors // nil where they are not

	own    Title
	self   schemas.Provenance // of the page's links to itself
	links  []Link
	seen   linkIndex // of links, by target
	texts  arena
	buf    []byte
	names  nameTable
	marked bool // the page is in a category of disambiguation pages, or has a template of such
	top    []string
}

// level is the working memory for one depth of nested bodies. A body never holds a tag of its own name, since it
// ends at the first closing tag; so there are at most as many levels as names of bodies, and one for the page.
type level struct {
	flattener
	marks
	flat string // overwritten when the next fragment of this depth is read
	hats hatnotes
}

// NewExtractor returns an extractor for pages of s.
func NewExtractor(s *Site) *Extractor {
	return &Extractor{site: s, seen: newLinkIndex(), names: nameTable{}}
}

// Counts gives what became of all links since NewExtractor.
func (x *Extractor) Counts() Counts { return x.counts }

// Links gives the targets of a page in the order of their first occurrence, each once (steps A to E). Own is the
// page's title. The slice is valid until the next call. Its strings may be kept: they are copies, shared by the links of
// some pages, and hold on to no text.
func (x *Extractor) Links(own Title, text string) []Link {
	x.reset(own)
	x.fragment(expandMagic(text, own.Text, x.site.FullTitle(own)), 0, inBody)
	return x.links
}

// SelfLinks gives the provenance of the links to itself that the page last read by Links has, 0 for none.
func (x *Extractor) SelfLinks() schemas.Provenance { return x.self }

func (x *Extractor) reset(own Title) {
	x.seen.reset()
	if x.anchors != nil {
		x.anchors.reset()
	}
	x.own, x.links, x.self, x.marked = own, x.links[:0], 0, false
}

// fragment reads raw text, the page's or that of a body which stands in around: links and bodies in the order of
// their positions.
func (x *Extractor) fragment(raw string, depth int, around place) {
	l := x.level(depth)
	l.flat = l.flatView(raw)
	l.find(l.flat, x.site)
	if x.hatnotes {
		l.hats.find(l.flat, x.site)
	}
	r := reading{x: x, level: l, depth: depth, around: around, bodies: l.subs, notes: l.hats.args, where: tour{marks: &l.marks}}
	for i, b := range l.brackets {
		r.upTo(b.start)
		end := len(l.flat)
		if i+1 < len(l.brackets) {
			end = l.brackets[i+1].start
		}
		x.bracket(b, l.flat[b.start+2:end], r.at(b.start))
	}
	r.upTo(len(l.flat))
}

func (x *Extractor) body(b sub, depth int, around place) {
	x.fragment(b.body, depth+1, min(around, b.tag.place))
}

func (x *Extractor) level(depth int) *level {
	if depth == len(x.levels) {
		x.levels = append(x.levels, new(level))
	}
	return x.levels[depth]
}

// bracket takes the link that begins at b, if one does; piece reaches from there to the next `[[`.
func (x *Extractor) bracket(b bracket, piece string, at place) {
	x.counts.Found++
	raw, plain, ok := linkTarget(piece)
	link := noLink
	switch {
	case plain:
		link = x.page(x.capitalised(raw), provenances[at])
	case ok:
		link = x.link(raw, provenances[at])
	case b.file && b.end > 0:
		x.counts.File++
	default:
		x.counts.Unterminated++
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
		x.counts.Invalid++
		return noLink
	}
	if reason := x.counts.dropped(t, x.site); reason != nil {
		*reason++
		x.marked = x.marked || t.NS == nsCategory && !t.Forced && x.site.words.categories[t.Text]
		return noLink
	}
	return x.page(t.Text, at)
}

// page takes a link to a page of namespace 0, "" for a part of the own page, and gives its index.
func (x *Extractor) page(title string, at schemas.Provenance) int {
	if title == "" || x.own.NS == nsMain && title == x.own.Text {
		x.counts.Self++
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

// capitalised is the site's rule for the first letter, which is ASCII, without an allocation. The result is overwritten
// by the next call.
func (x *Extractor) capitalised(plain string) string {
	upper := upperByte(plain[0])
	if upper == plain[0] || x.site.keepsMainCase || upper == 'I' && x.site.dottedI {
		return x.site.capitalise(plain, nsMain)
	}
	x.buf = append(append(x.buf[:0], upper), plain[1:]...)
	return view(x.buf)
}
