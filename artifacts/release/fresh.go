package release

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// RoleSince is the side input that names the older release whose readers cannot answer the pairs.
const RoleSince = "fresh-since"

// Since returns the side input that is the manifest of the older release; ok is false for a release
// whose pairs are drawn without regard to one. Its version is the id of that release.
func (m *Manifest) Since() (older SideInput, ok bool) {
	i := slices.IndexFunc(m.SideInputs, func(s SideInput) bool { return s.Role == RoleSince })
	if i < 0 {
		return SideInput{}, false
	}
	return m.SideInputs[i], true
}

// FreshSince returns the id of the release since which the pairs of a stage are fresh; "" for one
// that draws none, or draws them without regard to one.
func (m *Manifest) FreshSince(stage string) string {
	older, ok := m.Since()
	if !ok {
		return ""
	}
	for _, s := range m.Stages {
		for input := range s.Inputs { // any of them will do
			if s.Stage == stage && path.Dir(input) == schemas.Fresh.Name {
				return older.Version
			}
		}
	}
	return ""
}

// Banner is a Paired part whose records forbid pages on the way. In a build of fresh pairs a path
// under the ban needs what the older release lacks, too.
type Banner interface {
	// Bans returns, for what records say under Under, which pages are closed; nil where that cannot
	// be told, which it notes.
	Bans(c *Check) func(under string) func(u uint32) bool
}

// proveFresh searches with the links that the older release has too for a path as short as one of
// all links. It shares nothing with the stage that drew the pairs.
func (v *verifier) proveFresh(checks []*Check) error {
	older, fresh := v.m.Since()
	if v.opts.FreshSince == "" {
		if fresh {
			v.report.skip("that pairs are fresh since release %s: name it with --fresh-since", older.Version)
		}
		return nil
	}
	if !fresh {
		return fault.New(fault.Usage, "--fresh-since %s: the pairs of this release were drawn without regard to an older one",
			fault.Quote(v.opts.FreshSince)).Hint("verify it without")
	}
	old, err := Open(v.opts.FreshSince)
	if err != nil {
		return err
	}
	defer old.Close()
	if old.ManifestSHA256() != older.SHA256 {
		return fault.New(fault.Mismatch, "the manifest of release %s has SHA-256 %s; pairs are fresh since release %s, whose has %s",
			old.Manifest().ID, old.ManifestSHA256(), older.Version, older.SHA256).At(v.opts.FreshSince, ManifestName)
	}
	if slices.ContainsFunc(v.report.Failed, func(f Finding) bool { return !f.isSum() }) {
		v.report.skip("that pairs are fresh: level 2 found something wrong")
		return nil
	}
	was, err := old.Graph()
	if err != nil {
		return err
	}
	p := &freshness{now: v.openGraph(), toOld: map[uint32]reached{}}
	p.web, p.common = plain.Of(p.now.Succ), commonLinks(p.now, was, v.m.Dump.Kind == DumpEdges)
	for _, c := range checks {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		v.proveFreshPart(c, p, older.Version)
	}
	return v.ctx.Err()
}

func (v *verifier) proveFreshPart(c *Check, p *freshness, since string) {
	paired, ok := c.part.(Paired)
	switch {
	case v.m.FreshSince(c.part.Source().Name) == "":
		v.report.skip("%s/: its records are not fresh, and not said to be", c.part.Folder())
		return
	case !ok:
		v.report.skip("that pairs of %s/ are fresh: this version does not know them", c.part.Folder())
		return
	}
	n, bans := 0, func(string) func(uint32) bool { return nil }
	if b, ok := c.part.(Banner); ok {
		if bans = b.Bans(c); bans == nil {
			return
		}
	}
	for _, name := range c.Names("*.jsonl") {
		if !c.Wants(name) {
			continue
		}
		i := -1
		err := paired.EachAsked(c.Files(), name, func(a *Asked) error {
			if i++; v.ctx.Err() != nil {
				return v.ctx.Err()
			}
			n++
			p.hold(c.line(name, i), a, nil, since)
			if a.Under != "" {
				p.hold(c.line(name, i), a, bans(a.Under), since)
			}
			return nil
		})
		if err != nil && v.ctx.Err() == nil {
			v.report.fail("pairs", c.path(name), err)
		}
	}
	v.report.cover("%s/: that %d pairs are fresh since release %s", c.part.Folder(), n, since)
}

// hold lists a finding if the older release has a path as short as there is.
func (p *freshness) hold(l Line, a *Asked, closed func(uint32) bool, since string) {
	now, then := p.lengths(a.Source.Node, a.Target.Node, closed)
	if now >= 0 && then == now {
		l.Bad("fresh since "+since, "no path as short over the links of the older release", fmt.Sprintf("one of %d links", then))
	}
}

// freshness is the links of both releases and those that they have in common.
type freshness struct {
	now         *graph.Graph
	web, common *plain.Graph
	toOld       map[uint32]reached // by target, where nothing is closed
}

// reached is the distances to a target over all links, and over the common ones.
type reached struct{ now, then []int }

// lengths returns the lengths of shortest paths over all links and over the common ones, -1 for
// none.
func (p *freshness) lengths(source, target uint32, closed func(uint32) bool) (now, then int) {
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
	linked := map[string]bool{}
	for u := range uint32(old.Len()) {
		for _, v := range old.Succ.Row(u) {
			linked[strings.Join([]string{name(old, u), name(old, v)}, "\n")] = true
		}
	}
	web := &plain.Graph{Out: make([][]uint32, g.Len()), In: make([][]uint32, g.Len())}
	for u := range uint32(g.Len()) {
		for _, v := range g.Succ.Row(u) {
			if linked[strings.Join([]string{name(g, u), name(g, v)}, "\n")] {
				web.Out[u], web.In[v] = append(web.Out[u], v), append(web.In[v], u)
			}
		}
	}
	return web
}
