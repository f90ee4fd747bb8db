package release

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// checkInstances checks each instance of a split against graph and distances.
func (v *verifier) checkInstances(split string, f FileEntry) {
	list, ok := v.instances(split)
	if !ok {
		return
	}
	before := ""
	for i, inst := range list {
		c := &instanceCheck{v: v, inst: inst, file: f.Path, line: lineOf(i + 1)}
		if inst.ID <= before {
			c.bad("id", "above "+quoted(before), quoted(inst.ID))
		}
		before = inst.ID
		c.checkRecord(split)
		if g := v.openGraph(); g != nil {
			c.checkPages(g)
		}
	}
}

// instanceCheck is the check of one instance.
type instanceCheck struct {
	v          *verifier
	inst       schemas.WikiraceInstance
	file, line string
}

func (c *instanceCheck) bad(field string, expected, found any) {
	c.v.report.add(field, c.file, c.line, expected, found)
}

// checkRecord checks what needs no other file than the manifest.
func (c *instanceCheck) checkRecord(split string) {
	m, inst := c.v.m, c.inst
	is := func(field, want, got string) { differ(c.v.report, field, c.file, c.line, want, got) }
	is("split", split, inst.Split)
	is("key", fmt.Sprintf("%s:%d:%d", m.Wiki, inst.Source.PageID, inst.Target.PageID), inst.Key)
	is("graph_sha256", m.Graph.SHA256, inst.GraphSHA256)
	is("recipe_sha256", m.RecipeSHA256, inst.RecipeSHA256)
	if !slices.Contains(m.Splits[split].Distances, inst.Distance) {
		c.bad("distance", fmt.Sprintf("one of %v", m.Splits[split].Distances), inst.Distance)
	}
	if inst.MaxSteps < 1 {
		c.bad("max_steps", "1 or more", inst.MaxSteps)
	}
	if inst.MaxLinks < 2 {
		c.bad("max_links", "2 or more", inst.MaxLinks)
	}
	if inst.Source.Node == inst.Target.Node {
		c.bad("target", "another page than the source", inst.Target.Node)
	}
}

// checkPages checks source, target, distance and witness against graph and distances.
func (c *instanceCheck) checkPages(g *graph.Graph) {
	if !c.checkPage(g, "source", c.inst.Source) || !c.checkPage(g, "target", c.inst.Target) {
		return
	}
	c.checkWitness(g)
	c.checkFeatures(g)
	set := c.v.openSet()
	if set == nil {
		return
	}
	d, err := set.At(c.inst.Source.Node, c.inst.Target.Node)
	if err != nil {
		c.bad("distance column", "one for the target", err)
		return
	}
	differ(c.v.report, "distance", c.file, c.line, int(d), c.inst.Distance)
}

// checkPage tells whether p is a node, so that it may be looked up elsewhere.
func (c *instanceCheck) checkPage(g *graph.Graph, end string, p schemas.PageRef) bool {
	if int64(p.Node) >= int64(g.Len()) {
		c.bad(end+".node", below(int64(g.Len())), p.Node)
		return false
	}
	differ(c.v.report, end+".page_id", c.file, c.line, g.PageIDs[p.Node], p.PageID)
	differ(c.v.report, end+".title", c.file, c.line, g.Title(p.Node), p.Title)
	return true
}

// checkWitness checks that the witness is a path from source to target of the length that the instance says.
func (c *instanceCheck) checkWitness(g *graph.Graph) {
	path := c.inst.Witness
	if len(path) != c.inst.Distance+1 || len(path) < 2 {
		c.bad("witness", fmt.Sprintf("%d nodes, at least 2", c.inst.Distance+1), fmt.Sprintf("%d nodes", len(path)))
		return
	}
	if path[0] != c.inst.Source.Node || path[len(path)-1] != c.inst.Target.Node {
		c.bad("witness", fmt.Sprintf("from node %d to node %d", c.inst.Source.Node, c.inst.Target.Node), path)
	}
	for i, u := range path[:len(path)-1] {
		if !hasEdge(g, u, path[i+1]) {
			c.bad("witness", "an edge of the graph", fmt.Sprintf("%d -> %d", u, path[i+1]))
		}
	}
}

func hasEdge(g *graph.Graph, u, v uint32) bool {
	if int64(u) >= int64(g.Len()) {
		return false
	}
	_, ok := slices.BinarySearch(g.Succ.Row(u), v)
	return ok
}

// Policies on pages that several instances use (wikirace specification 5.2).
const (
	reuseNone    = "none"
	reuseTargets = "targets"
)

// checkDisjoint checks over all splits that no id and no ordered pair comes twice, and what the build's reuse policy adds.
func (v *verifier) checkDisjoint() {
	reuse := v.reuse()
	seen := map[string]string{}
	for _, split := range v.m.races() {
		list, _ := v.instances(split)
		for i, inst := range list {
			uses := []string{"id " + inst.ID, fmt.Sprintf("pair %d, %d", inst.Source.Node, inst.Target.Node)}
			if reuse == reuseNone {
				uses = append(uses, fmt.Sprintf("source %d", inst.Source.Node))
			}
			if reuse == reuseNone || reuse == reuseTargets {
				uses = append(uses, fmt.Sprintf("target %d", inst.Target.Node))
			}
			for _, use := range uses {
				if first, twice := seen[use]; twice {
					v.report.add("disjoint", splitPath(split, ".jsonl"), lineOf(i+1), use+" once", "also in "+first)
				}
				seen[use] = cmp.Or(seen[use], fmt.Sprintf("%s, %s", splitPath(split, ".jsonl"), lineOf(i+1)))
			}
		}
	}
}

// reuse reads the policy among the parameters of the family's stage; "" when there is none.
func (v *verifier) reuse() string {
	var params struct {
		Reuse string `json:"reuse"`
	}
	if json.Unmarshal(v.m.Params["wikirace"], &params) != nil {
		return ""
	}
	return params.Reuse
}
