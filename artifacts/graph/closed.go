package graph

// Links is a distance: uint8 as columns hold it, or uint32, which is exact for any graph. The
// largest value stands for no path, and the one below it for that many links or more: schemas.Unreached
// and schemas.Far of a byte.
type Links interface{ uint8 | uint32 }

// DistancesUnbanned fills dist with the number of links on a shortest path from each node to target
// that enters no closed node: d_c of the constrained specification, 4.2. A closed node has a
// distance too, since an agent that stands on it may leave; only entering is forbidden. The target
// counts as open. schemas.Far and schemas.Unreached are those of DistancesTo.
//
// Result:   exact. Idea: DistancesTo, whose queue no closed node joins.
// Encoding: pred is the transpose; closed and dist have one entry per node; queue is scratch, and a shorter one is replaced.
// Time:     O(n + m). Space: 5 bytes per node and a distance, the arguments.
func DistancesUnbanned[D Links](pred CSR, target uint32, closed []bool, dist []D, queue []uint32) {
	distancesPast(pred, target, closed, true, dist, queue)
}

// DistancesAvoiding is DistancesTo on the graph without the nodes in avoid, which has one entry per
// node: they are left unreached, and no path passes them. A target to avoid leaves every node
// unreached.
//
// Result, encoding and cost are those of DistancesUnbanned.
func DistancesAvoiding[D Links](pred CSR, target uint32, avoid []bool, dist []D, queue []uint32) {
	distancesPast(pred, target, avoid, false, dist, queue)
}

// distancesPast searches where no path passes the shut nodes. Unless they are reached themselves, they are not in the graph.
func distancesPast[D Links](pred CSR, target uint32, shut []bool, reached bool, dist []D, queue []uint32) {
	if len(dist) != pred.Nodes() || len(shut) != pred.Nodes() {
		panic("graph: dist and closed or avoid need one entry per node")
	}
	unreached := ^D(0)
	for i := range dist {
		dist[i] = unreached
	}
	if shut[target] && !reached {
		return
	}
	dist[target] = 0
	queue = append(queue[:0], target)
	for head := 0; head < len(queue); head++ {
		next := min(dist[queue[head]]+1, unreached-1)
		for _, v := range pred.Row(queue[head]) {
			if dist[v] != unreached || shut[v] && !reached {
				continue
			}
			dist[v] = next
			if !shut[v] {
				queue = append(queue, v)
			}
		}
	}
}
