package constrained

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// params is what the checks need of the stage's parameters.
type params struct {
	N              int    `json:"n"`
	MaxAttempts    int    `json:"max_attempts"`
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

// check checks pairs under bans. Its kit is that of the stage, so what it computes anew is exact by
// the same promise.
type check struct {
	*release.Check
	params       params
	paramsSHA256 string
	labelsSHA256 string
	g            *graph.Graph
	masks        []uint32
	kit          *bans.Kit
	seen         map[[2]uint32]string // pairs, and where they stand

	list     []schemas.ConstrainedInstance
	pathless []schemas.ConstrainedInfeasible
}

// Check computes every instance anew: filters, the label that is banned, the paths and what is said
// of them.
func (p part) Check(rc *release.Check) {
	rc.Need(linesFile, tableFile, infeasibleFile, FunnelFile)
	rc.NeedOf(labels.Part, labels.File)
	c := &check{Check: rc, seen: map[[2]uint32]string{}}
	c.list = release.RecordsOf[schemas.ConstrainedInstance](rc, linesFile, schemas.ConstrainedInstanceSchema)
	c.pathless = release.RecordsOf[schemas.ConstrainedInfeasible](rc, infeasibleFile, schemas.ConstrainedInfeasibleSchema)
	release.SameRows(rc, tableFile, Table, c.list)
	if c.list != nil {
		c.Quotas(release.Tally{{Of: Set}: len(c.list)})
	}
	can := c.prepare(p.Artifact.Name)
	if can && c.list != nil {
		c.checkInstances()
	}
	if can && c.pathless != nil {
		c.checkInfeasible()
	}
	if c.list != nil && c.pathless != nil {
		c.checkFunnel(can)
	}
}

// prepare reports whether pairs can be checked: graph, distances, labels and parameters are whole.
func (c *check) prepare(stage string) bool {
	if !c.Params(&c.params) {
		return false
	}
	c.paramsSHA256 = digest.SHA256(canon.MustMarshal(c.Manifest().Params[stage]))
	if c.g = c.Graph(); c.g == nil || c.Distances() == nil {
		return false
	}
	f := c.Of(labels.Part)
	l, err := labels.Of(f)
	if err != nil || len(l.Masks) != c.g.Len() {
		c.Skip("pairs under bans: the labels are damaged or missing")
		return false
	}
	c.masks, c.labelsSHA256 = l.Masks, f.Digest(labels.File).SHA256
	if !c.params.Multi {
		for u, primary := range l.Primaries {
			c.masks[u] = bans.Single(primary)
		}
	}
	c.kit = bans.NewKit(c.g, c.masks)
	return true
}

func (c *check) checkInstances() {
	release.EachLine(c.Check, linesFile, c.list, func(x *schemas.ConstrainedInstance) string { return x.ID }, func(l release.Line, x *schemas.ConstrainedInstance) {
		column := c.checkPair(l, x)
		if column == nil {
			return
		}
		want := *x
		if err := c.kit.Fill(&want, column); err != nil {
			l.Bad("constrained_path", "a path", err)
			return
		}
		sameFields(l, &want, x)
		if r := c.params.Require; r != "none" && (x.Binding == schemas.BindingNone || r != x.Binding && x.Binding != schemas.BindingLonger) {
			l.Bad("binding", r, x.Binding)
		}
	})
}

// checkInfeasible checks that no path is left, and the rest as for instances.
func (c *check) checkInfeasible() {
	for i, x := range c.list {
		c.seen[[2]uint32{x.Source.Node, x.Target.Node}] = fmt.Sprintf("%s, line %d", linesFile, i+1)
	}
	release.EachLine(c.Check, infeasibleFile, c.pathless, func(x *schemas.ConstrainedInfeasible) string { return x.ID }, func(l release.Line, x *schemas.ConstrainedInfeasible) {
		e := claimOf(x)
		column := c.checkPair(l, e)
		if column == nil {
			return
		}
		l.Is("infeasible", true, x.Infeasible)
		p := bans.PairOf(e, column)
		if found := c.kit.Path(p); found != nil {
			l.Bad("infeasible", "no path", fmt.Sprint(found))
		}
		l.Is("cut", bans.Cut(c.g, c.masks, p), x.Cut)
	})
}

func sameFields(l release.Line, want, got any) {
	a, b := fieldsOf(want), fieldsOf(got)
	for _, name := range sortedKeys(a) {
		l.Is(name, string(a[name]), string(b[name]))
	}
}

func fieldsOf(record any) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if err := json.Unmarshal(canon.MustMarshal(record), &out); err != nil {
		panic("constrained: a canonical record does not parse: " + err.Error())
	}
	return out
}

// claimOf lays a pair without a path out as an instance, as far as both say the same.
func claimOf(x *schemas.ConstrainedInfeasible) *schemas.ConstrainedInstance {
	return &schemas.ConstrainedInstance{
		Source: x.Source, Target: x.Target, BanWitness: x.BanWitness, BannedCategory: x.BannedCategory, UnlabelledRule: x.UnlabelledRule, Key: x.Key,
		BaselineLength: x.BaselineLength, MaxSteps: x.MaxSteps, ParamsSHA256: x.ParamsSHA256, LabelsSHA256: x.LabelsSHA256, GraphSHA256: x.GraphSHA256,
	}
}

// checkPair checks what needs no search. It returns the target's column, nil where a search would
// mean nothing.
func (c *check) checkPair(l release.Line, e *schemas.ConstrainedInstance) []uint8 {
	m := c.Manifest()
	l.Is("key", fmt.Sprintf("%s:%d:%d:%s", m.Wiki, e.Source.PageID, e.Target.PageID, e.BannedCategory), e.Key)
	l.Is("graph_sha256", m.Graph.SHA256, e.GraphSHA256)
	l.Is("labels_sha256", c.labelsSHA256, e.LabelsSHA256)
	l.Is("params_sha256", c.paramsSHA256, e.ParamsSHA256)
	l.Is("unlabelled", c.params.Unlabelled, e.UnlabelledRule)
	if e.MaxSteps < 1 {
		l.Bad("max_steps", "1 or more", e.MaxSteps)
	}
	if _, known := schemas.LabelBit(e.BannedCategory); !known {
		l.Bad("banned_category", "a label", fault.Quote(e.BannedCategory))
		return nil
	}
	if !l.Page("source", e.Source) || !l.Page("target", e.Target) {
		return nil
	}
	nodes := [2]uint32{e.Source.Node, e.Target.Node}
	if first, twice := c.seen[nodes]; twice || nodes[0] == nodes[1] {
		l.Bad("pair", "two pages that come once", "also in "+first)
		return nil
	}
	c.seen[nodes] = l.Where
	c.checkFilters(l, e)
	c.checkWitness(l, e)
	column, err := c.Distances().Column(e.Target.Node)
	if err != nil {
		l.Bad("distance column", "one for the target", err)
		return nil
	}
	l.Is("baseline_length", int(column[e.Source.Node]), e.BaselineLength)
	return column
}

// checkFilters holds the ends to the parameters of the stage.
func (c *check) checkFilters(l release.Line, e *schemas.ConstrainedInstance) {
	if d := c.g.Succ.Degree(e.Source.Node); d < c.params.SourceMinOut {
		l.Bad("source", fmt.Sprintf("%d links or more", c.params.SourceMinOut), d)
	}
	if c.params.NoParentheses && strings.ContainsAny(e.Source.Title, "()") {
		l.Bad("source", "a title without parentheses", fault.Quote(e.Source.Title))
	}
	if d := c.g.Pred.Degree(e.Target.Node); d < c.params.TargetMinIn {
		l.Bad("target", fmt.Sprintf("%d links to it or more", c.params.TargetMinIn), d)
	}
	if e.BaselineLength < c.params.BaselineMin {
		l.Bad("baseline_length", fmt.Sprintf("%d or more", c.params.BaselineMin), e.BaselineLength)
	}
}

// checkWitness looks for the most linked labelled page that links to the target, whose label is
// banned.
func (c *check) checkWitness(l release.Line, e *schemas.ConstrainedInstance) {
	if neighbour := c.params.BanMode == "neighbour"; !neighbour || e.BanWitness == nil {
		if neighbour != (e.BanWitness != nil) {
			l.Bad("ban_witness", "one under ban_mode neighbour, null else", e.BanWitness)
		}
		return
	}
	if !l.Page("ban_witness", e.BanWitness.PageRef) {
		return
	}
	want := schemas.BanWitness{InDegree: -1}
	for _, u := range c.g.Pred.Row(e.Target.Node) {
		if d := c.g.Pred.Degree(u); u != e.Source.Node && c.masks[u] != 0 && d > want.InDegree {
			want.Node, want.InDegree = u, d
		}
	}
	l.Is("ban_witness.node", want.Node, e.BanWitness.Node)
	l.Is("ban_witness.in_degree", want.InDegree, e.BanWitness.InDegree)
	if bit, _ := schemas.LabelBit(e.BannedCategory); c.masks[e.BanWitness.Node]>>bit&1 == 0 {
		l.Bad("banned_category", "a label of the ban witness", e.BannedCategory)
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// checkFunnel compares the funnel with what it counts; can reports whether labels may be looked up.
func (c *check) checkFunnel(can bool) {
	var f schemas.ConstrainedFunnel
	if !c.Wants(FunnelFile) || !c.Document(FunnelFile, &f) {
		return
	}
	is := func(field string, want, got any) { c.funnelIs(field, want, got) }
	is("schema", schemas.ConstrainedFunnelSchema, f.Schema)
	is("requested", c.params.N, f.Requested)
	is("accepted", len(c.list), f.Accepted)
	is("status", schemas.NewQuota(Set, f.Requested, f.Accepted, "", nil).Status, f.Status)
	is("params", string(c.Files().Params), string(f.Params))
	is("label", labelOf(f.Params), f.Label)
	is("empty", FirstEmpty(f.Pages, f.Sources, f.Targets), f.Empty)
	byLabel, byBinding := map[string]int{}, map[string]int{}
	for _, binding := range schemas.Bindings {
		byBinding[binding] = 0
	}
	for _, x := range c.list {
		byLabel[x.BannedCategory]++
		byBinding[x.Binding]++
	}
	is("by_label", byLabel, f.ByLabel)
	for _, label := range sortedKeys(byLabel) {
		is("spread.classes has "+label, true, slices.Contains(f.Spread.Classes, label))
		is("by_label of "+label+" within spread.limit", true, byLabel[label] <= f.Spread.Limit)
	}
	is("accepted within spread.at_most", true, f.Accepted <= f.Spread.AtMost)
	is("by_binding", byBinding, f.ByBinding)
	if can {
		is("on_paths", bans.Coverage(c.list, c.masks), f.OnPaths)
	}
	c.checkAttempts(&f)
	if quotas, err := c.Files().Quotas(); err == nil && len(quotas) == 1 {
		want := schemas.NewQuota(Set, f.Requested, f.Accepted, quotas[0].Why, Counts(&f)) // why, in words of its version
		release.Differ(c.Check, "quota", schemas.QuotasFile, release.Row(0), release.Shown(want), release.Shown(quotas[0]))
	}
}

func (c *check) funnelIs(field string, want, got any) {
	release.Differ(c.Check, "funnel", FunnelFile, field, fmt.Sprint(want), fmt.Sprint(got))
}

// checkAttempts adds the attempts up. They end when the slots are full or the attempts used up, and
// do not begin where no page passes some filter.
func (c *check) checkAttempts(f *schemas.ConstrainedFunnel) {
	sum := f.Accepted
	for _, reason := range f.Reasons() {
		sum += f.Rejects[reason]
	}
	c.funnelIs("rejects", slices.Sorted(slices.Values(f.Reasons())), sortedKeys(f.Rejects))
	c.funnelIs("attempts", sum, f.Attempts)
	switch {
	case f.Empty != "":
		c.funnelIs("attempts", 0, f.Attempts)
	case f.Accepted < f.Requested || f.Attempts > c.params.MaxAttempts:
		c.funnelIs("attempts", c.params.MaxAttempts, f.Attempts)
	}
	c.funnelIs("infeasible_kept", len(c.pathless), f.Kept)
	c.funnelIs("infeasible_kept", min(f.Rejects[schemas.RejectInfeasible], c.params.InfeasibleKeep), f.Kept)
	counted := c.Files().Counters
	if counted == nil {
		return
	}
	c.funnelIs("on_paths", []int64{counted["labelled_on_paths"], counted["pages_on_paths"]}, f.OnPaths.Any)
	counts := Counts(f)
	for _, name := range sortedKeys(counts) {
		c.funnelIs(name, counted[name], counts[name])
	}
}
