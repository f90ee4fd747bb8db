package targets

import (
	"context"
	"fmt"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// chooser applies the rules to one graph.
type chooser struct {
	Params
	succ, pred graph.CSR
	pages      directory

	workers int
	count   func(name string, n int64)
	meter   func(phase, unit string, total int64) stages.Meter
}

// choose returns the reasons of every node: 0 for a node that is no target.
func (c *chooser) choose(ctx context.Context) ([]uint8, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	reasons := make([]uint8, c.succ.Nodes())
	if err := c.markNamed(reasons); err != nil {
		return nil, err
	}
	if err := c.add(ctx, reasons, size(reasons)); err != nil {
		return nil, err
	}
	return reasons, c.checkSize(reasons)
}

// add applies the rule of the mode to reasons, which holds the named pages.
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
		return c.fits("random and named pages", size(reasons))
	default:
		return c.addParts(ctx, reasons, named)
	}
}

func (c *chooser) addParts(ctx context.Context, reasons []uint8, named int) error {
	capacity := int(c.MaxStore / int64(c.succ.Nodes()))
	if err := c.fits("the named pages", named); err != nil {
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
	return usage("%s: %d columns of %d nodes need %d bytes (%s), and max_store is %d (%s)",
		what, columns, n, int64(columns)*n, gib(int64(columns)*n), c.MaxStore, gib(c.MaxStore)).
		Hint("raise max_store (--set targets.max_store=16GiB), or choose fewer targets with --targets random:N or --targets FILE")
}

// checkSize counts the targets and refuses a set without any: nothing could be built on it.
func (c *chooser) checkSize(reasons []uint8) error {
	targets := size(reasons)
	c.count("nodes", int64(len(reasons)))
	c.count("targets", int64(targets))
	if targets == 0 && len(reasons) > 0 {
		return usage("no page is a target: max_store of %d bytes over %d nodes leaves room for %d columns, and every part was lowered to none or drew none",
			c.MaxStore, len(reasons), c.MaxStore/int64(len(reasons))).Hint("raise max_store (--set targets.max_store=16GiB)")
	}
	return nil
}

func mark(reasons []uint8, nodes []uint32, reason uint8) {
	for _, u := range nodes {
		reasons[u] |= reason
	}
}

// size counts the targets.
func size(reasons []uint8) int {
	n := 0
	for _, r := range reasons {
		if r != 0 {
			n++
		}
	}
	return n
}

// gib writes a size for people.
func gib(bytes int64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }
