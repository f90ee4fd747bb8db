package wikirace

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Check checks every instance against graph and distances, the files of a split against each other, and all splits together.
func (part) Check(c *release.Check) {
	sets := setsOf(c)
	have := release.Tally{}
	whole := true
	for _, split := range sets {
		c.Need(split+".ids", split+".jsonl", split+".parquet")
		list := instances(c, split)
		whole = whole && list != nil
		for i := range list {
			have[release.TallyKey{Of: split, Distance: list[i].Distance}]++
		}
		release.EachLine(c, split+".jsonl", list, func(x *schemas.WikiraceInstance) string { return x.ID },
			func(l release.Line, x *schemas.WikiraceInstance) { (&instance{l, x}).check(split) })
		if list != nil {
			c.SameBytes(split+".ids", IDs(list))
			release.SameRows(c, split+".parquet", Table, list)
		}
	}
	if whole {
		c.Quotas(have)
	}
	checkDisjoint(c, sets)
}

// setsOf lists the names of the files that are there, of any ending.
func setsOf(c *release.Check) []string {
	var sets []string
	for _, name := range c.Names("*") {
		if name != schemas.QuotasFile {
			sets = append(sets, strings.TrimSuffix(name, path.Ext(name)))
		}
	}
	return slices.Compact(sets)
}

func instances(c *release.Check, split string) []schemas.WikiraceInstance {
	return release.RecordsOf[schemas.WikiraceInstance](c, split+".jsonl", schemas.WikiraceInstanceSchema)
}

type instance struct {
	release.Line
	x *schemas.WikiraceInstance
}

func (c *instance) check(split string) {
	m := c.Manifest()
	c.Is("split", split, c.x.Split)
	c.Is("key", fmt.Sprintf("%s:%d:%d", m.Wiki, c.x.Source.PageID, c.x.Target.PageID), c.x.Key)
	c.Is("graph_sha256", m.Graph.SHA256, c.x.GraphSHA256)
	c.Is("recipe_sha256", m.RecipeSHA256, c.x.RecipeSHA256)
	if !slices.Contains(m.Splits[split].Distances, c.x.Distance) {
		c.Bad("distance", fmt.Sprintf("one of %v", m.Splits[split].Distances), c.x.Distance)
	}
	if c.x.MaxSteps < 1 {
		c.Bad("max_steps", "1 or more", c.x.MaxSteps)
	}
	if c.x.MaxLinks < 2 {
		c.Bad("max_links", "2 or more", c.x.MaxLinks)
	}
	if c.x.Source.Node == c.x.Target.Node {
		c.Bad("target", "another page than the source", c.x.Target.Node)
	}
	if !c.Page("source", c.x.Source) || !c.Page("target", c.x.Target) {
		return
	}
	c.checkWitness()
	c.checkDegrees(c.Graph())
	c.checkShape(&c.x.Features)
	c.Distance(c.x.Source.Node, c.x.Target.Node, c.x.Distance, true)
}

// checkWitness checks that the witness is a path from source to target of the length that the instance says.
func (c *instance) checkWitness() {
	p, n := c.x.Witness, c.x.Distance+1
	if len(p) != n || len(p) < 2 {
		c.Bad("witness", fmt.Sprintf("%d nodes, at least 2", n), fmt.Sprintf("%d nodes", len(p)))
		return
	}
	if p[0] != c.x.Source.Node || p[len(p)-1] != c.x.Target.Node {
		c.Bad("witness", fmt.Sprintf("from node %d to node %d", c.x.Source.Node, c.x.Target.Node), p)
	}
	for i, u := range p[:len(p)-1] {
		if !c.Edge(u, p[i+1]) {
			c.Bad("witness", "an edge of the graph", fmt.Sprintf("%d -> %d", u, p[i+1]))
		}
	}
}

// checkDegrees checks what graph and instance say about the features without computing them anew: that is level 3.
func (c *instance) checkDegrees(g *graph.Graph) {
	f, s, t := &c.x.Features, c.x.Source.Node, c.x.Target.Node
	most := 0
	for _, u := range g.Pred.Row(t) {
		most = max(most, g.Succ.Degree(u))
	}
	for _, d := range []struct {
		field     string
		want, got int
	}{
		{"out_degree", g.Succ.Degree(s), f.OutDegree},
		{"source_in_degree", g.Pred.Degree(s), f.SourceInDegree},
		{"target_out_degree", g.Succ.Degree(t), f.TargetOutDegree},
		{"target_in_degree", g.Pred.Degree(t), f.TargetInDegree},
		{"target_in_max_out", most, f.TargetInMaxOut},
		{"menu_size", min(f.OutDegree, c.x.MaxLinks), f.MenuSize},
		{"opt_first_menu", min(f.OptFirst, f.MenuSize), f.OptFirstMenu}, // the nearest links stay
		{"dag_layers", c.x.Distance - 1, len(f.DAGLayers)},
	} {
		c.Is("features."+d.field, d.want, d.got)
	}
}

// checkShape checks the features against each other.
func (c *instance) checkShape(f *schemas.WikiraceFeatures) {
	narrow, inner := 0, uint32(0)
	for _, width := range f.DAGLayers {
		inner += width
		if width == 1 {
			narrow++
		}
	}
	greedy := func(a schemas.AgentResult) bool {
		return a.Steps <= c.x.MaxSteps && (!a.Success || a.Steps >= c.x.Distance)
	}
	for _, rule := range []struct {
		field string
		holds bool
	}{
		{"n_shortest_paths", f.ShortestPaths >= 1 && f.ShortestPaths <= schemas.MaxShortestPaths},
		{"opt_first", f.OptFirst >= 1 && f.OptFirst <= f.OutDegree},
		{"dag_layers", !slices.Contains(f.DAGLayers, 0)},
		{"bottlenecks", len(f.Bottlenecks) == narrow && onlyIn(f.Bottlenecks, c.x.Witness)},
		{"dominators", onlyIn(f.Dominators, f.Bottlenecks)},
		{"cut_source", f.CutSource == (f.OutDegree > c.x.MaxLinks)},
		{"cut_dag", len(f.CutDAG) == 2 && f.CutDAG[0] <= f.CutDAG[1] && f.CutDAG[1] == 1+inner},
		{"rw_method", f.RWMethod == schemas.RWExact && f.RWInterval == nil || f.RWMethod == schemas.RWSim && f.RWInterval != nil},
		{"greedy_in", greedy(f.GreedyIn)},
		{"greedy_out", greedy(f.GreedyOut)},
	} {
		if !rule.holds {
			c.Bad("features."+rule.field, "in keeping with the instance and its other features", "not so")
		}
	}
	decimals := []string{f.CutGain, f.RandomKeepsOpt, f.RWFull, f.RWMenu}
	if in := f.RWInterval; in != nil {
		decimals = append(decimals, in.Full[0], in.Full[1], in.Menu[0], in.Menu[1])
	}
	for _, d := range decimals {
		if !flat.Decimal(d) {
			c.Bad("features", "decimals of 6 digits", fault.Quote(d))
		}
	}
}

// onlyIn reports whether among has every node of list.
func onlyIn(list, among []uint32) bool {
	return !slices.ContainsFunc(list, func(u uint32) bool { return !slices.Contains(among, u) })
}

// Policies on pages that several instances use.
const (
	reuseNone    = "none"
	reuseTargets = "targets"
)

// checkDisjoint checks over all splits that no id and no ordered pair comes twice, and what the build's reuse policy adds.
func checkDisjoint(c *release.Check, sets []string) {
	var params struct {
		Reuse string `json:"reuse"`
	}
	if !c.Whole() {
		c.Skip("disjoint splits: a subset does not hold all of them")
		return
	}
	c.Params(&params)
	seen := map[string]string{}
	for _, split := range sets {
		name := split + ".jsonl"
		for i, x := range instances(c, split) {
			uses := []string{"id " + x.ID, fmt.Sprintf("pair %d, %d", x.Source.Node, x.Target.Node)}
			if params.Reuse == reuseNone {
				uses = append(uses, fmt.Sprintf("source %d", x.Source.Node))
			}
			if params.Reuse == reuseNone || params.Reuse == reuseTargets {
				uses = append(uses, fmt.Sprintf("target %d", x.Target.Node))
			}
			for _, use := range uses {
				if first, twice := seen[use]; twice {
					c.Add("disjoint", name, jsonl.Line(i+1), use+" once", "also in "+first)
				}
				seen[use] = cmp.Or(seen[use], name+", "+jsonl.Line(i+1))
			}
		}
	}
}
