package catalog

import (
	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// addFeatures adds a row in the order of the columns of catalog.WikiraceFeatures.
func addFeatures(w *catalog.Writer, in *schemas.WikiraceInstance) error {
	f := &in.Features
	if len(f.CutDAG) != 2 {
		return fault.New(fault.Mismatch, "instance %s: cut_dag has %d numbers, want 2", in.ID, len(f.CutDAG))
	}
	return w.Row(in.ID, int64(f.ShortestPaths), truth(f.ShortestPathsSaturated), int64(f.OptFirst), int64(f.OutDegree),
		int64(f.OptFirstMenu), int64(f.MenuSize), int64(f.SourceInDegree), int64(f.TargetInDegree),
		int64(f.TargetOutDegree), int64(f.TargetInMaxOut), list(f.DAGLayers), list(f.Bottlenecks), list(f.Dominators),
		truth(f.CutSource), int64(f.CutDAG[0]), int64(f.CutDAG[1]), f.CutGain, f.RandomKeepsOpt,
		f.RWFull, f.RWMenu, f.RWMethod, truth(f.GreedyIn.Success), int64(f.GreedyIn.Steps), truth(f.GreedyOut.Success), int64(f.GreedyOut.Steps))
}

func list(nodes []uint32) string { return string(canon.MustMarshal(nodes)) }

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
