package bans

import (
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// maxSearches is where the published procedure gives up.
const maxSearches = 20

// Compat runs the published procedure: take a shortest path; if pages on it are closed, remove all pages between its ends from
// the graph and search again. What it finds may be longer than the exact path, and it misses paths that need an innocent page
// of a candidate. The baseline is its first candidate, so that the first search costs nothing.
func (k *Kit) Compat(p Pair, baseline []uint32) schemas.CompatSearch {
	clear(k.avoid)
	path := baseline
	for n := 1; ; n++ {
		if path != nil && k.clean(p.Rule, path) {
			length := len(path) - 1
			return schemas.CompatSearch{Found: true, Iterations: n, Length: &length}
		}
		if path == nil || n == maxSearches {
			return schemas.CompatSearch{Iterations: n}
		}
		for _, u := range interior(path) {
			k.avoid[u] = true
		}
		graph.DistancesAvoiding(k.graph.Pred, p.Target, k.avoid, k.dist, k.queue)
		path = graph.Witness(k.graph.Succ, k.dist, p.Source)
	}
}
