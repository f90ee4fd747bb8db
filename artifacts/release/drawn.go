package release

import (
	"errors"
	"strings"
	"sync"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/menu"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Drawn is a part whose instances can be drawn.
type Drawn interface {
	// EachDrawn visits the instances of a file of JSON lines in its order, each with a function
	// that draws it while the visit lasts; none of a file that holds no instances.
	EachDrawn(s *Scene, f Files, name string, visit Visit) error
}

// Visit takes an instance, and draws it if it cares to.
type Visit func(id string, draw func() (dag.Drawing, error)) error

// Scene is what instances are drawn on.
type Scene struct {
	World func() (*World, error)
	Of    func(p Part) Files // of another part
}

// NewScene returns the scene of a release; its world is read once somebody draws on it.
func NewScene(r *Release) *Scene { return &Scene{World: sync.OnceValues(r.World), Of: r.Part} }

// Drawing returns the drawing of the instance called id, the first of that name in the order of the
// parts and of their files; fault.NotFound if there is none.
func (r *Release) Drawing(parts []Part, id string) (found dag.Drawing, err error) {
	scene := NewScene(r)
	take := func(have string, draw func() (dag.Drawing, error)) error {
		if have != id {
			return nil
		}
		if found, err = draw(); err != nil {
			return err
		}
		return ErrEnough
	}
	for _, p := range parts {
		drawn, ok := p.(Drawn)
		if !ok {
			continue
		}
		files := r.Part(p)
		for _, name := range files.Names() {
			if !strings.Contains(name, ".jsonl") {
				continue
			}
			err := drawn.EachDrawn(scene, files, name, take)
			if errors.Is(err, ErrEnough) {
				return found, nil
			}
			if err != nil {
				return found, err
			}
		}
	}
	return found, fault.New(fault.NotFound, "no instance %s has a drawing here", fault.Quote(id)).
		Hint("the lists of wikinav audit name all instances")
}

// World is the graph of a release with its distances. A page that is not a target of the release
// gets its column by a search. It is safe for concurrent use.
type World struct {
	*graph.Graph
	columns *distances.Cached
}

// NewWorld returns the world of a graph; set may be nil for no columns.
func NewWorld(g *graph.Graph, set *distances.Set) *World {
	return &World{g, distances.NewCached(set, g, max(keptColumns, keptBytes/max(1, g.Len())))}
}

// Columns that a release lacks are computed and kept, up to so many bytes but at least so many.
const (
	keptBytes   = 256 << 20
	keptColumns = 64
)

// World reads the graph and maps the distances.
func (r *Release) World() (*World, error) {
	g, err := r.Graph()
	if err != nil {
		return nil, err
	}
	set, err := r.Distances()
	if err != nil {
		return nil, err
	}
	return NewWorld(g, set), nil
}

func (w *World) PageID(u uint32) uint32 { return w.PageIDs[u] }

// Successors returns the nodes that u links to, ascending. The slice is shared.
func (w *World) Successors(u uint32) []uint32 { return w.Succ.Row(u) }

func (w *World) InDegree(u uint32) int { return w.Pred.Degree(u) }

// Column returns each node's distance to target, schemas.Far or schemas.Unreached; it is shared.
func (w *World) Column(target uint32) ([]uint8, error) { return w.columns.Column(target) }

// Draw draws a pair of pages, with the column of its target where p has none; rule cuts the menus,
// unless it is nil.
func (w *World) Draw(p dag.Pair, rule *menu.Rule) (dag.Drawing, error) {
	if p.Column == nil {
		column, err := w.Column(p.Target)
		if err != nil {
			return dag.Drawing{}, err
		}
		p.Column = column
	}
	if rule != nil {
		p.Menu = func(u uint32, links []uint32) []uint32 { return rule.Keep(nil, u, links, p.Column) }
	}
	return dag.FromPair(w, p), nil
}

// EachPair visits the records of a file for EachDrawn of a part whose instances are pairs of pages:
// draw returns the drawing of one.
func EachPair[T any](
	s *Scene, f Files, name, schema string, id func(*T) string, visit Visit,
	draw func(w *World, x *T) (dag.Drawing, error),
) error {
	return EachLineOf(f, name, schema, id, func(_ int, x *T) error {
		return visit(id(x), func() (dag.Drawing, error) {
			w, err := s.World()
			if err != nil {
				return dag.Drawing{}, err
			}
			return draw(w, x)
		})
	})
}
