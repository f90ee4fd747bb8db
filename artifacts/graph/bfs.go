package graph

import (
	"fmt"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// DistancesTo fills dist with the number of links on a shortest path from each node to target, and
// with schemas.Unreached where there is none. It returns the largest distance, 0 where no other
// node reaches target.
//
// Result:    exact.
// Idea:      breadth-first search from target against the direction of the links: the queue holds one level after
// another, and a node's first visit is along a shortest path.
// Encoding:  pred is the graph's transpose (row v: the nodes that link to v); dist has length pred.Nodes(). queue is
// scratch of the same length, so that a loop over targets allocates nothing; a shorter one (nil) is replaced.
// Time:      O(n + m). Space: 5 bytes per node, dist and queue.
// Reference: C. Y. Lee, An Algorithm for Path Connections and Its Applications, 1961,
// https://doi.org/10.1109/TEC.1961.5219222.
//
// A distance above schemas.MaxDistance has no encoding: the error names target and node, and dist
// is then unfinished.
func DistancesTo(pred CSR, target uint32, dist []uint8, queue []uint32) (int, error) {
	far, beyond := search(pred, target, dist, queue)
	if far > int(schemas.MaxDistance) {
		return 0, tooFar("node %d is more than %d links from target %d", beyond, schemas.MaxDistance, target)
	}
	return far, nil
}

// DistancesFrom fills dist with the number of links on a shortest path from source to each node. It
// is DistancesTo on the graph itself, succ, in place of its transpose.
func DistancesFrom(succ CSR, source uint32, dist []uint8, queue []uint32) (int, error) {
	far, beyond := search(succ, source, dist, queue)
	if far > int(schemas.MaxDistance) {
		return 0, tooFar("node %d is more than %d links from source %d", beyond, schemas.MaxDistance, source)
	}
	return far, nil
}

func tooFar(format string, args ...any) error {
	return fault.New(fault.Failure, format, args...).
		Hint("a distance is one byte; build on the largest strongly connected component, or drop the chain of pages that leads there")
}

// search numbers the levels around origin and returns the last. It stops at the first level that a
// byte cannot tell, and then also returns a node of it.
func search(adj CSR, origin uint32, dist []uint8, queue []uint32) (far int, beyond uint32) {
	n := adj.Nodes()
	if len(dist) != n {
		panic(fmt.Sprintf("graph: %d distances for %d nodes", len(dist), n))
	}
	if len(queue) < n {
		queue = make([]uint32, n)
	}
	for i := range dist {
		dist[i] = schemas.Unreached
	}
	dist[origin] = 0
	queue[0] = origin
	head, tail := 0, 1
	for depth := 1; ; depth++ {
		end := level(adj, dist, queue, head, tail, uint8(depth))
		if end == tail {
			return depth - 1, 0
		}
		if depth > int(schemas.MaxDistance) {
			return depth, queue[tail]
		}
		head, tail = tail, end
	}
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
