package bans

import "github.com/wikinav/wikinav/schemas"

// Coverage counts how many pages of the instances' paths have a label. Nodes beyond masks, of damaged records, count for nothing.
func Coverage(list []schemas.ConstrainedInstance, masks []uint32) schemas.PathCoverage {
	var either, baseline, constrained, between coverage
	for _, x := range list {
		either.add(masks, x.BaselinePath)
		either.add(masks, x.ConstrainedPath)
		baseline.add(masks, x.BaselinePath)
		constrained.add(masks, x.ConstrainedPath)
		between.add(masks, interior(x.ConstrainedPath))
	}
	return schemas.PathCoverage{Any: either.counts, Baseline: baseline.counts, Constrained: constrained.counts, Between: between.counts}
}

// coverage counts each page once.
type coverage struct {
	seen   map[uint32]bool
	counts [2]int // labelled, all
}

func (c *coverage) add(masks, path []uint32) {
	if c.seen == nil {
		c.seen = map[uint32]bool{}
	}
	for _, u := range path {
		if int64(u) >= int64(len(masks)) || c.seen[u] {
			continue
		}
		c.seen[u] = true
		c.counts[1]++
		if masks[u] != 0 {
			c.counts[0]++
		}
	}
}
