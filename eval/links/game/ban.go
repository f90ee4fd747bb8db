package game

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Ban forbids to enter pages of a category. Source and target are exempt, wherever they occur.
type Ban struct {
	Category   string // one of schemas.LabelNames
	Single     bool   // a page has its primary label alone, not all of its mask
	Unlabelled bool   // pages without a label are banned, too
}

// closes reports whether a page with these labels is banned; bit is the category's.
func (b Ban) closes(bit uint8, mask uint32, primary uint8) bool {
	switch {
	case mask == 0:
		return b.Unlabelled
	case b.Single:
		return primary == bit
	}
	return mask>>bit&1 == 1
}

// Labelled is a World whose pages have labels, in the bits of schemas.LabelNames.
type Labelled interface {
	World
	Mask(u uint32) uint32
	Primary(u uint32) uint8
	// Unbanned returns for each node the links on a shortest path to target that enters no closed
	// page, the target itself apart, or schemas.Unreached. The caller owns it.
	Unbanned(target uint32, closed []bool) ([]uint8, error)
}

// fence is what a ban makes of a world for one task, by node: games share it, nobody writes to it.
type fence struct {
	pages    Labelled
	closed   []bool
	distance []uint8 // to the target along allowed pages
	entering []uint8 // the same for whoever enters a page: a closed one leads nowhere
}

// encloses finds the pages that the ban closes, and the distances around them.
func (t Task) encloses(w World) (*fence, error) {
	pages, ok := w.(Labelled)
	if !ok {
		return nil, fault.New(fault.Usage, "instance %s bans a category, and the release has no labels", t.ID).Hint("build a release with the stage labels")
	}
	bit, ok := schemas.LabelBit(t.Ban.Category)
	if !ok {
		return nil, fault.New(fault.Malformed, "instance %s bans %s, which is no label", t.ID, fault.Quote(t.Ban.Category))
	}
	f := &fence{pages: pages, closed: make([]bool, w.Len())}
	for u := range f.closed {
		f.closed[u] = t.Ban.closes(bit, pages.Mask(uint32(u)), pages.Primary(uint32(u)))
	}
	f.closed[t.Source.Node], f.closed[t.Target.Node] = false, false
	var err error
	if f.distance, err = pages.Unbanned(t.Target.Node, f.closed); err != nil {
		return nil, err
	}
	f.entering = slices.Clone(f.distance)
	for u, closed := range f.closed {
		if closed {
			f.entering[u] = schemas.Unreached
		}
	}
	return f, nil
}

// Choice is a move as the prompts of a game with a ban recall it.
type Choice struct {
	From          string `json:"from"`
	Chosen        string `json:"chosen"`
	Justification string `json:"justification"`
}

// recall keeps a move for the prompts to come.
func (g *Game) recall(from, to uint32, s *Stated) {
	if g.ban == nil {
		return
	}
	c := Choice{From: g.title(from), Chosen: g.title(to)}
	if s != nil {
		c.Justification = s.Reasoning
	}
	g.recent = append(g.recent, c)
}

// recalled is the number of moves that an observation recalls.
const recalled = 2

// told returns the last moves, nothing in a rewritten task.
func (g *Game) told() []Choice {
	if RewritesHistory(g.opts) {
		return nil
	}
	return g.recent[max(0, len(g.recent)-recalled):]
}
