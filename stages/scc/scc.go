// Package scc is the stage that takes the largest strongly connected component of the link graph
// and renumbers it: the published graph. From every page of it every other page can be reached,
// which is what makes any pair playable.
//
// A recipe may keep the whole graph (component "none"); the flag in nodes.arrow then still tells
// the component.
//
// Memory: 4 bytes per edge mapped, 13 per node for Tarjan, and the result with its transpose: 8 per
// edge, 12 per node.
package scc

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

type Params struct {
	Component  string     `json:"component"` // schemas.ComponentSCC or ComponentNone
	Thresholds Thresholds `json:"thresholds"`
}

// Thresholds beyond which the graph is implausible (wikirace specification 3.2).
type Thresholds struct {
	Share        schemas.Ratio `json:"scc_share"` // largest component over nodes, at least
	OutMedianMin schemas.Ratio `json:"out_median_min"`
	OutMedianMax schemas.Ratio `json:"out_median_max"`
}

// DefaultThresholds are those of the specification.
func DefaultThresholds() Thresholds {
	return Thresholds{
		Share:        schemas.Ratio{Num: 50, Den: 100},
		OutMedianMin: schemas.Ratio{Num: 3, Den: 1}, OutMedianMax: schemas.Ratio{Num: 500, Den: 1},
	}
}

// listedSizes is how many component sizes the receipt lists.
const listedSizes = 10

func New(p Params) stages.Stage {
	return stages.Make(stages.Spec{
		Name: "scc", Version: 1,
		Inputs:  []schemas.Artifact{schemas.LinkGraph},
		Outputs: []schemas.Artifact{schemas.Graph, schemas.Nodes},
		Params:  p,
	}, p.run)
}

// run finds the component, renumbers it, checks it by an independent search, and writes.
func (p Params) run(ctx context.Context, env *stages.Run) error {
	file, err := env.Table(schemas.LinkGraph, "linkgraph.arrow", schemas.LinkGraphTable)
	if err != nil {
		return err
	}
	if file.Rows() == 0 {
		return fault.New(fault.Malformed, "the link graph has no nodes: no article of namespace 0 is left under the recipe")
	}
	whole := graph.CSR(file.Lists(0, column("successors")))
	comps := graph.SCC(whole)
	members := comps.Members(comps.Largest())
	keep := members
	if p.Component == schemas.ComponentNone {
		keep = slices.Repeat([]bool{true}, len(members))
	}
	succ, old := graph.Induced(whole, keep)
	out := &published{file: file, succ: succ, pred: graph.Transpose(succ), old: old, inSCC: members}
	if p.Component == schemas.ComponentSCC {
		if err := out.checkConnected(); err != nil {
			return err
		}
	}
	p.count(env, whole, comps, out)
	if err := ctx.Err(); err != nil { // the searches take a minute at most; what follows writes
		return err
	}
	if err := out.writeGraph(env); err != nil {
		return err
	}
	return out.writeNodes(env)
}

func (p Params) count(env stages.Env, whole graph.CSR, comps graph.Components, out *published) {
	env.Count("nodes_before", int64(whole.Nodes()))
	env.Count("edges_before", int64(whole.Edges()))
	env.Count("components", int64(len(comps.Sizes)))
	sizes := slices.Clone(comps.Sizes)
	slices.Sort(sizes)
	slices.Reverse(sizes)
	for i, size := range sizes[:min(listedSizes, len(sizes))] {
		env.Count(fmt.Sprintf("component_%02d", i+1), int64(size))
	}
	env.Count("nodes", int64(out.succ.Nodes()))
	env.Count("edges", int64(out.succ.Edges()))
	median := out.outMedian()
	env.Count("out_degree_median", median.Num/median.Den)
	stages.WarnBelow(env, "W_SCC_SHARE", schemas.Ratio{Num: int64(sizes[0]), Den: int64(whole.Nodes())}, p.Thresholds.Share)
	stages.WarnBelow(env, "W_OUTDEG_MEDIAN", median, p.Thresholds.OutMedianMin)
	stages.WarnAbove(env, "W_OUTDEG_MEDIAN", median, p.Thresholds.OutMedianMax)
}

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
	ids, titles := p.file.Uint32s(0, column("page_id")), p.file.Strings(0, column("title"))
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

// column numbers a column of linkgraph.arrow.
func column(name string) int { return schemas.LinkGraphTable.Index(name) }

func (p *published) writeNodes(env stages.Env) error {
	ids, titles := p.file.Uint32s(0, column("page_id")), p.file.Strings(0, column("title"))
	flags := p.file.Uint16s(0, column("flags"))
	return stages.WriteRows(env, "nodes.arrow", schemas.NodesTable, func(t *arrowio.Writer) error {
		for u, row := range p.old {
			in, out := uint32(p.pred.Degree(uint32(u))), uint32(p.succ.Degree(uint32(u)))
			if err := t.Row(uint32(u), ids[row], titles.Bytes(int(row)), flags[row], in, out, p.inSCC[row]); err != nil {
				return err
			}
		}
		return nil
	})
}
