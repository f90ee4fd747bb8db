package release

import (
	"regexp"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

var decimalForm = regexp.MustCompile(`^(0|[1-9]\.[0-9]{5}e[+-][0-9]{2,3})$`)

// checkFeatures checks what graph and instance say about the features without computing them anew: that is level 3.
func (c *instanceCheck) checkFeatures(g *graph.Graph) {
	f := &c.inst.Features
	s, t := c.inst.Source.Node, c.inst.Target.Node
	is := func(field string, want, got int) { differ(c.v.report, "features."+field, c.file, c.line, want, got) }
	is("out_degree", g.Succ.Degree(s), f.OutDegree)
	is("source_in_degree", g.Pred.Degree(s), f.SourceInDegree)
	is("target_out_degree", g.Succ.Degree(t), f.TargetOutDegree)
	is("target_in_degree", g.Pred.Degree(t), f.TargetInDegree)
	is("target_in_max_out", maxOut(g, t), f.TargetInMaxOut)
	is("menu_size", min(f.OutDegree, c.inst.MaxLinks), f.MenuSize)
	is("opt_first_menu", min(f.OptFirst, f.MenuSize), f.OptFirstMenu) // the nearest links stay
	is("dag_layers", c.inst.Distance-1, len(f.DAGLayers))
	c.checkShape(f)
}

func maxOut(g *graph.Graph, target uint32) int {
	most := 0
	for _, u := range g.Pred.Row(target) {
		most = max(most, g.Succ.Degree(u))
	}
	return most
}

// checkShape checks the features against each other.
func (c *instanceCheck) checkShape(f *schemas.WikiraceFeatures) {
	narrow := 0
	for _, width := range f.DAGLayers {
		if width == 1 {
			narrow++
		}
	}
	for _, rule := range []struct {
		field string
		holds bool
	}{
		{"n_shortest_paths", f.ShortestPaths >= 1 && f.ShortestPaths <= schemas.MaxShortestPaths},
		{"opt_first", f.OptFirst >= 1 && f.OptFirst <= f.OutDegree},
		{"dag_layers", !slices.Contains(f.DAGLayers, 0)},
		{"bottlenecks", len(f.Bottlenecks) == narrow && onlyIn(f.Bottlenecks, c.inst.Witness)},
		{"dominators", onlyIn(f.Dominators, f.Bottlenecks)},
		{"cut_source", f.CutSource == (f.OutDegree > c.inst.MaxLinks)},
		{"cut_dag", len(f.CutDAG) == 2 && f.CutDAG[0] <= f.CutDAG[1] && f.CutDAG[1] == 1+total(f.DAGLayers)},
		{"rw_method", walksHold(f)},
		{"greedy_in", f.GreedyIn.Steps <= c.inst.MaxSteps && (!f.GreedyIn.Success || f.GreedyIn.Steps >= c.inst.Distance)},
		{"greedy_out", f.GreedyOut.Steps <= c.inst.MaxSteps && (!f.GreedyOut.Success || f.GreedyOut.Steps >= c.inst.Distance)},
	} {
		if !rule.holds {
			c.bad("features."+rule.field, "in keeping with the instance and its other features", "not so")
		}
	}
	for _, d := range append(decimals(f), estimated(f)...) {
		if !decimalForm.MatchString(*d.value) {
			c.bad("features."+d.name, "a decimal of 6 digits", quoted(*d.value))
		}
	}
}

func total(widths []uint32) uint32 {
	var n uint32
	for _, w := range widths {
		n += w
	}
	return n
}
