package graph_test

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts/graph"
)

// A links to B and C, both link to D, and D links back to A.
var diamond = graph.CSR{Offsets: []int32{0, 2, 3, 4, 5}, Values: []uint32{1, 2, 3, 3, 0}}

// The shortest path from A to D: distances to D first, then one step after another to a node that is nearer.
func ExampleWitness() {
	titles := []string{"A", "B", "C", "D"}
	dist := make([]uint8, diamond.Nodes())
	graph.DistancesTo(graph.Transpose(diamond), 3, dist, nil)
	for _, u := range graph.Witness(diamond, dist, 0) {
		fmt.Println(titles[u], dist[u])
	}
	// Output:
	// A 2
	// B 1
	// D 0
}

func ExampleMany() {
	many := graph.NewMany(graph.Transpose(diamond), 64, 1)
	columns := [][]uint8{make([]uint8, 4), make([]uint8, 4)}
	many.DistancesTo([]uint32{3, 0}, columns)
	fmt.Println("to D:", columns[0])
	fmt.Println("to A:", columns[1])
	// Output:
	// to D: [2 1 1 0]
	// to A: [0 2 2 1]
}
