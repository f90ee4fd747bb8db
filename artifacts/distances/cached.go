package distances

import (
	"container/list"
	"errors"
	"fmt"
	"sync"

	"github.com/wikinav/wikinav/artifacts/graph"
)

// Cached answers for every node of a graph: for a target from its column, which it keeps if it had
// to unpack it, for any other node from one breadth-first search, whose result it keeps until
// maxColumns others were asked for more recently.
//
// It is for readers that must answer what nobody drew: games of other players, a distance that a
// user asks for. Samplers use a Set, so that every published pair has its column.
type Cached struct {
	set        *Set
	g          *graph.Graph
	maxColumns int

	mu     sync.Mutex
	byNode map[uint32]*list.Element
	recent *list.List // of *computed, the last asked for in front
}

// computed is one column outside the set, or one of it unpacked. Whoever asks first computes it;
// the others wait.
type computed struct {
	node uint32
	once sync.Once
	dist []uint8
	err  error
}

// NewCached puts a cache of maxColumns columns, at least one, behind set, which may be nil for no
// columns at all. g is the graph of the set; both stay the caller's to close.
func NewCached(set *Set, g *graph.Graph, maxColumns int) *Cached {
	if set != nil && set.nodes != g.Len() {
		panic(fmt.Sprintf("distances: a set over %d nodes with a graph of %d", set.nodes, g.Len()))
	}
	return &Cached{
		set: set, g: g, maxColumns: max(1, maxColumns),
		byNode: map[uint32]*list.Element{}, recent: list.New(),
	}
}

// Column returns the distance of every node to t. The slice must not be written to; that of a column
// in the set ends with the set.
func (c *Cached) Column(t uint32) ([]uint8, error) {
	if c.set != nil && c.set.Mapped() {
		if dist, err := c.set.Column(t); !errors.Is(err, ErrNoTarget) {
			return dist, err
		}
	}
	if int64(t) >= int64(c.g.Len()) {
		return nil, noTarget(t, c.g.Len())
	}
	column := c.entry(t)
	column.once.Do(func() { column.dist, column.err = c.make(t) })
	return column.dist, column.err
}

// make unpacks the column of a target, or searches.
func (c *Cached) make(t uint32) ([]uint8, error) {
	if c.set != nil {
		if dist, err := c.set.Column(t); !errors.Is(err, ErrNoTarget) {
			return dist, err
		}
	}
	dist := make([]uint8, c.g.Len())
	graph.DistancesTo(c.g.Pred, t, dist, nil)
	return dist, nil
}

// entry finds or makes the place of t's column, and drops the one that nobody asked for longest. A
// dropped column lives on with those who hold it.
func (c *Cached) entry(t uint32) *computed {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byNode[t]; ok {
		c.recent.MoveToFront(e)
		return e.Value.(*computed)
	}
	fresh := &computed{node: t}
	c.byNode[t] = c.recent.PushFront(fresh)
	if c.recent.Len() > c.maxColumns {
		last := c.recent.Remove(c.recent.Back()).(*computed)
		delete(c.byNode, last.node)
	}
	return fresh
}
