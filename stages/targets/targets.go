// Package targets is the stage that decides which pages get a distance column, before any distance is known.
//
// It reads the graph alone. A small graph gets every node; of a large one it takes a random part,
// much linked pages, pages that lie far from a few sources, and whatever the user named, and cuts
// the parts to the store's capacity (performance specification 2.1). targets.arrow has one row per
// target, by node, with the reasons as bits: a page that several parts drew has several.
//
// It promises that the set follows from graph and Params alone: every part has a random stream of
// its own, and the seed is not that of the families, so that their seeds draw no distance anew.
// What was drawn, and what was left of it after cutting, stands in the counters drawn_<part> and
// <part>. It never leaves out a page that was named, and never a page of mode all or random to save
// space: what does not fit is refused with its size.
//
// Sizes are compared as drawn: a part counts with the pages that it has, not with those it was asked for.
//
// Memory: the mapped graph, 8 to 16 bytes per node for the index of titles where pages are named by
// title, and 5 bytes per node and worker for the searches. Time: two breadth-first searches per
// source.
package targets

import (
	"context"
	"fmt"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

type stage struct{ params Params }

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	// Empty lists must not depend on how the caller made them: null and [] would be two keys for one result.
	p.RemoteDepths = append([]int{}, p.RemoteDepths...)
	p.Named = append([]string{}, p.Named...)
	p.Release = append([]uint32{}, p.Release...)
	return stage{p}
}

func (s stage) Spec() stages.Spec {
	return stages.Spec{
		Name:    "targets",
		Version: 1,
		Inputs:  []schemas.Artifact{schemas.Graph},
		Outputs: []schemas.Artifact{schemas.Targets},
		Params:  s.params,
	}
}

func (s stage) Run(ctx context.Context, env stages.Env) error {
	g, err := stages.OpenGraph(env)
	if err != nil {
		return fmt.Errorf("targets: %w", err)
	}
	defer g.Close()

	c := &chooser{
		Params: s.params, succ: g.Succ, pred: g.Pred, pages: g,
		workers: env.Workers(), count: env.Count, meter: env.Meter,
	}
	reasons, err := c.choose(ctx)
	if err != nil {
		return err
	}
	return stages.WriteRows(env, "targets.arrow", schemas.TargetsTable, func(out *arrowio.Writer) error {
		return write(out, g, reasons)
	})
}

// write writes a row for each node that has a reason.
func write(out *arrowio.Writer, g *graph.Graph, reasons []uint8) error {
	for u, r := range reasons {
		if r == 0 {
			continue
		}
		out.Uint32(schemas.TargetsNode, uint32(u))
		out.Uint32(schemas.TargetsPageID, g.PageIDs[u])
		out.String(schemas.TargetsTitle, g.Title(uint32(u)))
		out.Uint8(schemas.TargetsReasons, r)
		if err := out.EndRow(); err != nil {
			return err
		}
	}
	return nil
}
