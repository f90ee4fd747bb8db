package links

import (
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/dumps/wikitext/titles"
)

// hatnoteNames are the templates whose positional arguments name pages (specification 5.4).
var hatnoteNames = titles.Set("Main", "Main article", "See also", "Further", "Further information", "Details")

// ReadHatnotes makes Links read the titles in hatnotes such as {{main|X}} as links in a template.
// The graph of a dump read so is another one; it is off unless this is called before the first
// page.
func (x *Extractor) ReadHatnotes() { x.hatnotes = true }

// hatnotes finds the titles in the hatnotes of a flat text, in order of position.
type hatnotes struct {
	markup.Braces
	args []hatArg
}

// hatArg is a title in a hatnote.
type hatArg struct{ start, end int32 }

func (h *hatnotes) find(flat string, s *titles.Site) {
	h.args = h.args[:0]
	if !strings.Contains(flat, "{{") {
		return
	}
	h.Braces.Find(flat)
	for i := range h.Calls {
		c := &h.Calls[i]
		if !c.Bounded() || !hatnoteNames[s.TemplateName(c.Written(flat))] {
			continue
		}
		for _, p := range c.Parts[1:] {
			h.add(flat, p)
		}
	}
}

// add takes an argument. One that is named says how to show the others; one that holds brackets or
// braces has its links by itself.
func (h *hatnotes) add(flat string, p markup.Part) {
	start, end := p.Trimmed(flat)
	if p.Equals < 0 && start < end && !strings.ContainsAny(flat[start:end], "[]{}") {
		h.args = append(h.args, hatArg{int32(start), int32(end)})
	}
}

// hatnote takes the link that an argument is.
func (x *Extractor) hatnote(raw string, at place) {
	x.counts[Found]++
	if link := x.link(raw, provenances[at]); x.anchors != nil && link != noLink {
		x.hatAnchor(link, raw, provenances[at])
	}
}
