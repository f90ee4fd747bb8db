package graph

import "slices"

// MaxPaths is the largest number of shortest paths that is told apart from more: the largest
// integer that every JSON reader keeps exact.
const MaxPaths = 1<<53 - 1

// Layers returns the nodes on the shortest paths from source to the target whose column is dist:
// layer i holds those i links after source, ascending; the first is source alone, the last the
// target.
//
// Result:    exact: a node is in layer i if and only if a shortest path has it at place i. Nil where source does not
// reach the target or is too far for D (see Links), and where dist contradicts succ.
// Idea:      on a shortest path every step is to a successor that is one link nearer. So the paths form a DAG whose edges
// are those between neighbouring layers, and need not be kept.
// Encoding:  succ holds the successors; dist is as DistancesTo leaves it.
// Time:      the sum of the layers' out-degrees, and their sorting. Space: the layers.
func Layers[D Links](succ CSR, dist []D, source uint32) [][]uint32 {
	if dist[source] >= ^D(0)-1 {
		return nil
	}
	layers := [][]uint32{{source}}
	for d := dist[source]; d > 0; d-- {
		var next []uint32
		for _, u := range layers[len(layers)-1] {
			next = appendNearer(next, succ.Row(u), dist, d-1)
		}
		slices.Sort(next)
		next = slices.Compact(next)
		if len(next) == 0 {
			return nil
		}
		layers = append(layers, next)
	}
	return layers
}

func appendNearer[D Links](list, row []uint32, dist []D, d D) []uint32 {
	for _, v := range row {
		if dist[v] == d {
			list = append(list, v)
		}
	}
	return list
}

// CountPaths gives, for each node of layers, the number of shortest paths from it to the target, at
// most MaxPaths. The number for the source is counts[0][0]; no layers have none.
//
// Result:    exact up to MaxPaths, which stands for that or more: sums saturate at every step, and no smaller number can
// come out of a saturated one. Parallel edges count once each.
// Idea:      a node has the paths of its nearer successors together: from the target back, layer by layer.
// Time:      the sum of the layers' out-degrees, times a binary search in the next layer. Space: 8 bytes per node of layers.
// Reference: U. Brandes, A Faster Algorithm for Betweenness Centrality, J. Math. Sociol. 25(2), 2001,
// https://doi.org/10.1080/0022250X.2001.9990249.
func CountPaths(succ CSR, layers [][]uint32) [][]uint64 {
	counts := make([][]uint64, len(layers))
	for i := len(layers) - 1; i >= 0; i-- {
		counts[i] = make([]uint64, len(layers[i]))
		if i == len(layers)-1 {
			counts[i][0] = 1
			continue
		}
		for k, u := range layers[i] {
			for _, v := range succ.Row(u) {
				if at, nearer := slices.BinarySearch(layers[i+1], v); nearer {
					counts[i][k] = min(counts[i][k]+counts[i+1][at], MaxPaths)
				}
			}
		}
	}
	return counts
}
