package onestep

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Check checks each instance against the graph, against itself, and against what is scored.
func (part) Check(c *release.Check) {
	c.Need(OverlapFile)
	all := map[string][]schemas.OneStepInstance{}
	have, scored := release.Tally{}, gather(c)
	for _, name := range append(c.Names("*.jsonl"), c.Names("*.parquet")...) {
		set, _, _ := strings.Cut(name, ".")
		if _, seen := all[set]; seen {
			continue
		}
		c.Need(set+".jsonl", set+".parquet")
		list := release.RecordsOf[schemas.OneStepInstance](c, set+".jsonl", schemas.OneStepInstanceSchema)
		all[set] = list
		for _, x := range list {
			have[release.TallyKey{Of: set, Distance: x.Distance}]++
		}
		release.SameRows(c, set+".parquet", Table, list)
		carried := c.CarriedAmong(len(list), func(i int) string { return list[i].ID })
		c.NotOfThisGraph("that menus are those that the game deals", set+".jsonl", carried)
		release.EachLine(c, set+".jsonl", list, func(x *schemas.OneStepInstance) string { return x.ID }, func(l release.Line, x *schemas.OneStepInstance) {
			checkPrompt(l, x)
			if scored != nil {
				l.Is("overlap", scored.overlaps(x), x.Overlap)
			}
			if l.Page("source", x.Source) && l.Page("target", x.Target) {
				l.Distance(x.Source.Node, x.Target.Node, x.Distance, false)
				checkMenu(l, x)
			}
		})
	}
	for _, list := range all { // any damage
		if list == nil {
			return
		}
	}
	c.Quotas(have)
	checkReport(c, scored, all)
}

func checkPrompt(l release.Line, x *schemas.OneStepInstance) {
	l.Is("prompt_sha256", prompt.Hash(x.Messages), x.PromptSHA256)
	if m := x.Messages; len(m) != 2 || m[0].Role != schemas.RoleSystem || m[1].Role != schemas.RoleUser {
		l.Bad("messages", "a system and a user message", fmt.Sprintf("%d messages", len(x.Messages)))
	}
	if n := len(x.Best); n == 0 || !slices.IsSorted(x.Best) || len(slices.Compact(slices.Clone(x.Best))) != n || int(x.Best[n-1]) >= len(x.Menu) {
		l.Bad("best", fmt.Sprintf("ascending places in a menu of %d, at least one", len(x.Menu)), x.Best)
	}
	for i, link := range x.Menu {
		l.Is("menu.i", i, link.I)
	}
}

// checkMenu checks that the menu is links of the source, each once, and best those nearest to the
// target where the release has its column: it need not.
func checkMenu(l release.Line, x *schemas.OneStepInstance) {
	seen := map[uint32]bool{}
	for _, link := range x.Menu {
		if !l.Edge(x.Source.Node, link.Node) || seen[link.Node] {
			l.Bad("menu", "links of the source, each once", fmt.Sprintf("node %d", link.Node))
			return
		}
		seen[link.Node] = true
		l.Is("menu.title", l.Graph().Title(link.Node), link.Title)
	}
	set := l.Distances()
	if set == nil {
		return
	}
	column, err := set.Column(x.Target.Node)
	if err != nil {
		return
	}
	least, best := schemas.Unreached, []uint32{}
	for _, link := range x.Menu {
		least = min(least, column[link.Node])
	}
	for i, link := range x.Menu {
		if column[link.Node] == least {
			best = append(best, uint32(i))
		}
	}
	l.Is("best", fmt.Sprint(best), fmt.Sprint(x.Best))
}

// scoredPairs is what models are scored on, as far as overlap goes.
type scoredPairs struct {
	against map[string]int
	pairs   map[[2]uint32]bool
	sources map[uint32]bool
	targets map[uint32]bool
	witness map[uint32]bool
}

// gather returns nil where some of it is damaged.
func gather(c *release.Check) *scoredPairs {
	list, ok := c.Scored()
	if !ok {
		return nil
	}
	return sharesOf(list)
}

// sharesOf lays out what models are scored on.
func sharesOf(list []release.Scored) *scoredPairs {
	s := &scoredPairs{map[string]int{}, map[[2]uint32]bool{}, map[uint32]bool{}, map[uint32]bool{}, map[uint32]bool{}}
	for _, p := range list {
		s.against[p.Group]++
		s.pairs[[2]uint32{p.Source, p.Target}], s.sources[p.Source], s.targets[p.Target] = true, true, true
		for _, u := range p.Witness {
			s.witness[u] = true
		}
	}
	return s
}

func (s *scoredPairs) overlaps(x *schemas.OneStepInstance) schemas.OneStepOverlaps {
	a, b := x.Source.Node, x.Target.Node
	return schemas.OneStepOverlaps{
		Pair: s.pairs[[2]uint32{a, b}], ReversedPair: s.pairs[[2]uint32{b, a}], Source: s.sources[a], Target: s.targets[b],
		SourceIsEvalTarget: s.targets[a], TargetIsEvalSource: s.sources[b], SourceOnWitness: s.witness[a],
	}
}

// checkReport compares the report with the instances of all sets, and its policy with what it
// found.
func checkReport(c *release.Check, scored *scoredPairs, all map[string][]schemas.OneStepInstance) {
	var r schemas.OneStepReport
	if !c.Wants(OverlapFile) || !c.Document(OverlapFile, &r) {
		return
	}
	is := func(field, want, got string) { release.Differ(c, field, OverlapFile, field, want, got) }
	is("schema", schemas.OneStepReportSchema, r.Schema)
	if !slices.Contains([]string{schemas.OverlapNone, schemas.OverlapAllow, schemas.OverlapEnsure}, r.Policy) {
		c.Add("policy", OverlapFile, "policy", "none, allow or ensure", fault.Quote(r.Policy))
	}
	is("contaminated", fmt.Sprint(r.Policy != schemas.OverlapNone), fmt.Sprint(r.Contaminated))
	if scored != nil {
		is("against", fmt.Sprint(scored.against), fmt.Sprint(r.Against))
	}
	ids := map[string][]string{}
	for _, list := range all { // sorted below
		for _, x := range list {
			for _, kind := range schemas.OneStepKinds {
				if *kind.Of(&x.Overlap) {
					ids[kind.Name] = append(ids[kind.Name], x.ID)
				}
			}
		}
	}
	var names []string
	for _, kind := range schemas.OneStepKinds {
		names = append(names, kind.Name)
		found := r.Kinds[kind.Name]
		slices.Sort(found.IDs)
		slices.Sort(ids[kind.Name])
		is(kind.Name, fmt.Sprint(len(ids[kind.Name]), ids[kind.Name]), fmt.Sprint(found.Count, found.IDs))
		barred := kind.Name == "pair" || kind.Name == "reversed_pair" || kind.Name == "target"
		if barred && r.Policy == schemas.OverlapNone && found.Count > 0 {
			c.Add("overlap", OverlapFile, kind.Name, "none under the policy none", found.Count)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Kinds)) {
		if !slices.Contains(names, name) {
			c.Add("kinds", OverlapFile, name, fmt.Sprint(names), fault.Quote(name))
		}
	}
}
