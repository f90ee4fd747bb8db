package graph

// Witness returns a shortest path from source to the target whose column is dist, both ends included:
// of all of them the lexicographically smallest by node, because each step takes the smallest
// successor that is one link nearer.
//
// succ holds the successors, ascending; dist is as DistancesTo leaves it. The result is nil where
// source does not reach the target, where it is as far as D tells or farther (see Links), and where dist contradicts succ (no successor is one link nearer): whoever knows that the
// distance is exact has then found damage. Time: the sum of the
// out-degrees along the path. Space: the path.
func Witness[D Links](succ CSR, dist []D, source uint32) []uint32 {
	if dist[source] >= ^D(0)-1 {
		return nil
	}
	path := make([]uint32, 1, int(dist[source])+1)
	path[0] = source
	for u := source; dist[u] > 0; {
		v, ok := nearer(succ.Row(u), dist, dist[u]-1)
		if !ok {
			return nil
		}
		path = append(path, v)
		u = v
	}
	return path
}

// nearer returns the first node of row at distance d.
func nearer[D Links](row []uint32, dist []D, d D) (uint32, bool) {
	for _, v := range row {
		if dist[v] == d {
			return v, true
		}
	}
	return 0, false
}
