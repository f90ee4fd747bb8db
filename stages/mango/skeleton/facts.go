package skeleton

import "github.com/wikinav/wikinav/schemas"

// Facts are what a maze record says of the edges.
type Facts struct {
	Locations, Edges int
	Forward, Imputed int // walked at some step, and never walked themselves
	ParallelPairs    int // ordered pairs of locations with more than one move
	Nondeterministic int // moves of a location that lead to more than one place
}

// FactsOf counts them. Self-loops are edges like others here.
func FactsOf(edges []schemas.MangoEdge) Facts {
	f := Facts{Edges: len(edges)}
	locations := map[string]bool{}
	pairs, moves := map[[2]string]int{}, map[[2]string]int{}
	for _, e := range edges {
		locations[e.SrcNode], locations[e.DstNode] = true, true
		if e.SeenInForward < schemas.MangoNever {
			f.Forward++
		}
		// The second edge makes the pair parallel, a third changes nothing.
		pair, move := [2]string{e.SrcNode, e.DstNode}, [2]string{e.SrcNode, e.Action}
		if pairs[pair]++; pairs[pair] == 2 {
			f.ParallelPairs++
		}
		if moves[move]++; moves[move] == 2 {
			f.Nondeterministic++
		}
	}
	f.Locations, f.Imputed = len(locations), f.Edges-f.Forward
	return f
}
