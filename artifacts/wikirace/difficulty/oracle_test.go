package difficulty

import (
	"math/big"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
)

// without gives the distance from source to target in the graph without a node, by a search that knows no CSR.
func without(edges []graphtest.Edge, n int, gone, source, target uint32) (d int, ok bool) {
	dist := map[uint32]int{source: 0}
	for step := 1; step <= n; step++ {
		for _, e := range edges {
			from, reached := dist[e[0]]
			if _, known := dist[e[1]]; reached && from == step-1 && !known && e[1] != gone && e[0] != gone {
				dist[e[1]] = step
			}
		}
	}
	d, ok = dist[target]
	return d, ok
}

// walksOfLength counts the walks of exactly d links: the shortest paths, where d is the distance.
func walksOfLength(succ graph.CSR, d int, source, target uint32) *big.Int {
	count := make([]*big.Int, succ.Nodes())
	for u := range count {
		count[u] = new(big.Int)
	}
	count[source].SetInt64(1)
	for range d {
		next := make([]*big.Int, len(count))
		for u := range next {
			next[u] = new(big.Int)
		}
		for _, e := range graphtest.Edges(succ) {
			next[e[1]].Add(next[e[1]], count[e[0]])
		}
		count = next
	}
	return count[target]
}

// rationalWalk is the random walk in exact fractions.
func rationalWalk(succ graph.CSR, steps int, source, target uint32) *big.Rat {
	p := make([]*big.Rat, succ.Nodes())
	for u := range p {
		p[u] = new(big.Rat)
	}
	p[target].SetInt64(1)
	for range steps {
		next := make([]*big.Rat, len(p))
		for u := range next {
			next[u] = new(big.Rat)
			links := succ.Row(uint32(u))
			for _, v := range links {
				next[u].Add(next[u], p[v])
			}
			if len(links) > 0 {
				next[u].Quo(next[u], big.NewRat(int64(len(links)), 1))
			}
		}
		next[target].SetInt64(1)
		p = next
	}
	return p[source]
}

// follow plays the degree agent by the words of the specification; degree is what it goes by.
func follow(menus map[uint32][]uint32, steps int, source, target uint32, degree func(uint32) int) (success bool, taken int) {
	visited := []uint32{source}
	for taken < steps {
		links := menus[visited[len(visited)-1]]
		if len(links) == 0 {
			return false, taken
		}
		taken++
		if slices.Contains(links, target) {
			return true, taken
		}
		var best []uint32
		for _, old := range []bool{false, true} {
			for _, v := range links {
				if (old || !slices.Contains(visited, v)) && (best == nil || degree(v) > degree(best[0])) {
					best = []uint32{v}
				}
			}
			if best != nil {
				break
			}
		}
		visited = append(visited, best[0])
	}
	return false, taken
}
