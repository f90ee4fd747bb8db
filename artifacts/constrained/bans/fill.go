package bans

import (
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// PairOf gives the pair of a record, whose category and nodes are known to be real ones.
func PairOf(x *schemas.ConstrainedInstance, column []uint8) Pair {
	bit, _ := schemas.LabelBit(x.BannedCategory)
	return Pair{
		Source: x.Source.Node, Target: x.Target.Node, Column: column,
		Rule: Rule{Bit: bit, ForbidUnlabelled: x.UnlabelledRule == schemas.UnlabelledForbid},
	}
}

// Fill computes all that follows from a record's ends, ban and rule: paths, lengths and features. A record without a path is a
// fault.Mismatch: it is no instance.
func (k *Kit) Fill(x *schemas.ConstrainedInstance, column []uint8) error {
	p := PairOf(x, column)
	baseline := k.Baseline(p)
	path := k.Path(p)
	if baseline == nil || path == nil {
		return fault.New(fault.Mismatch, "no path from node %d to node %d with %s banned", p.Source, p.Target, x.BannedCategory)
	}
	k.paths(x, p, baseline, path)
	k.firstMoves(x, p)
	k.shortest(x, p)
	x.IfForbidden = k.ifForbidden(p)
	x.Compat = k.Compat(p, baseline)
	return nil
}

func (k *Kit) paths(x *schemas.ConstrainedInstance, p Pair, baseline, path []uint32) {
	x.BaselinePath, x.BaselineTitles, x.BaselineLength = baseline, k.titles(baseline), len(baseline)-1
	x.ConstrainedPath, x.ConstrainedTitles, x.ConstrainedLength = path, k.titles(path), len(path)-1
	x.Detour = x.ConstrainedLength - x.BaselineLength
	x.Binding = k.Binding(p, baseline, path)
	x.Unlabelled = 0
	for _, u := range interior(path) {
		if k.masks[u] == 0 {
			x.Unlabelled++
		}
	}
}

func (k *Kit) titles(path []uint32) []string {
	out := make([]string, len(path))
	for i, u := range path {
		out[i] = k.graph.Title(u)
	}
	return out
}

// firstMoves looks at the links of the source; dist is that of search.
func (k *Kit) firstMoves(x *schemas.ConstrainedInstance, p Pair) {
	row := k.graph.Succ.Row(p.Source)
	x.BannedShare, x.FeasibleFirst = [2]int{0, len(row)}, [2]int{}
	for _, v := range row {
		switch {
		case k.closed[v]:
			x.BannedShare[0]++
		case v != p.Source && k.dist[v] != unreached:
			x.FeasibleFirst[0]++
			if int(k.dist[v]) == x.ConstrainedLength-1 {
				x.FeasibleFirst[1]++
			}
		}
	}
}

// shortest counts the shortest paths without the ban, those of them without a closed page, and the pages on them.
func (k *Kit) shortest(x *schemas.ConstrainedInstance, p Pair) {
	layers := graph.Layers(k.graph.Succ, p.Column, p.Source)
	all := graph.CountPaths(k.graph.Succ, layers)[0][0]
	x.BannedOnShortest = [2]int{}
	for i := 1; i < len(layers)-1; i++ {
		var open []uint32
		for _, u := range layers[i] {
			if !k.closed[u] {
				open = append(open, u)
			}
		}
		x.BannedOnShortest[0] += len(layers[i]) - len(open)
		x.BannedOnShortest[1] += len(layers[i])
		layers[i] = open
	}
	x.BaselineClean = [2]uint64{graph.CountPaths(k.graph.Succ, layers)[0][0], all}
}

// ifForbidden gives the length that is left if pages without label are closed, too; nil where nothing is.
func (k *Kit) ifForbidden(p Pair) *int {
	p.Rule.ForbidUnlabelled = true
	path := k.Path(p)
	if path == nil {
		return nil
	}
	length := len(path) - 1
	return &length
}
