// Package fresh proves that pairs of a release are fresh: that every shortest path between them
// uses a link or page that the graph of an older release lacks. It searches both graphs, by the
// slow search of package plain, and shares nothing with the stage that drew the pairs.
package fresh

import (
	"context"
	"fmt"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Since returns what proves freshness since the release in dir. A release that is not fresh is
// fault.Usage, another older release than that of the manifest fault.Mismatch.
func Since(dir string) release.FreshProver {
	return func(ctx context.Context, m *release.Manifest, checks []*release.Check) error {
		older, fresh := m.Since()
		if !fresh {
			return fault.New(fault.Usage,
				"--fresh-since %s: the pairs of this release were drawn without regard to an older one",
				fault.Quote(dir)).Hint("verify it without")
		}
		old, err := release.Open(dir)
		if err != nil {
			return err
		}
		defer old.Close()
		if old.ManifestSHA256() != older.SHA256 {
			return fault.New(fault.Mismatch,
				"the manifest of release %s has SHA-256 %s; pairs are fresh since release %s, whose has %s",
				old.Manifest().ID, old.ManifestSHA256(), older.Version, older.SHA256).At(dir, release.ManifestName)
		}
		was, err := old.Graph()
		if err != nil || len(checks) == 0 {
			return err
		}
		now := checks[0].Graph()
		p := &proof{
			ctx: ctx, m: m, since: older.Version, toOld: map[uint32]reached{},
			web: plain.Of(now.Succ), common: commonLinks(now, was, m.Dump.Kind == release.DumpEdges),
		}
		for _, c := range checks {
			p.part(c)
		}
		return ctx.Err()
	}
}

// part proves the pairs of one part.
func (p *proof) part(c *release.Check) {
	if p.m.FreshSince(c.Part().Source().Name) == "" {
		c.Skip("%s/: its records are not fresh, and not said to be", c.Part().Folder())
		return
	}
	paired, ok := c.Part().(release.Paired)
	if !ok {
		c.Skip("that pairs of %s/ are fresh: this version does not know them", c.Part().Folder())
		return
	}
	n, bans := 0, func(string) func(uint32) bool { return nil }
	if b, ok := c.Part().(release.Banner); ok {
		if bans = b.Bans(c); bans == nil {
			return
		}
	}
	for _, name := range c.Names("*.jsonl") {
		if !c.Wants(name) {
			continue
		}
		i := -1
		err := paired.EachAsked(c.Files(), name, func(a *release.Asked) error {
			i, n = i+1, n+1
			p.hold(c.Line(name, i), a, nil)
			if a.Under != "" {
				p.hold(c.Line(name, i), a, bans(a.Under))
			}
			return p.ctx.Err()
		})
		if err != nil && p.ctx.Err() == nil {
			c.Fail("pairs", name, err)
		}
	}
	c.Covered("%s/: that %d pairs are fresh since release %s", c.Part().Folder(), n, p.since)
}

// hold lists a finding if the older release has a path as short as there is.
func (p *proof) hold(l release.Line, a *release.Asked, closed func(uint32) bool) {
	now, then := p.lengths(a.Source.Node, a.Target.Node, closed)
	if now >= 0 && then == now {
		l.Bad("fresh since "+p.since, "no path as short over the links of the older release",
			fmt.Sprintf("one of %d links", then))
	}
}

// proof is the links of the release, and those of them that the older one has too.
type proof struct {
	ctx         context.Context
	m           *release.Manifest
	since       string // id of the older release
	web, common *plain.Graph
	toOld       map[uint32]reached // by target, where nothing is closed
}

// reached is the distances to a target over all links, and over the common ones.
type reached struct{ now, then []int }

// lengths returns the lengths of shortest paths over all links and over the common ones, -1 for
// none.
func (p *proof) lengths(source, target uint32, closed func(uint32) bool) (now, then int) {
	if closed != nil {
		between := func(u uint32) bool { return u != source && u != target && closed(u) }
		return p.web.Distance(source, target, between), p.common.Distance(source, target, between)
	}
	r, ok := p.toOld[target]
	if !ok {
		if len(p.toOld) >= mostKept {
			clear(p.toOld)
		}
		r = reached{p.web.To(target, plain.Open), p.common.To(target, plain.Open)}
		p.toOld[target] = r
	}
	return r.now[source], r.then[source]
}

// mostKept bounds the targets whose distances are kept for the next pair.
const mostKept = 64

// commonLinks returns the links of g between pages that old links too; pages are the same by their
// ids, or by their titles.
func commonLinks(g, old *graph.Graph, byTitle bool) *plain.Graph {
	name := func(g *graph.Graph, u uint32) string {
		if byTitle {
			return g.Title(u)
		}
		return fmt.Sprint(g.PageIDs[u])
	}
	was := map[string]uint32{}
	for u := range uint32(old.Len()) {
		was[name(old, u)] = u
	}
	web := &plain.Graph{Out: make([][]uint32, g.Len()), In: make([][]uint32, g.Len())}
	for u := range uint32(g.Len()) {
		before, ok := was[name(g, u)]
		if !ok {
			continue
		}
		linked := map[string]bool{}
		for _, v := range old.Succ.Row(before) {
			linked[name(old, v)] = true
		}
		for _, v := range g.Succ.Row(u) {
			if linked[name(g, v)] {
				web.Out[u], web.In[v] = append(web.Out[u], v), append(web.In[v], u)
			}
		}
	}
	return web
}
