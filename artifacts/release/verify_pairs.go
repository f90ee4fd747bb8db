package release

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/bans"
	"github.com/wikinav/wikinav/schemas"
)

// bannedPair is what instances and pairs without a path both say.
type bannedPair struct {
	source, target schemas.PageRef
	witness        *schemas.BanWitness
	label, rule    string
	key            string
	baseline       int
	maxSteps       int

	params, labels, graph string
}

func feasiblePair(x *schemas.ConstrainedInstance) bannedPair {
	return bannedPair{
		source: x.Source, target: x.Target, witness: x.BanWitness, label: x.BannedCategory, rule: x.UnlabelledRule, key: x.Key,
		baseline: x.BaselineLength, maxSteps: x.MaxSteps, params: x.ParamsSHA256, labels: x.LabelsSHA256, graph: x.GraphSHA256,
	}
}

func infeasiblePair(x *schemas.ConstrainedInfeasible) bannedPair {
	return bannedPair{
		source: x.Source, target: x.Target, witness: x.BanWitness, label: x.BannedCategory, rule: x.UnlabelledRule, key: x.Key,
		baseline: x.BaselineLength, maxSteps: x.MaxSteps, params: x.ParamsSHA256, labels: x.LabelsSHA256, graph: x.GraphSHA256,
	}
}

func (e bannedPair) bit() uint8 {
	bit, _ := schemas.LabelBit(e.label)
	return bit
}

func (e bannedPair) pair(column []uint8) bans.Pair {
	return bans.Pair{
		Source: e.source.Node, Target: e.target.Node, Column: column,
		Rule: bans.Rule{Bit: e.bit(), ForbidUnlabelled: e.rule == schemas.UnlabelledForbid},
	}
}

// checkPair checks what needs no search. It gives the target's column, nil where a search would mean nothing.
func (c *banCheck) checkPair(e bannedPair) []uint8 {
	m := c.v.m
	is := func(field, want, got string) { differ(c.v.report, field, c.file, c.line, want, got) }
	is("key", fmt.Sprintf("%s:%d:%d:%s", m.Wiki, e.source.PageID, e.target.PageID, e.label), e.key)
	is("graph_sha256", m.Graph.SHA256, e.graph)
	is("labels_sha256", c.labels, e.labels)
	is("params_sha256", m.paramsSHA256(constrainedDir), e.params)
	is("unlabelled", c.params.Unlabelled, e.rule)
	if e.maxSteps < 1 {
		c.bad("max_steps", "1 or more", e.maxSteps)
	}
	if _, known := schemas.LabelBit(e.label); !known {
		c.bad("banned_category", "a label", quoted(e.label))
		return nil
	}
	if !c.checkPage(c.g, "source", e.source) || !c.checkPage(c.g, "target", e.target) {
		return nil
	}
	nodes := [2]uint32{e.source.Node, e.target.Node}
	if first, twice := c.seen[nodes]; twice || nodes[0] == nodes[1] {
		c.bad("pair", "two pages that come once", "also in "+first)
		return nil
	}
	c.seen[nodes] = c.line
	c.checkFilters(e)
	c.checkBanWitness(e)
	return c.checkBaseline(e)
}

// checkFilters holds the ends to the parameters of the stage.
func (c *banCheck) checkFilters(e bannedPair) {
	if d := c.g.Succ.Degree(e.source.Node); d < c.params.SourceMinOut {
		c.bad("source", fmt.Sprintf("%d links or more", c.params.SourceMinOut), d)
	}
	if c.params.NoParentheses && strings.ContainsAny(e.source.Title, "()") {
		c.bad("source", "a title without parentheses", quoted(e.source.Title))
	}
	if d := c.g.Pred.Degree(e.target.Node); d < c.params.TargetMinIn {
		c.bad("target", fmt.Sprintf("%d links to it or more", c.params.TargetMinIn), d)
	}
	if e.baseline < c.params.BaselineMin {
		c.bad("baseline_length", fmt.Sprintf("%d or more", c.params.BaselineMin), e.baseline)
	}
}

// checkBanWitness looks for the most linked labelled page that links to the target, whose label is banned.
func (c *banCheck) checkBanWitness(e bannedPair) {
	if neighbour := c.params.BanMode == "neighbour"; !neighbour || e.witness == nil {
		if neighbour != (e.witness != nil) {
			c.bad("ban_witness", "one under ban_mode neighbour, null else", e.witness)
		}
		return
	}
	if !c.checkPage(c.g, "ban_witness", e.witness.PageRef) {
		return
	}
	var want schemas.BanWitness
	want.InDegree = -1
	for _, u := range c.g.Pred.Row(e.target.Node) {
		if d := c.g.Pred.Degree(u); u != e.source.Node && c.masks[u] != 0 && d > want.InDegree {
			want.Node, want.InDegree = u, d
		}
	}
	differ(c.v.report, "ban_witness.node", c.file, c.line, want.Node, e.witness.Node)
	differ(c.v.report, "ban_witness.in_degree", c.file, c.line, want.InDegree, e.witness.InDegree)
	if c.masks[e.witness.Node]>>e.bit()&1 == 0 {
		c.bad("banned_category", "a label of the ban witness", e.label)
	}
}

// checkBaseline compares with the column of the target, and gives it.
func (c *banCheck) checkBaseline(e bannedPair) []uint8 {
	column, err := c.v.openSet().Column(e.target.Node)
	if err != nil {
		c.bad("distance column", "one for the target", err)
		return nil
	}
	differ(c.v.report, "baseline_length", c.file, c.line, int(column[e.source.Node]), e.baseline)
	return column
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// checkFunnel compares the funnel with what it counts.
func (v *verifier) checkFunnel(f FileEntry) {
	var funnel schemas.ConstrainedFunnel
	if !v.document(f, &funnel) {
		return
	}
	is := func(field string, want, got any) {
		differ(v.report, field, f.Path, "", fmt.Sprint(want), fmt.Sprint(got))
	}
	name := v.m.banned()
	entry := v.m.Splits[name]
	is("schema", schemas.ConstrainedFunnelSchema, funnel.Schema)
	is("label", name, splitOfLabel(funnel.Label))
	is("requested", entry.Requested, funnel.Requested)
	is("accepted", entry.N, funnel.Accepted)
	is("status", entry.Status, funnel.Status)
	is("params", string(v.m.Params[constrainedDir]), string(funnel.Params))
	is("infeasible_kept", len(v.infeasible()), funnel.Kept)
	sum := funnel.Accepted
	for _, reason := range schemas.ConstrainedRejects {
		sum += funnel.Rejects[reason]
	}
	is("attempts", sum, funnel.Attempts)
	is("rejects", slices.Sorted(slices.Values(schemas.ConstrainedRejects)), sortedKeys(funnel.Rejects))
	byLabel, byBinding := map[string]int{}, map[string]int{}
	for _, binding := range schemas.Bindings {
		byBinding[binding] = 0
	}
	for _, x := range v.constrained() {
		byLabel[x.BannedCategory]++
		byBinding[x.Binding]++
	}
	is("by_label", byLabel, funnel.ByLabel)
	is("by_binding", byBinding, funnel.ByBinding)
	if c := v.newBanCheck(f); c != nil {
		is("on_paths", bans.Coverage(v.constrained(), c.masks), funnel.OnPaths)
	}
	v.checkFunnelCounters(f, &funnel)
}

// checkFunnelCounters compares with the stage's receipt, where the manifest has it.
func (v *verifier) checkFunnelCounters(f FileEntry, funnel *schemas.ConstrainedFunnel) {
	for _, s := range v.m.Stages {
		if s.Stage != constrainedDir {
			continue
		}
		differ(v.report, "attempts", f.Path, "", s.Counters["attempts"], int64(funnel.Attempts))
		differ(v.report, "on_paths", f.Path, "", s.Counters["pages_on_paths"], int64(funnel.OnPaths.Any[1]))
		differ(v.report, "on_paths", f.Path, "", s.Counters["labelled_on_paths"], int64(funnel.OnPaths.Any[0]))
		for _, reason := range schemas.ConstrainedRejects {
			differ(v.report, "rejects."+reason, f.Path, "", s.Counters["rejected_"+reason], int64(funnel.Rejects[reason]))
		}
	}
}
