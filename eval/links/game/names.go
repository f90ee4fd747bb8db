package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Renamed is a World that invents names for its pages, each of which has one of its own.
type Renamed interface{ Pseudonym(u uint32) string }

// PseudonymSeed returns the seed of titles=pseudonym, which is 0, or of titles=pseudonym:N; false
// under other titles.
func PseudonymSeed(o schemas.GameOptions) (seed uint64, ok bool) {
	if o.Titles == TitlesPseudonym {
		return 0, true
	}
	text, ok := strings.CutPrefix(o.Titles, TitlesPseudonym+":")
	seed, err := strconv.ParseUint(text, 10, 32)
	return seed, ok && err == nil && seed > 0 && strconv.FormatUint(seed, 10) == text
}

// renamedOf returns the world that names pages under titles=pseudonym, nil under other titles.
func renamedOf(w World, opts schemas.GameOptions) (Renamed, error) {
	if _, ok := PseudonymSeed(opts); !ok {
		return nil, nil
	}
	renamed, ok := w.(Renamed)
	if !ok {
		return nil, fault.New(fault.Usage, "game option titles=%s: the pages of this world have no other names",
			opts.Titles)
	}
	return renamed, nil
}

// pseudonym returns the name of a page, under a ban with the categories that the ban looks at: they
// are what a player would have to know of the page to keep to it.
func (g *Game) pseudonym(u uint32) string {
	name := g.renamed.Pseudonym(u)
	if g.ban == nil {
		return name
	}
	labels := schemas.BitNames(g.ban.pages.Mask(u), schemas.LabelNames)
	if primary := int(g.ban.pages.Primary(u)); g.task.Ban.Single && primary < len(schemas.LabelNames) {
		labels = schemas.LabelNames[primary : primary+1]
	}
	if len(labels) == 0 {
		return name
	}
	return name + " (" + strings.Join(labels, ", ") + ")"
}

// placeOf finds the link to a page of an invented name.
func (g *Game) placeOf(name string) (int, bool) {
	i := slices.IndexFunc(g.links, func(u uint32) bool { return g.renamed.Pseudonym(u) == name })
	return i, i >= 0
}

// names are those of titles=anon: pages numbered as they are shown for the first time. Menus are
// shuffled before they are numbered, so that a number says nothing of the page.
type names struct {
	of   map[uint32]string
	next int
}

func (n *names) give(pages []uint32, target schemas.PageRef) {
	if n.of == nil {
		n.of = map[uint32]string{target.Node: target.Title}
	}
	for _, u := range pages {
		if _, ok := n.of[u]; !ok {
			n.of[u] = n.fresh(target.Title)
		}
	}
}

// fresh returns the next name; the target may be a page that is called like one.
func (n *names) fresh(taken string) string {
	n.next++
	if name := fmt.Sprintf("page_%03d", n.next); name != taken {
		return name
	}
	return n.fresh(taken)
}

func (g *Game) title(u uint32) string {
	switch {
	case g.renamed != nil:
		return g.pseudonym(u)
	case g.opts.Titles == TitlesAnon:
		return g.names.of[u]
	}
	return g.world.Title(u)
}

// Shown returns what a player may call a page that an observation has.
func (g *Game) Shown(u uint32) string { return g.title(u) }

// pageID returns the page id that is shown, 0 for a page whose title is not: an id could be looked
// up.
func (g *Game) pageID(u uint32) uint32 {
	if g.renamed != nil || g.opts.Titles == TitlesAnon && u != g.task.Target.Node {
		return 0
	}
	return g.world.PageID(u)
}

// leadsOf returns the leads that the options show, nil for none. Beside invented names there are
// none: a lead names its page.
func leadsOf(w World, opts schemas.GameOptions) (Leads, error) {
	what := "context=lead"
	_, masked := PseudonymSeed(opts)
	switch {
	case masked:
		return nil, nil
	case HasBan(opts) && opts.TargetIntro > 0:
		what = fmt.Sprintf("target_intro=%d", opts.TargetIntro)
	case opts.Context != ContextLead:
		return nil, nil
	}
	leads, ok := w.(Leads)
	if !ok {
		return nil, fault.New(fault.Usage, "game option %s: the release has no leads", what).Hint("build a release with leads, or set context=none and target_intro=0")
	}
	return leads, nil
}
