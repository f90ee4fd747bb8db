package difficulty

import (
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// dag is the shortest paths from a source to a target.
type dag struct {
	paths     uint64 // their number, schemas.MaxShortestPaths at most
	saturated bool   // there are more
	layers    [][]uint32
}

// shortestPaths counts the shortest paths from source to the target whose column is dist, and gives the nodes on
// them by their place: layers[i] after i links, source and target included.
//
// Result:   exact up to schemas.MaxShortestPaths.
// Idea:     from layer to layer, along the links that lead one nearer; a node is on a shortest path from source
// exactly when such links lead to it, and it has as many as its predecessors in the layer before together.
// Encoding: succ is CSR; paths is scratch of a number per node, all 0 before and after.
// Time:     the out-degrees of the nodes on the paths. Space: these nodes.
func shortestPaths(succ graph.CSR, dist []uint8, source uint32, paths []uint64) dag {
	d := dag{layers: [][]uint32{{source}}}
	paths[source] = 1
	for depth := dist[source]; depth > 0; depth-- {
		last, next := d.layers[len(d.layers)-1], []uint32{}
		for _, u := range last {
			for _, v := range succ.Row(u) {
				if dist[v] != depth-1 {
					continue
				}
				if paths[v] == 0 {
					next = append(next, v)
				}
				// One past the largest number stands for all beyond, so that the flag tells them from it.
				paths[v] = min(paths[v]+paths[u], schemas.MaxShortestPaths+1)
			}
		}
		d.layers = append(d.layers, next)
	}
	target := d.layers[len(d.layers)-1][0]
	d.paths, d.saturated = min(paths[target], schemas.MaxShortestPaths), paths[target] > schemas.MaxShortestPaths
	for _, layer := range d.layers {
		for _, u := range layer {
			paths[u] = 0
		}
	}
	return d
}
