package release

import (
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/schemas"
)

// checkOneStep checks each instance of a one-step set against the graph, against itself, and against what is scored.
func (v *verifier) checkOneStep(set string, f FileEntry) {
	before := ""
	scored := v.scoredPairs()
	for i, x := range v.oneStep(set) {
		c := companionCheck{v, f.Path, lineOf(i + 1)}
		c.above(x.ID, before)
		before = x.ID
		c.checkPrompt(x)
		if scored != nil {
			differ(v.report, "overlap", f.Path, c.line, scored.overlaps(x), x.Overlap)
		}
		if g := v.openGraph(); g != nil && c.checkPage(g, "source", x.Source) && c.checkPage(g, "target", x.Target) {
			c.checkDistance(x.Source.Node, x.Target.Node, x.Distance)
			c.checkMenu(g, x)
		}
	}
}

// checkPrompt checks what needs the record alone.
func (c companionCheck) checkPrompt(x schemas.OneStepInstance) {
	differ(c.v.report, "prompt_sha256", c.file, c.line, prompt.Hash(x.Messages), x.PromptSHA256)
	if !asked(x.Messages) {
		c.bad("messages", "a system and a user message", fmt.Sprintf("%d messages", len(x.Messages)))
	}
	if len(x.Best) == 0 || !slices.IsSorted(x.Best) || len(slices.Compact(slices.Clone(x.Best))) != len(x.Best) || int(x.Best[len(x.Best)-1]) >= len(x.Menu) {
		c.bad("best", fmt.Sprintf("ascending places in a menu of %d, at least one", len(x.Menu)), x.Best)
	}
	for i, l := range x.Menu {
		differ(c.v.report, "menu.i", c.file, c.line, i, l.I)
	}
}

// checkMenu checks that the menu is links of the source, each once, and best those nearest to the target where the
// release carries its column.
func (c companionCheck) checkMenu(g *graph.Graph, x schemas.OneStepInstance) {
	seen := map[uint32]bool{}
	for _, l := range x.Menu {
		if !hasEdge(g, x.Source.Node, l.Node) || seen[l.Node] {
			c.bad("menu", "links of the source, each once", fmt.Sprintf("node %d", l.Node))
			return
		}
		seen[l.Node] = true
		differ(c.v.report, "menu.title", c.file, c.line, g.Title(l.Node), l.Title)
	}
	set := c.v.openSet()
	if set == nil {
		return
	}
	column, err := set.Column(x.Target.Node)
	if err != nil {
		return // the release need not have it
	}
	least, best := schemas.Unreached, []uint32{}
	for _, l := range x.Menu {
		least = min(least, column[l.Node])
	}
	for i, l := range x.Menu {
		if column[l.Node] == least {
			best = append(best, uint32(i))
		}
	}
	differ(c.v.report, "best", c.file, c.line, fmt.Sprint(best), fmt.Sprint(x.Best))
}

// scoredPairs is what models are scored on, as far as overlap goes.
type scoredPairs struct {
	against map[string]int
	pairs   map[[2]uint32]bool
	sources map[uint32]bool
	targets map[uint32]bool
	witness map[uint32]bool // nodes of a split's witnesses
}

// scoredPairs gathers splits and probe, once; nil when one of them is damaged.
func (v *verifier) scoredPairs() *scoredPairs {
	if !v.once("scored pairs") {
		return v.scored
	}
	s := &scoredPairs{map[string]int{}, map[[2]uint32]bool{}, map[uint32]bool{}, map[uint32]bool{}, map[uint32]bool{}}
	for _, split := range v.m.races() {
		list, ok := v.instances(split)
		if !ok {
			return nil
		}
		for _, inst := range list {
			s.add(split, inst.Source.Node, inst.Target.Node)
			for _, u := range inst.Witness {
				s.witness[u] = true
			}
		}
	}
	if _, ok := v.m.File(probePath); ok {
		list := v.probe()
		if list == nil {
			return nil
		}
		for _, p := range list {
			s.add(probeDir, p.Source.Node, p.Target.Node)
		}
	}
	v.scored = s
	return s
}

func (s *scoredPairs) add(group string, source, target uint32) {
	s.against[group]++
	s.pairs[[2]uint32{source, target}], s.sources[source], s.targets[target] = true, true, true
}

func (s *scoredPairs) overlaps(x schemas.OneStepInstance) schemas.OneStepOverlaps {
	a, b := x.Source.Node, x.Target.Node
	return schemas.OneStepOverlaps{
		Pair: s.pairs[[2]uint32{a, b}], ReversedPair: s.pairs[[2]uint32{b, a}], Source: s.sources[a], Target: s.targets[b],
		SourceIsEvalTarget: s.targets[a], TargetIsEvalSource: s.sources[b], SourceOnWitness: s.witness[a],
	}
}

// checkOverlapReport compares the report with the instances of all sets, and its policy with what it found.
func (v *verifier) checkOverlapReport(f FileEntry) {
	var r schemas.OneStepReport
	if !v.document(f, &r) {
		return
	}
	differ(v.report, "schema", f.Path, "schema", schemas.OneStepReportSchema, r.Schema)
	if r.Policy != schemas.OverlapNone && r.Policy != schemas.OverlapAllow {
		v.report.add("policy", f.Path, "policy", "none or allow", quoted(r.Policy))
	}
	differ(v.report, "contaminated", f.Path, "contaminated", r.Policy == schemas.OverlapAllow, r.Contaminated)
	if s := v.scoredPairs(); s != nil {
		differ(v.report, "against", f.Path, "against", fmt.Sprint(s.against), fmt.Sprint(r.Against))
	}
	ids := map[string][]string{}
	for _, set := range v.m.oneStepSets() {
		for _, x := range v.oneStep(set) {
			for _, kind := range schemas.OneStepKinds {
				if *kind.Of(&x.Overlap) {
					ids[kind.Name] = append(ids[kind.Name], x.ID)
				}
			}
		}
	}
	for _, kind := range schemas.OneStepKinds {
		found := r.Kinds[kind.Name]
		slices.Sort(found.IDs)
		slices.Sort(ids[kind.Name])
		differ(v.report, "overlap", f.Path, kind.Name, fmt.Sprint(len(ids[kind.Name]), ids[kind.Name]), fmt.Sprint(found.Count, found.IDs))
		barred := kind.Name == "pair" || kind.Name == "reversed_pair" || kind.Name == "target"
		if barred && r.Policy == schemas.OverlapNone && found.Count > 0 {
			v.report.add("overlap", f.Path, kind.Name, "none under the policy none", found.Count)
		}
	}
}
