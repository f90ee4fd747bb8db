package graphtest

import "github.com/wikinav/wikinav/artifacts/graph"

// Unreachable is the distance of Distances where there is no path.
const Unreachable = 1 << 29 // the sum of two fits an int of 32 bits

// Distances returns the distance from each node (first index) to each node, by dynamic programming
// over the nodes that a path may pass: O(n^3) time, no queue, no transpose. Reference: R. W. Floyd,
// Algorithm 97: Shortest Path, CACM 5(6), 1962, https://doi.org/10.1145/367766.368168.
func Distances(c graph.CSR) [][]int {
	n := c.Nodes()
	d := make([][]int, n)
	for u := range d {
		d[u] = make([]int, n)
		for v := range d[u] {
			d[u][v] = Unreachable
		}
		for _, v := range c.Row(uint32(u)) {
			d[u][v] = 1
		}
		d[u][u] = 0
	}
	for k := range n {
		for u := range n {
			for v := range n {
				d[u][v] = min(d[u][v], d[u][k]+d[k][v])
			}
		}
	}
	return d
}

// Mutual returns the strongly connected components by their definition: each node's component is the
// first node with which it shares one, and these are numbered as they come. O(n^3) time.
func Mutual(c graph.CSR) graph.Components {
	d := Distances(c)
	out := graph.Components{Of: make([]uint32, len(d))}
	for u := range d {
		first := 0
		for d[u][first] >= Unreachable || d[first][u] >= Unreachable {
			first++
		}
		if first < u {
			out.Of[u] = out.Of[first]
			out.Sizes[out.Of[u]]++
			continue
		}
		out.Of[u] = uint32(len(out.Sizes))
		out.Sizes = append(out.Sizes, 1)
	}
	return out
}
