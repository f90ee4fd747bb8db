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

	own   Title
	links []Link
	seen  map[string]int // index in links by target
}

// level is the working memory for one depth of nested bodies. A body never holds a tag of its own name, since it
// ends at the first closing tag; so there are at most as many levels as names of bodies, and one for the page.
type level struct {
	flattener
	marks
}

// NewExtractor returns an extractor for pages of s.
func NewExtractor(s *Site) *Extractor {
	return &Extractor{site: s, seen: map[string]int{}}
}

// Counts gives what became of all links since NewExtractor.
func (x *Extractor) Counts() Counts { return x.counts }

// Links gives the targets of a page in the order of their first occurrence, each once (steps A to E). Own is the
// page's title. The result is valid until the next call; targets may share memory with text, so clone what is kept.
func (x *Extractor) Links(own Title, text string) []Link {
	x.reset(own)
	x.fragment(expandMagic(text, own.Text, x.site.FullTitle(own)), 0, inBody)
	return x.links
}

func (x *Extractor) reset(own Title) {
	const small = 4096
	// Clearing a map costs its capacity: one page with many links must not slow down all later ones.
	if len(x.seen) > small {
		x.seen = map[string]int{}
	}
	clear(x.seen)
	clear(x.links) // lets go of the last page's text
	x.own, x.links = own, x.links[:0]
}

// fragment reads raw text, the page's or that of a body which stands in around: links and bodies in the order of
// their positions.
func (x *Extractor) fragment(raw string, depth int, around place) {
	l := x.level(depth)
	flat := l.flatten(raw)
	l.find(flat, x.site)
	bodies := l.subs
	where := tour{marks: &l.marks}
	for i, b := range l.brackets {
		for ; len(bodies) > 0 && bodies[0].at < b.start; bodies = bodies[1:] {
			x.body(bodies[0], depth, min(around, where.at(bodies[0].at)))
		}
		end := len(flat)
		if i+1 < len(l.brackets) {
			end = l.brackets[i+1].start
		}
		x.bracket(b, flat[b.start+2:end], min(around, where.at(b.start)))
	}
	for _, b := range bodies {
		x.body(b, depth, min(around, where.at(b.at)))
	}
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
	raw, ok := linkTarget(piece)
	switch {
	case ok:
		x.link(raw, provenances[at])
	case b.file && b.end > 0:
		x.counts.File++
	default:
		x.counts.Unterminated++
	}
}

func (x *Extractor) link(raw string, at schemas.Provenance) {
	t, err := x.site.ParseTitle(raw)
	if err != nil {
		x.counts.Invalid++
		return
	}
	if reason := x.counts.dropped(t, x.own, x.site); reason != nil {
		*reason++
		return
	}
	x.counts.keep(at)
	if i, ok := x.seen[t.Text]; ok {
		x.links[i].Provenance |= at
		return
	}
	x.seen[t.Text] = len(x.links)
	x.links = append(x.links, Link{t.Text, at})
}
