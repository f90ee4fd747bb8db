package graph

import "github.com/wikinav/wikinav/schemas"

// DistancesAvoiding is DistancesTo on the graph without the nodes in avoid, which has one entry per
// node: they are left unreached, and no path passes them. A target to avoid leaves every node
// unreached, and the result 0.
//
// Result, idea, encoding, cost and error are those of DistancesTo; a byte per node is avoid's.
func DistancesAvoiding(pred CSR, target uint32, avoid []bool, dist []uint8, queue []uint32) (int, error) {
	if len(dist) != pred.Nodes() || len(avoid) != pred.Nodes() {
		panic("graph: dist and avoid need one entry per node")
	}
	for i := range dist {
		dist[i] = schemas.Unreached
	}
	if avoid[target] {
		return 0, nil
	}
	dist[target] = 0
	queue = append(queue[:0], target)
	depth := 0
	for head := 0; head < len(queue); depth++ {
		if depth > int(schemas.MaxDistance) {
			return 0, tooFar("node %d is more than %d links from target %d", queue[head], schemas.MaxDistance, target)
		}
		end := len(queue)
		for ; head < end; head++ {
			queue = appendUnreached(queue, pred.Row(queue[head]), avoid, dist, uint8(depth+1))
		}
	}
	return depth - 1, nil
}

// appendUnreached reaches the nodes of row that may be passed.
func appendUnreached(queue, row []uint32, avoid []bool, dist []uint8, depth uint8) []uint32 {
	for _, v := range row {
		if dist[v] == schemas.Unreached && !avoid[v] {
			dist[v] = depth
			queue = append(queue, v)
		}
	}
	return queue
}
