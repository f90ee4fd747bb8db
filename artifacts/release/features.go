package release

import (
	"math"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// column is a feature and the name of its column.
type column[T any] struct {
	name  string
	value *T
}

// counts gives the features that are plain counts.
func counts(f *schemas.WikiraceFeatures) []column[int] {
	return []column[int]{
		{"opt_first", &f.OptFirst},
		{"out_degree", &f.OutDegree},
		{"opt_first_menu", &f.OptFirstMenu},
		{"menu_size", &f.MenuSize},
		{"source_in_degree", &f.SourceInDegree},
		{"target_in_degree", &f.TargetInDegree},
		{"target_out_degree", &f.TargetOutDegree},
		{"target_in_max_out", &f.TargetInMaxOut},
		{"greedy_in_steps", &f.GreedyIn.Steps},
		{"greedy_out_steps", &f.GreedyOut.Steps},
	}
}

// decimals gives the features that are no integers.
func decimals(f *schemas.WikiraceFeatures) []column[string] {
	return []column[string]{
		{"cut_gain", &f.CutGain}, {"random_keeps_opt", &f.RandomKeepsOpt}, {"rw_full", &f.RWFull}, {"rw_menu", &f.RWMenu},
	}
}

// lists gives the features that are lists.
func lists(f *schemas.WikiraceFeatures) []column[[]uint32] {
	return []column[[]uint32]{{"dag_layers", &f.DAGLayers}, {"bottlenecks", &f.Bottlenecks}, {"dominators", &f.Dominators}}
}

// answers gives the features that are true or false.
func answers(f *schemas.WikiraceFeatures) []column[bool] {
	return []column[bool]{
		{"n_shortest_saturated", &f.ShortestPathsSaturated},
		{"cut_source", &f.CutSource},
		{"greedy_in_success", &f.GreedyIn.Success},
		{"greedy_out_success", &f.GreedyOut.Success},
	}
}

// addFeatures sets the feature columns of a row of a split's table.
func addFeatures(p *arrowio.ParquetWriter, f *schemas.WikiraceFeatures) error {
	col := schemas.WikiraceSplitTable.Index
	if len(f.CutDAG) != 2 {
		return fault.New(fault.Mismatch, "cut_dag has %d numbers, want 2", len(f.CutDAG))
	}
	for _, c := range counts(f) {
		if !fitsUint(*c.value, math.MaxUint32) {
			return fault.New(fault.Mismatch, "feature %s is out of range", c.name)
		}
		p.Uint32(col(c.name), uint32(*c.value))
	}
	for _, d := range decimals(f) {
		p.String(col(d.name), *d.value)
	}
	addWalks(p, f)
	for _, l := range lists(f) {
		p.List(col(l.name), *l.value)
	}
	for _, b := range answers(f) {
		p.Bool(col(b.name), *b.value)
	}
	p.Uint64(col("n_shortest_paths"), f.ShortestPaths)
	p.Uint32(col("cut_dag_cut"), f.CutDAG[0])
	p.Uint32(col("cut_dag_all"), f.CutDAG[1])
	return nil
}

// featuresAt reads the features of row i of batch b of a split's table.
func featuresAt(t *arrowio.Table, b, i int) schemas.WikiraceFeatures {
	col := schemas.WikiraceSplitTable.Index
	var f schemas.WikiraceFeatures
	for _, c := range counts(&f) {
		*c.value = int(t.Uint32s(b, col(c.name))[i])
	}
	for _, d := range decimals(&f) {
		*d.value = t.Strings(b, col(d.name)).At(i)
	}
	walksAt(t, b, i, &f)
	for _, l := range lists(&f) {
		*l.value = append([]uint32{}, t.Lists(b, col(l.name)).At(i)...)
	}
	for _, g := range answers(&f) {
		*g.value = t.Bools(b, col(g.name)).At(i)
	}
	f.ShortestPaths = t.Uint64s(b, col("n_shortest_paths"))[i]
	f.CutDAG = []uint32{t.Uint32s(b, col("cut_dag_cut"))[i], t.Uint32s(b, col("cut_dag_all"))[i]}
	return f
}

// onlyIn tells whether among has every node of list.
func onlyIn(list, among []uint32) bool {
	return !slices.ContainsFunc(list, func(u uint32) bool { return !slices.Contains(among, u) })
}
