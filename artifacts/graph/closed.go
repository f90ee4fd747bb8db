package graph

import "github.com/wikinav/wikinav/schemas"

// DistancesUnbanned fills dist with the number of links on a shortest path from each node to target
// that enters no closed node: d_c of the constrained specification, 4.2. A closed node has a
// distance too, since an agent that stands on it may leave; only entering is forbidden. The target
// counts as open. schemas.Unreached where there is no path.
//
// Result:   exact. Idea: DistancesTo, whose queue no closed node joins.
// Encoding: pred is the transpose; closed and dist have one entry per node; queue is scratch, and a shorter one is replaced.
// Time:     O(n + m). Space: 6 bytes per node, the arguments.
func DistancesUnbanned(pred CSR, target uint32, closed []bool, dist []uint8, queue []uint32) (int, error) {
	return distancesPast(pred, target, closed, true, dist, queue)
}

// DistancesAvoiding is DistancesTo on the graph without the nodes in avoid, which has one entry per
// node: they are left unreached, and no path passes them. A target to avoid leaves every node
// unreached, and the result 0.
//
// Result, encoding, cost and error are those of DistancesUnbanned.
func DistancesAvoiding(pred CSR, target uint32, avoid []bool, dist []uint8, queue []uint32) (int, error) {
	return distancesPast(pred, target, avoid, false, dist, queue)
}

// distancesPast searches where no path passes the shut nodes. Unless they are reached themselves, they are not in the graph.
func distancesPast(pred CSR, target uint32, shut []bool, reached bool, dist []uint8, queue []uint32) (int, error) {
	if len(dist) != pred.Nodes() || len(shut) != pred.Nodes() {
		panic("graph: dist and closed or avoid need one entry per node")
	}
	for i := range dist {
		dist[i] = schemas.Unreached
	}
	if shut[target] && !reached {
		return 0, nil
	}
	dist[target] = 0
	queue = append(queue[:0], target)
	far := 0
	for head := 0; head < len(queue); head++ {
		next := int(dist[queue[head]]) + 1
		for _, v := range pred.Row(queue[head]) {
			if dist[v] != schemas.Unreached || shut[v] && !reached {
				continue
			}
			if next > int(schemas.MaxDistance) {
				return 0, tooFar("node %d is more than %d links from target %d", v, schemas.MaxDistance, target)
			}
			dist[v], far = uint8(next), next
			if !shut[v] {
				queue = append(queue, v)
			}
		}
	}
	return far, nil
}
