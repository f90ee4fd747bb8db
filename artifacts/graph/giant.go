package graph

import "github.com/wikinav/wikinav/schemas"

// Giant gives the members of the strongly connected component that has more than half of the nodes, and false where
// there is none that it can find.
//
// Result:    exact where it is true: no other component can be as large. It is false although there is one only when
// the hub lies outside; SCC then decides.
// Idea:      a component is what its members reach and are reached from. The hub, the node with the most edges in its
// poorer direction, is in the giant component of any graph of links between pages; two searches from it do.
// Encoding:  succ and pred are a graph and its transpose.
// Time:      that of two direction-optimizing searches. Space: 6.25 bytes per node.
// Reference: L. K. Fleischer, B. Hendrickson, A. Pinar, On Identifying Strongly Connected Components in Parallel, IPDPS
// 2000, https://doi.org/10.1007/3-540-45591-4_68 (the forward-backward step); search: see Search.
//
// The checker beside it is SCC.
func Giant(succ, pred CSR) (members []bool, found bool) {
	n := succ.Nodes()
	if n == 0 {
		return nil, false
	}
	from, to := make([]uint8, n), make([]uint8, n)
	hub := hubOf(succ, pred)
	// d(hub, u) on a graph is d(u, hub) on its transpose; one Search for both would need its scratch twice.
	NewSearch(pred, succ).run(hub, from)
	NewSearch(succ, pred).run(hub, to)
	members = make([]bool, n)
	size := 0
	for u := range members {
		if from[u] != schemas.Unreached && to[u] != schemas.Unreached {
			members[u] = true
			size++
		}
	}
	if 2*size <= n {
		return nil, false
	}
	return members, true
}

// hubOf gives the node with the most edges in its poorer direction, the first of equals.
func hubOf(succ, pred CSR) uint32 {
	hub, most := uint32(0), -1
	for u := range uint32(succ.Nodes()) {
		if d := min(succ.Degree(u), pred.Degree(u)); d > most {
			hub, most = u, d
		}
	}
	return hub
}
