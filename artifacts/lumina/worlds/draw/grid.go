package draw

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Grid draws a board, and two cells of it that lie far enough apart. At an odd index the straight ways are blocked by holes.
func Grid(n Name, k schemas.LuminaGridKnobs) (schemas.LuminaGridInstance, error) {
	if err := checkGrid(k); err != nil {
		return schemas.LuminaGridInstance{}, err
	}
	n.Env = schemas.LuminaGrid
	s := n.stream()
	for range maxTries {
		r := tryGrid(s, k)
		apart := manhattan(r.Start, r.Goal)
		if apart < k.MinManhattan || n.Index%2 == 1 && straight(r, apart) {
			continue
		}
		r.LuminaHead, r.Knobs = n.head(), k
		return r, worlds.SealGrid(&r)
	}
	return schemas.LuminaGridInstance{}, n.hopeless()
}

// straight tells whether a way without a detour or a hole is open.
func straight(r schemas.LuminaGridInstance, apart int) bool {
	return worlds.NewBoard(r.N, r.Goal, r.Holes, r.HoleCost, r.OOBCost).Cost(r.Start) == apart
}

func tryGrid(s *rng.Stream, k schemas.LuminaGridKnobs) schemas.LuminaGridInstance {
	r := schemas.LuminaGridInstance{N: k.N, Holes: [][2]int{}, HoleCost: k.HoleCost, OOBCost: k.OOBCost}
	for i := range k.N * k.N {
		if s.Below(100) < k.HolePct {
			r.Holes = append(r.Holes, cell(i, k.N))
		}
	}
	ends := s.Choose(k.N*k.N, 2)
	r.Start, r.Goal = cell(ends[0], k.N), cell(ends[1], k.N)
	r.Holes = slices.DeleteFunc(r.Holes, func(h [2]int) bool { return h == r.Start || h == r.Goal })
	return r
}

func cell(i, n int) [2]int { return [2]int{i / n, i % n} }

func manhattan(a, b [2]int) int { return abs(a[0]-b[0]) + abs(a[1]-b[1]) }

func abs(n int) int { return max(n, -n) }
