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
	if len(dist) != pred.Nodes() || len(closed) != pred.Nodes() {
		panic("graph: dist and closed need one entry per node")
	}
	for i := range dist {
		dist[i] = schemas.Unreached
	}
	dist[target] = 0
	queue = append(queue[:0], target)
	far := 0
	for head := 0; head < len(queue); head++ {
		next := int(dist[queue[head]]) + 1
		for _, v := range pred.Row(queue[head]) {
			if dist[v] != schemas.Unreached {
				continue
			}
			if next > int(schemas.MaxDistance) {
				return 0, tooFar("node %d is more than %d links from target %d", v, schemas.MaxDistance, target)
			}
			dist[v], far = uint8(next), next
			if !closed[v] {
				queue = append(queue, v)
			}
		}
	}
	return far, nil
}
