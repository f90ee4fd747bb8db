package draw

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// grid draws a board, and two cells of it that lie far enough apart. At an odd index the straight ways are blocked by holes.
func grid(n Name, k schemas.LuminaGridKnobs) (any, *worlds.Instance, error) {
	s := n.stream()
	for range maxTries {
		r := tryGrid(s, k)
		apart := abs(r.Start[0]-r.Goal[0]) + abs(r.Start[1]-r.Goal[1])
		if apart < k.MinManhattan || n.Index%2 == 1 && straight(r, apart) {
			continue
		}
		r.LuminaHead, r.Knobs = n.head(), k
		inst, err := worlds.SealGrid(&r)
		return r, inst, err
	}
	return nil, nil, n.hopeless()
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

func abs(n int) int { return max(n, -n) }
