package links

import (
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
)

// Of returns what games need of a release; leads, labels and redirects are read once asked for.
func Of(r *open.Release) replay.Release {
	return replay.Release{
		Name: r.Name(), ID: r.Manifest().ID, ManifestSHA256: r.ManifestSHA256(), Wiki: r.Manifest().Wiki,
		FreshSince: r.Manifest().FreshSince,
		World:      func(o schemas.GameOptions) (game.World, error) { return worldFor(r, o) }, Resolve: r.Resolver,
	}
}

// worldFor returns the world under these rules: with leads where they are shown and there, and
// under a ban with labels and redirects, by which a reply may name a page.
func worldFor(r *open.Release, o schemas.GameOptions) (game.World, error) {
	w, err := r.World()
	if err != nil {
		return nil, err
	}
	banned, shown, text := game.HasBan(o), o.Context == game.ContextLead, leads{world: w}
	if banned {
		shown = o.TargetIntro > 0
	}
	if shown = shown && r.HasLeads(); shown {
		if text.of, err = r.Leads(); err != nil {
			return nil, err
		}
	}
	switch {
	case !banned && shown:
		return reading{w, text}, nil
	case !banned:
		return w, nil
	}
	l := labelled{World: w}
	if l.labels, err = r.ReadLabels(); err != nil {
		return nil, err
	}
	if l.aliases, err = r.Aliases(); err != nil || !shown {
		return l, err
	}
	return readingLabelled{l, text}, nil
}

type leads struct {
	world *open.World
	of    map[uint32]string // by page id
}

func (l leads) Lead(u uint32) (string, bool) {
	text := l.of[l.world.PageID(u)]
	return text, text != ""
}

// reading is a world whose pages have leads.
type reading struct {
	*open.World
	leads
}

// readingLabelled is a world whose pages have leads and labels.
type readingLabelled struct {
	labelled
	leads
}

// labelled is a world whose pages have labels, and whose redirects are known.
type labelled struct {
	*open.World
	labels  *labels.Labels
	aliases map[string]uint32
}

func (w labelled) Mask(u uint32) uint32   { return w.labels.Masks[u] }
func (w labelled) Primary(u uint32) uint8 { return w.labels.Primaries[u] }

func (w labelled) Alias(title string) (uint32, bool) {
	u, ok := w.aliases[title]
	return u, ok
}

func (w labelled) Unbanned(target uint32, closed []bool) ([]uint8, error) {
	dist := make([]uint8, w.Len())
	graph.DistancesUnbanned(w.Pred, target, closed, dist, nil)
	return dist, nil
}
