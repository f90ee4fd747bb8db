package graph

import (
	"fmt"

	"github.com/wikinav/wikinav/schemas"
)

// DistancesTo fills dist with the number of links on a shortest path from each node to target, with
// schemas.Far where that is 254 or more, and with schemas.Unreached where there is none. It returns
// the largest distance, which may be more than a byte tells; 0 where no other node reaches target.
//
// Result:    exact.
// Idea:      breadth-first search from target against the direction of the links: the queue holds one level after
// another, and a node's first visit is along a shortest path.
// Encoding:  pred is the graph's transpose (row v: the nodes that link to v); dist has length pred.Nodes(). queue is
// scratch of the same length, so that a loop over targets allocates nothing; a shorter one (nil) is replaced.
// Time:      O(n + m). Space: 5 bytes per node, dist and queue.
// Reference: C. Y. Lee, An Algorithm for Path Connections and Its Applications, 1961,
// https://doi.org/10.1109/TEC.1961.5219222.
func DistancesTo(pred CSR, target uint32, dist []uint8, queue []uint32) int {
	n := pred.Nodes()
	if len(dist) != n {
		panic(fmt.Sprintf("graph: %d distances for %d nodes", len(dist), n))
	}
	if len(queue) < n {
		queue = make([]uint32, n)
	}
	for i := range dist {
		dist[i] = schemas.Unreached
	}
	dist[target] = 0
	queue[0] = target
	head, tail := 0, 1
	for depth := 1; ; depth++ {
		end := level(pred, dist, queue, head, tail, toldOf(depth))
		if end == tail {
			return depth - 1
		}
		head, tail = tail, end
	}
}

// toldOf is what a column says of a distance.
func toldOf(depth int) uint8 { return uint8(min(depth, int(schemas.Far))) }

// DistancesFrom fills dist with the number of links on a shortest path from source to each node. It
// is DistancesTo on the graph itself, succ, in place of its transpose.
func DistancesFrom(succ CSR, source uint32, dist []uint8, queue []uint32) int {
	return DistancesTo(succ, source, dist, queue)
}

// level visits the successors of queue[head:tail] and appends those that were unreached, at
// distance depth. It returns the queue's new end.
func level(adj CSR, dist []uint8, queue []uint32, head, tail int, depth uint8) int {
	end := tail
	for _, u := range queue[head:tail] {
		for _, v := range adj.Row(u) {
			if dist[v] == schemas.Unreached {
				dist[v] = depth
				queue[end] = v
				end++
			}
		}
	}
	return end
}
