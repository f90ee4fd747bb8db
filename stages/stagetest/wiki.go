package stagetest

import (
	"fmt"
	"io"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// G9 is the worked example of the wikirace specification (5.7).
const G9 = graphtest.G9Links

// Wiki is a graph with all that the artifacts say of its nodes. Change it before it is given.
type Wiki struct {
	PageIDs []uint32
	Titles  []string
	Flags   []uint16
	Succ    graph.CSR
}

// ParseWiki makes a wiki of what graphtest.Parse reads.
func ParseWiki(links string) Wiki {
	succ, titles := graphtest.Parse(links)
	w := NewWiki(succ)
	w.Titles = titles
	return w
}

// NewWiki gives a graph titles, "Page 0" and so on, no flags, and page ids that cannot be mistaken for nodes.
func NewWiki(succ graph.CSR) Wiki {
	n := succ.Nodes()
	w := Wiki{PageIDs: make([]uint32, n), Titles: make([]string, n), Flags: make([]uint16, n), Succ: succ}
	for u := range n {
		w.PageIDs[u] = 1000 + 3*uint32(u)
		w.Titles[u] = fmt.Sprintf("Page %d", u)
	}
	return w
}

// Node gives the node of a title; it panics if there is none.
func (w Wiki) Node(title string) uint32 {
	u := slices.Index(w.Titles, title)
	if u < 0 {
		panic(fmt.Sprintf("stagetest: no page %q", title))
	}
	return uint32(u)
}

// GiveGraph gives graph.arrow.
func (e *Env) GiveGraph(w Wiki) {
	e.t.Helper()
	e.Give(schemas.Graph, "graph.arrow", func(out io.Writer) (arrowio.Summary, error) {
		return graph.Write(out, arrowio.Options{}, w.PageIDs, arrowio.MakeStrings(w.Titles), w.Succ, graph.Transpose(w.Succ))
	})
}

func (e *Env) GiveNodes(w Wiki) {
	e.t.Helper()
	pred := graph.Transpose(w.Succ)
	e.Give(schemas.Nodes, "nodes.arrow", stages.Rows(schemas.NodesTable, arrowio.Options{}, func(t *arrowio.Writer) error {
		for u := range uint32(len(w.PageIDs)) {
			in, out := uint32(pred.Degree(u)), uint32(w.Succ.Degree(u))
			if err := t.Row(u, w.PageIDs[u], w.Titles[u], w.Flags[u], in, out, true); err != nil {
				return err
			}
		}
		return nil
	}))
}

// GiveDistances gives the columns of these nodes, ascending, for the reason ReasonNamed, in shards of at most
// perShard columns; nil stands for every node and ReasonAll. The graph must have been given before.
func (e *Env) GiveDistances(w Wiki, targets []uint32, perShard int) {
	e.t.Helper()
	reasons := make([]uint8, len(w.PageIDs))
	for u := range reasons {
		switch {
		case targets == nil:
			reasons[u] = schemas.ReasonAll
		case slices.Contains(targets, uint32(u)):
			reasons[u] = schemas.ReasonNamed
		}
	}
	e.GiveDistancesFor(w, reasons, perShard)
}

// GiveDistancesFor is GiveDistances of the nodes that have a reason.
func (e *Env) GiveDistancesFor(w Wiki, reasons []uint8, perShard int) {
	e.t.Helper()
	var targets []uint32
	for u, r := range reasons {
		if r != 0 {
			targets = append(targets, uint32(u))
		}
	}
	pred, n := graph.Transpose(w.Succ), w.Succ.Nodes()
	sha := e.inputs[schemas.Graph.Name].files["graph.arrow"].SHA256
	dist, queue := make([]uint8, n), make([]uint32, n)
	var columns []distances.Column
	for first := 0; first < len(targets); first += perShard {
		shard := targets[first:min(first+perShard, len(targets))]
		number := first / perShard
		e.Give(schemas.Distances, distances.ShardName(number), func(out io.Writer) (arrowio.Summary, error) {
			return distances.WriteShard(out, arrowio.Options{}, sha, n, len(shard), func(i int) ([]uint8, error) {
				t := shard[i]
				graph.DistancesTo(pred, t, dist, queue)
				at, unreached := distances.Count(dist)
				columns = append(columns, distances.Column{
					Node: t, PageID: w.PageIDs[t], Title: w.Titles[t], Reasons: reasons[t],
					Shard: uint32(number), Row: uint32(i), At: at, Unreached: unreached,
				})
				return dist, nil
			})
		})
	}
	e.Give(schemas.Distances, distances.Sidecar, func(out io.Writer) (arrowio.Summary, error) {
		return distances.WriteColumns(out, arrowio.Options{}, columns)
	})
}
