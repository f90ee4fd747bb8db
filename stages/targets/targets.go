// Package targets is the stage that decides which pages get a distance column, before any distance is known.
//
// It reads the graph, and the listed pairs of a build that has any. A small graph gets every node;
// of a large one it takes a random part, much linked pages, pages that lie far from a few sources,
// and whatever the user named, and cuts the parts to the store's capacity (performance
// specification 2.1). targets.arrow has one row per target, by node, with the reasons as bits: a
// page that several parts drew has several.
//
// It promises that the set follows from graph and Params alone: every part has a random stream of
// its own, and the seed is not that of the families, so that their seeds draw no distance anew.
// What was drawn, and what was left of it after cutting, stands in the counters drawn_<part> and
// <part>. It never leaves out a page that was named or listed, and never a page of mode all or
// random to save space: what does not fit is refused with its size.
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
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

const name = "targets"

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	// Empty lists must not depend on how the caller made them: null and [] would be two keys for one result.
	p.RemoteDepths = append([]int{}, p.RemoteDepths...)
	p.Named = append([]string{}, p.Named...)
	p.Release = append([]uint32{}, p.Release...)
	return stages.Make(stages.Spec{
		Name: name, Version: 1, Inputs: []schemas.Artifact{schemas.Graph}, Outputs: []schemas.Artifact{schemas.Targets}, Params: p,
	}, p.run)
}

func (p Params) run(ctx context.Context, env *stages.Run) error {
	g, err := env.Graph()
	if err != nil {
		return err
	}
	c := &chooser{Params: p, succ: g.Succ, pred: g.Pred, pages: g, workers: env.Workers(), count: env.Count, meter: env.Meter}
	if c.listed, err = listedTargets(env); err != nil {
		return err
	}
	reasons, err := c.choose(ctx)
	if err != nil {
		return err
	}
	return stages.WriteRows(env, "targets.arrow", schemas.TargetsTable, func(out *arrowio.Writer) error {
		for u, r := range reasons {
			if r == 0 {
				continue
			}
			if err := out.Row(uint32(u), g.PageIDs[u], g.Title(uint32(u)), r); err != nil {
				return err
			}
		}
		return nil
	})
}

// listedTargets returns the targets of the pairs that users list; none of a build without such.
func listedTargets(env *stages.Run) (list []uint32, err error) {
	err = stages.EachListed(env, func(_ string, rows []schemas.ListedRow) error {
		for _, r := range rows {
			if r.Reason == "" {
				list = append(list, r.Nodes[1])
			}
		}
		return nil
	})
	if list != nil {
		slices.Sort(list)
		list = slices.Compact(list)
		env.Count("listed", int64(len(list))) // pages, which other parts may have drawn, too
	}
	return list, err
}

// chooser applies the rules to one graph.
type chooser struct {
	Params
	succ, pred graph.CSR
	pages      directory
	listed     []uint32 // targets of listed pairs

	workers int
	count   func(name string, n int64)
	meter   func(phase, unit string, total int64) stages.Meter
}

// choose returns the reasons of every node: 0 for a node that is no target.
func (c *chooser) choose(ctx context.Context) ([]uint8, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	reasons := make([]uint8, c.succ.Nodes())
	if err := c.markNamed(reasons); err != nil {
		return nil, err
	}
	mark(reasons, c.listed, schemas.ReasonListed)
	if err := c.add(ctx, reasons, size(reasons)); err != nil {
		return nil, err
	}
	if len(c.listed) > 0 {
		c.count("listed_only", int64(of(reasons, schemas.ReasonListed)))
	}
	return reasons, c.checkSize(reasons)
}

// add applies the rule of the mode to reasons, which holds the named and listed pages.
func (c *chooser) add(ctx context.Context, reasons []uint8, named int) error {
	switch n := c.succ.Nodes(); {
	case c.Mode == ModeAll || c.Mode == ModeAuto && n <= c.AllBelow:
		for u := range reasons {
			reasons[u] |= schemas.ReasonAll
		}
		return c.fits("every page", n)
	case c.Mode == ModeRandom:
		drawn := c.drawRandom(c.RandomN)
		c.count("random", int64(len(drawn)))
		mark(reasons, drawn, schemas.ReasonRandom)
		return c.fits("random, named and listed pages", size(reasons))
	default:
		return c.addParts(ctx, reasons, named)
	}
}

func (c *chooser) addParts(ctx context.Context, reasons []uint8, named int) error {
	capacity := int(c.MaxStore / int64(c.succ.Nodes()))
	if err := c.fits("the named and listed pages", named); err != nil {
		return err
	}
	p, err := c.drawParts(ctx)
	if err != nil {
		return fmt.Errorf("targets: remote pages: %w", err)
	}
	c.count("capacity", int64(capacity))
	p.report("drawn_", c.RemoteDepths, c.count)
	p.lower(named, capacity, c.RandomMin)
	p.report("", c.RemoteDepths, c.count)

	mark(reasons, p.random, schemas.ReasonRandom)
	mark(reasons, p.linked, schemas.ReasonLinked)
	for _, r := range p.remote {
		mark(reasons, r, schemas.ReasonRemote)
	}
	return nil
}

// fits refuses a choice whose columns are larger than the store, where the user named what to
// choose and nothing may be left out.
func (c *chooser) fits(what string, columns int) error {
	n := int64(c.succ.Nodes())
	if int64(columns) <= c.MaxStore/max(n, 1) {
		return nil
	}
	return stages.Usage(name, "%s: %d columns of %d nodes need %d bytes (%s), and max_store is %d (%s)",
		what, columns, n, int64(columns)*n, gib(int64(columns)*n), c.MaxStore, gib(c.MaxStore)).
		Hint("raise max_store (--set targets.max_store=16GiB), or choose fewer targets with --targets random:N or --targets FILE")
}

// checkSize counts the targets and refuses a set without any: nothing could be built on it.
func (c *chooser) checkSize(reasons []uint8) error {
	targets := size(reasons)
	c.count("nodes", int64(len(reasons)))
	c.count("targets", int64(targets))
	if targets == 0 && len(reasons) > 0 {
		return stages.Usage(name, "no page is a target: max_store of %d bytes over %d nodes leaves room for %d columns, and every part was lowered to none or drew none",
			c.MaxStore, len(reasons), c.MaxStore/int64(len(reasons))).Hint("raise max_store (--set targets.max_store=16GiB)")
	}
	return nil
}

func mark(reasons []uint8, nodes []uint32, reason uint8) {
	for _, u := range nodes {
		reasons[u] |= reason
	}
}

func size(reasons []uint8) int { return len(reasons) - of(reasons, 0) }

// of counts the nodes with these reasons and no others.
func of(reasons []uint8, exactly uint8) int {
	n := 0
	for _, r := range reasons {
		if r == exactly {
			n++
		}
	}
	return n
}

// gib writes a size for people.
func gib(bytes int64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }
