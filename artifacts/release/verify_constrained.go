package release

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/bans"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// checkConstrainedEntry looks for files of the set without which the others mean nothing, and checks its entry against theirs.
func (v *verifier) checkConstrainedEntry() {
	name := v.m.banned()
	if name == "" && !slices.ContainsFunc(v.m.Files, func(f FileEntry) bool { return parent(f.Path) == constrainedDir }) {
		return
	}
	for _, p := range []string{constrainedPath, constrainedTable, infeasiblePath, funnelPath, labelsPath} {
		if _, ok := v.m.File(p); !ok {
			v.report.add("files", p, "", "listed in the manifest", "not listed")
		}
	}
	if name == "" {
		v.report.add("split", ManifestName, "splits", "an entry for the instances under a ban", "none")
		return
	}
	list := v.constrained()
	if list == nil {
		return
	}
	f, _ := v.m.File(constrainedPath)
	want := constrainedEntry(list, v.m.Splits[name].Requested, f.SHA256)
	differ(v.report, "split", ManifestName, "splits."+name, string(canon.MustMarshal(want)), string(canon.MustMarshal(v.m.Splits[name])))
}

// checkConstrained checks the content of a file of constrained/.
func (v *verifier) checkConstrained(f FileEntry) {
	switch f.Path {
	case constrainedPath:
		v.checkBans(f)
	case infeasiblePath:
		v.checkInfeasible(f)
	case funnelPath:
		v.checkFunnel(f)
	case constrainedTable:
		t, g := v.parquet(f, schemas.ConstrainedTable), v.openGraph()
		if t == nil || g == nil {
			return
		}
		titles := func(path []uint32) []string { return titlesOf(g, path) }
		sameRows(v, f, t, v.constrained(), func(t *arrowio.Table, b, i int) schemas.ConstrainedInstance { return constrainedAt(t, b, i, titles) })
	}
}

// titlesOf gives titles; "" for a node that is none, which the JSON lines are checked for.
func titlesOf(g *graph.Graph, path []uint32) []string {
	out := make([]string, len(path))
	for i, u := range path {
		if int64(u) < int64(g.Len()) {
			out[i] = g.Title(u)
		}
	}
	return out
}

// constrained gives the instances under a ban, read once.
func (v *verifier) constrained() []schemas.ConstrainedInstance {
	if v.once(constrainedPath) {
		v.banned = records(v, constrainedPath, constrainedForm)
	}
	return v.banned
}

// infeasible gives the pairs without a path, read once.
func (v *verifier) infeasible() []schemas.ConstrainedInfeasible {
	if v.once(infeasiblePath) {
		v.pathless = records(v, infeasiblePath, infeasibleForm)
	}
	return v.pathless
}

// banParams is what the checks need of the stage's parameters.
type banParams struct {
	SourceMinOut   int    `json:"source_min_out"`
	NoParentheses  bool   `json:"source_no_parentheses"`
	TargetMinIn    int    `json:"target_min_in"`
	BaselineMin    int    `json:"baseline_min"`
	BanMode        string `json:"ban_mode"`
	Unlabelled     string `json:"unlabelled"`
	Require        string `json:"require"`
	InfeasibleKeep int    `json:"infeasible_keep"`
	Multi          bool   `json:"multi"`
}

// banCheck checks pairs under bans. Its kit is that of the stage, so what it computes anew is exact by the same promise.
type banCheck struct {
	companionCheck
	g      *graph.Graph
	masks  []uint32
	kit    *bans.Kit
	params banParams
	labels string // the digest of the labels
	seen   map[[2]uint32]string
}

// newBanCheck gives nil where graph, distances or labels are damaged.
func (v *verifier) newBanCheck(f FileEntry) *banCheck {
	c := &banCheck{companionCheck: companionCheck{v: v, file: f.Path}, g: v.openGraph(), seen: map[[2]uint32]string{}}
	if err := json.Unmarshal(v.m.Params[constrainedDir], &c.params); err != nil {
		v.report.add("params", ManifestName, "params."+constrainedDir, "those of the stage", "none")
		return nil
	}
	if c.g == nil || v.openSet() == nil {
		return nil
	}
	if c.masks = v.masks(c.params.Multi); len(c.masks) != c.g.Len() {
		v.report.skip("%s: the labels are damaged or missing", f.Path)
		return nil
	}
	labels, _ := v.m.File(labelsPath)
	c.kit, c.labels = bans.NewKit(c.g, c.masks), labels.SHA256
	return c
}

// masks gives what a ban tests of each node, read once: all labels, or the primary one alone. It is shorter where the labels are damaged.
func (v *verifier) masks(multi bool) []uint32 {
	if v.once(labelsPath + " as masks") {
		v.banMasks = v.readMasks(multi)
	}
	return v.banMasks
}

func (v *verifier) readMasks(multi bool) []uint32 {
	f, ok := v.listed(labelsPath)
	if !ok {
		return nil
	}
	t, err := arrowio.Open(v.root, labelsPath, schemas.LabelsTable, f.digestOf())
	if err != nil {
		return nil // found where the table is checked
	}
	defer t.Close()
	var masks []uint32
	for b := range t.Batches() {
		for i := range t.BatchRows(b) {
			l := labelRow(t, b, i)
			if !multi {
				l.mask = bans.Single(l.primary)
			}
			masks = append(masks, l.mask)
		}
	}
	return masks
}

// checkBans computes every instance anew: filters, the label that is banned, the paths and what is said of them.
func (v *verifier) checkBans(f FileEntry) {
	c := v.newBanCheck(f)
	list := v.constrained()
	if c == nil || list == nil {
		return
	}
	inLines(c, list, func(x *schemas.ConstrainedInstance) string { return x.ID }, func(x *schemas.ConstrainedInstance) {
		if column := c.checkPair(feasiblePair(x)); column != nil {
			c.recompute(x, column)
		}
	})
}

// inLines checks each record at its line, ids ascending, until the context ends.
func inLines[T any](c *banCheck, list []T, id func(*T) string, check func(*T)) {
	before := ""
	for i := range list {
		x := &list[i]
		c.line = lineOf(i + 1)
		c.above(id(x), before)
		before = id(x)
		if c.v.ctx.Err() != nil {
			return
		}
		check(x)
	}
}

// recompute fills a copy and compares.
func (c *banCheck) recompute(x *schemas.ConstrainedInstance, column []uint8) {
	want := *x
	if err := c.kit.Fill(&want, column); err != nil {
		c.bad("constrained_path", "a path", err)
		return
	}
	c.sameFields(&want, x)
	if c.params.Require != "none" && (x.Binding == schemas.BindingNone || c.params.Require != x.Binding && x.Binding != schemas.BindingLonger) {
		c.bad("binding", c.params.Require, x.Binding)
	}
}

// sameFields compares two records field by field.
func (c *banCheck) sameFields(want, got any) {
	a, b := fieldsOf(want), fieldsOf(got)
	for _, name := range sortedKeys(a) {
		differ(c.v.report, name, c.file, c.line, string(a[name]), string(b[name]))
	}
}

func fieldsOf(record any) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if err := json.Unmarshal(canon.MustMarshal(record), &out); err != nil {
		panic("release: a canonical record does not parse: " + err.Error())
	}
	return out
}

// checkInfeasible checks that no path is left, and the rest as for instances.
func (v *verifier) checkInfeasible(f FileEntry) {
	c := v.newBanCheck(f)
	list := v.infeasible()
	if c == nil || list == nil {
		return
	}
	for i, x := range v.constrained() {
		c.seen[[2]uint32{x.Source.Node, x.Target.Node}] = path.Base(constrainedPath) + ", " + lineOf(i+1)
	}
	inLines(c, list, func(x *schemas.ConstrainedInfeasible) string { return x.ID }, func(x *schemas.ConstrainedInfeasible) {
		e := infeasiblePair(x)
		column := c.checkPair(e)
		if column == nil {
			return
		}
		differ(v.report, "infeasible", c.file, c.line, true, x.Infeasible)
		p := e.pair(column)
		if found, err := c.kit.Path(p); err != nil || found != nil {
			c.bad("infeasible", "no path", fmt.Sprint(found, err))
		}
		differ(v.report, "cut", c.file, c.line, bans.Cut(c.g, c.masks, p), x.Cut)
	})
}

// paramsSHA256 is the digest that records have of their stage's parameters.
func (m *Manifest) paramsSHA256(stage string) string {
	return digest.SHA256(canon.MustMarshal(m.Params[stage]))
}
