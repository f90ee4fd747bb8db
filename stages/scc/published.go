package scc

import (
	"fmt"
	"io"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// published is the graph that is written.
type published struct {
	file       *arrowio.File
	succ, pred graph.CSR
	old        []uint32 // node -> row of linkgraph.arrow
	inSCC      []bool   // by row of linkgraph.arrow
}

// checkConnected proves by one search forward and one backward that every node reaches node 0 and
// is reached from it. It is independent of how the component was found.
func (p *published) checkConnected() error {
	for _, c := range []graph.CSR{p.succ, p.pred} {
		if n := graph.Reach(c, 0); n != c.Nodes() {
			return fmt.Errorf("the component is not strongly connected: %d of %d nodes are reached", n, c.Nodes())
		}
	}
	return nil
}

// outMedian is the lower median of the out-degrees, as a fraction.
func (p *published) outMedian() schemas.Ratio {
	degrees := make([]int, p.succ.Nodes())
	for u := range degrees {
		degrees[u] = p.succ.Degree(uint32(u))
	}
	slices.Sort(degrees)
	return schemas.Ratio{Num: int64(degrees[(len(degrees)-1)/2]), Den: 1}
}

func (p *published) writeGraph(env stages.Env) error {
	ids, titles := p.file.Uint32s(0, schemas.LinkGraphPageID), p.file.Strings(0, schemas.LinkGraphTitle)
	nodeIDs := make([]uint32, len(p.old))
	nodeTitles := arrowio.Strings{Offsets: make([]int32, 1, len(p.old)+1)}
	for u, row := range p.old {
		nodeIDs[u] = ids[row]
		nodeTitles.Data = append(nodeTitles.Data, titles.Bytes(int(row))...)
		nodeTitles.Offsets = append(nodeTitles.Offsets, int32(len(nodeTitles.Data)))
	}
	return env.Write("graph.arrow", func(w io.Writer) (arrowio.Summary, error) {
		return graph.Write(w, stages.Options(env), nodeIDs, nodeTitles, p.succ, p.pred)
	})
}

func (p *published) writeNodes(env stages.Env) error {
	ids, titles := p.file.Uint32s(0, schemas.LinkGraphPageID), p.file.Strings(0, schemas.LinkGraphTitle)
	flags := p.file.Uint16s(0, schemas.LinkGraphFlags)
	return stages.WriteRows(env, "nodes.arrow", schemas.NodesTable, func(t *arrowio.Writer) error {
		for u, row := range p.old {
			t.Uint32(schemas.NodesNode, uint32(u))
			t.Uint32(schemas.NodesPageID, ids[row])
			t.Text(schemas.NodesTitle, titles.Bytes(int(row)))
			t.Uint16(schemas.NodesFlags, flags[row])
			t.Uint32(schemas.NodesInDegree, uint32(p.pred.Degree(uint32(u))))
			t.Uint32(schemas.NodesOutDegree, uint32(p.succ.Degree(uint32(u))))
			t.Bool(schemas.NodesInSCC, p.inSCC[row])
			if err := t.EndRow(); err != nil {
				return err
			}
		}
		return nil
	})
}
