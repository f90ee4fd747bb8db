package game

import (
	"fmt"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

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
	if g.opts.Titles == TitlesAnon {
		return g.names.of[u]
	}
	return g.world.Title(u)
}

// pageID returns the page id that is shown, 0 for an anonymous page: an id could be looked up.
func (g *Game) pageID(u uint32) uint32 {
	if g.opts.Titles == TitlesAnon && u != g.task.Target.Node {
		return 0
	}
	return g.world.PageID(u)
}

// leadsOf returns the leads that the options show, nil for none.
func leadsOf(w World, opts schemas.GameOptions) (Leads, error) {
	what := "context=lead"
	switch {
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
