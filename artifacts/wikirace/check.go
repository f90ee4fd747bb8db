package wikirace

import (
	"crypto/sha256"
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

// Check checks every instance against graph and distances, the files of a split against each other,
// and all splits together.
func (part) Check(c *release.Check) {
	sets := setsOf(c)
	have := release.Tally{}
	whole := true
	once := usesOf(c)
	for _, split := range sets {
		c.Need(split+".ids", split+".jsonl", split+".parquet")
		whole = checkSplit(c, split, have, once) && whole
	}
	if whole {
		c.Quotas(have)
	}
}

// checkSplit checks the files of a split as they are read, and reports whether its records are
// whole.
func checkSplit(c *release.Check, split string, have release.Tally, once *uses) bool {
	name := split + ".jsonl"
	ids, laid := c.Text(split+".ids"), release.Rows(c, split+".parquet", Table)
	carried, listed := 0, rowsOf(c, split)
	if listed != nil { // whatever pairs and pages it shares with others
		once = once.ofList()
	}
	whole := release.EachRecord(c, name, schemas.WikiraceInstanceSchema, func(x *schemas.WikiraceInstance) string { return x.ID },
		func(l release.Line, x *schemas.WikiraceInstance) {
			have[release.TallyKey{Of: split, Distance: x.Distance}]++
			if c.Carried(x.ID) {
				carried++
			}
			if c.Wants(name) {
				(&instance{l, x}).check(split)
			}
			once.add(l, x)
			ids.Is(x.ID)
			laid.Is(x)
			listed.add(x)
		})
	ids.End(whole)
	laid.End(whole)
	listed.check()
	c.NotOfThisGraph("features", name, carried)
	return whole
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
	c.DrawnFrom(c.x.ID, c.x.GraphSHA256, c.x.RecipeSHA256)
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
	if !c.Carried(c.x.ID) { // whose features are those of another graph
		c.checkDegrees(c.Graph())
	}
	c.checkShape(&c.x.Features)
	c.Distance(c.x.Source.Node, c.x.Target.Node, c.x.Distance, true)
}

// checkWitness checks that the witness is a path from source to target of the length that the
// instance says.
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

// checkDegrees checks what graph and instance say about the features without computing them anew:
// that is level 3.
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

// uses remembers over all splits which ids, ordered pairs and, as the build's reuse policy asks,
// pages were used, and where first: some 100 bytes for an instance, which is all that verify keeps
// of it.
type uses struct {
	params struct {
		Reuse string `json:"reuse"`
	}
	files *[]string
	ids   map[[16]byte]place
	pairs map[[2]uint32]place
	ends  [2]map[uint32]place // sources, targets
}

// place is a line of one of the files.
type place struct{ file, line uint32 }

// usesOf returns nil for a subset of the files.
func usesOf(c *release.Check) *uses {
	if !c.Whole() {
		c.Skip("disjoint splits: a subset does not hold all of them")
		return nil
	}
	u := &uses{
		files: &[]string{}, ids: map[[16]byte]place{}, pairs: map[[2]uint32]place{},
		ends: [2]map[uint32]place{{}, {}},
	}
	c.Params(&u.params)
	return u
}

// ofList returns the uses of a split of listed pairs: of its pages and pairs, none but its own.
func (u *uses) ofList() *uses {
	if u == nil {
		return nil
	}
	return &uses{ids: u.ids, pairs: map[[2]uint32]place{}, files: u.files}
}

// add lists what of an instance was used before.
func (u *uses) add(l release.Line, x *schemas.WikiraceInstance) {
	if u == nil {
		return
	}
	if n := len(*u.files); n == 0 || (*u.files)[n-1] != l.File {
		*u.files = append(*u.files, l.File)
	}
	at := place{file: uint32(len(*u.files) - 1), line: uint32(l.N)}
	sum, s, t := sha256.Sum256([]byte(x.ID)), x.Source.Node, x.Target.Node
	once(u, l, u.ids, [16]byte(sum[:]), at, "id %s", x.ID)
	once(u, l, u.pairs, [2]uint32{s, t}, at, "pair %d, %d", s, t)
	if u.params.Reuse == reuseNone {
		once(u, l, u.ends[0], s, at, "source %d", s)
	}
	if u.params.Reuse == reuseNone || u.params.Reuse == reuseTargets {
		once(u, l, u.ends[1], t, at, "target %d", t)
	}
}

func once[K comparable](u *uses, l release.Line, seen map[K]place, key K, at place, format string, args ...any) {
	first, twice := seen[key]
	if !twice {
		seen[key] = at
		return
	}
	l.Bad("disjoint", fmt.Sprintf(format, args...)+" once",
		"also in "+(*u.files)[first.file]+", "+jsonl.Line(int(first.line)))
}
