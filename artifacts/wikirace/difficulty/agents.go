package difficulty

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
)

// agent plays the player that follows degrees: the target where the menu has it, else the unvisited link with the
// most edges in by, else, where all were visited, the one with the most of all; equal ones by node. With the transpose
// as by it goes by in-degree, with the graph by out-degree.
func (k *Kit) agent(p Pair, by graph.CSR) schemas.AgentResult {
	u, visited := p.source(), []uint32{p.source()}
	for step := 1; step <= k.game.MaxSteps; step++ {
		links := k.menus.Row(u)
		if _, there := slices.BinarySearch(links, p.target()); there {
			return schemas.AgentResult{Success: true, Steps: step}
		}
		if len(links) == 0 {
			return schemas.AgentResult{Steps: step - 1}
		}
		fresh := slices.DeleteFunc(slices.Clone(links), func(v uint32) bool { return slices.Contains(visited, v) })
		if len(fresh) == 0 {
			fresh = links
		}
		u = largest(fresh, by)
		visited = append(visited, u)
	}
	return schemas.AgentResult{Steps: k.game.MaxSteps}
}

// largest gives the first of the nodes with the most edges in by.
func largest(nodes []uint32, by graph.CSR) uint32 {
	return slices.MaxFunc(nodes, func(a, b uint32) int { return by.Degree(a) - by.Degree(b) })
}
