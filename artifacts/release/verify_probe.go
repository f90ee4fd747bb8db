package release

import (
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// checkProbe checks each pair of the probe against the graph, and against the distances where the release carries the
// target's column.
func (v *verifier) checkProbe(f FileEntry) {
	before, seen := "", map[[2]uint32]string{}
	for i, p := range v.probe() {
		c := companionCheck{v, f.Path, lineOf(i + 1)}
		c.above(p.ID, before)
		before = p.ID
		pair := [2]uint32{p.Source.Node, p.Target.Node}
		if first, twice := seen[pair]; twice {
			c.bad("pair", "once", "also in "+first)
		}
		seen[pair] = c.line
		if g := v.openGraph(); g != nil {
			c.checkAsked(g, p)
		}
	}
}

// companionCheck is the check of one line of a companion set.
type companionCheck struct {
	v          *verifier
	file, line string
}

func (c companionCheck) bad(field string, expected, found any) {
	c.v.report.add(field, c.file, c.line, expected, found)
}

func (c companionCheck) above(id, before string) {
	if id <= before {
		c.bad("id", "above "+quoted(before), quoted(id))
	}
}

// checkAsked checks what a pair of the probe says.
func (c companionCheck) checkAsked(g *graph.Graph, p schemas.ProbeInstance) {
	if !c.checkPage(g, "source", p.Source) || !c.checkPage(g, "target", p.Target) {
		return
	}
	s, t := p.Source.Node, p.Target.Node
	there, back := hasEdge(g, s, t), hasEdge(g, t, s)
	at, known := map[string]int{schemas.ProbeConnected: 1, schemas.ProbeD2: 2, schemas.ProbeD3: 3, schemas.ProbeD4: 4}[p.Class]
	if !slices.Contains(schemas.ProbeClasses, p.Class) || known && p.Distance != at || p.Distance < 1 {
		c.bad("class", "a class that has the distance", fmt.Sprintf("%s at %d", quoted(p.Class), p.Distance))
	}
	connected := p.Class == schemas.ProbeConnected
	differ(c.v.report, "link from source to target", c.file, c.line, connected, there)
	if !connected {
		differ(c.v.report, "link from target to source", c.file, c.line, p.Class == schemas.ProbeReversed, back)
	}
	gold := schemas.GoldNo
	if there {
		gold = schemas.GoldYes
	}
	differ(c.v.report, "gold", c.file, c.line, gold, p.Gold)
	differ(c.v.report, "mutual", c.file, c.line, there && back, p.Mutual)
	if s == t {
		c.bad("target", "another page than the source", t)
	}
	c.checkDistance(s, t, p.Distance)
}

// checkPage tells whether p is a node, so that it may be looked up elsewhere.
func (c companionCheck) checkPage(g *graph.Graph, end string, p schemas.PageRef) bool {
	check := instanceCheck{v: c.v, file: c.file, line: c.line}
	return check.checkPage(g, end, p)
}

// checkDistance compares with the column of the target, where the release has it: it need not.
func (c companionCheck) checkDistance(s, t uint32, distance int) {
	set := c.v.openSet()
	if set == nil {
		return
	}
	if d, err := set.At(s, t); err == nil {
		differ(c.v.report, "distance", c.file, c.line, int(d), distance)
	}
}
