package ingest

import (
	"sync/atomic"

	"github.com/wikinav/wikinav/dumps/wikitext/titles"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// onDemand is on, off or auto.
type onDemand string

// IsZero leaves off out of what is written down: a recipe that asks for nothing is the recipe that
// it was.
func (s onDemand) IsZero() bool { return s == schemas.TextsOff || s == "" }

// sizeSwitch says whether anchors, or texts, are read. Under auto it is turned off by the page that
// makes the wiki too large, whichever workers then have read theirs: what counts in the end is the
// number of pages alone. A nil switch is off.
type sizeSwitch struct {
	auto bool
	most int64 // pages that auto still reads
	off  atomic.Bool
}

func newAnchorSwitch(mode string) *sizeSwitch {
	if mode == schemas.AnchorsOff {
		return nil
	}
	return &sizeSwitch{auto: mode != schemas.AnchorsOn, most: autoPages - 1}
}

func newTextSwitch(mode onDemand) *sizeSwitch {
	if mode.IsZero() {
		return nil
	}
	return &sizeSwitch{auto: mode != schemas.TextsOn, most: autoTexts - 1}
}

// autoPages and autoTexts are what a test makes smaller.
var (
	autoPages int64 = schemas.AnchorsAutoPages
	autoTexts int64 = schemas.TextsAutoPages
)

func (s *sizeSwitch) on() bool { return s != nil && !s.off.Load() }

// seen is told how many pages there are so far.
func (s *sizeSwitch) seen(pages int64) {
	if s != nil && s.auto && pages > s.most {
		s.off.Store(true)
	}
}

// warnOfTrail says that the wiki states a link trail which we cannot read, so that anchors may end
// too early or too late.
func (s *sizeSwitch) warnOfTrail(env stages.Env, site *titles.Site) {
	unknown := s.on() && !site.KnowsLinkTrail()
	env.Count("link_trail_unknown", one(unknown))
	if unknown {
		env.Warn(schemas.Warning{Code: "W_LINK_TRAIL"})
	}
}

const anchorsFile = "link-anchors.arrow"

// writeAnchors writes the anchors of r, whose links are the next rows of links.arrow.
func (o *outputs) writeAnchors(r *record) error {
	if !o.withAnchors {
		return nil
	}
	w := o.anchors
	for _, a := range r.anchors {
		if err := w.Row(uint64(o.written)+uint64(a.Link), a.At, a.Provenance, a.Text); err != nil {
			return err
		}
	}
	o.anchorRows += int64(len(r.anchors))
	return nil
}
