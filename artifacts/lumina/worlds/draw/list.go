package draw

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/schemas"
)

// list draws a list and which of its elements have to go.
func list(n Name, k schemas.LuminaListKnobs) (any, *worlds.Instance, error) {
	s, size := n.stream(), k.K+k.Keep
	v := s.Choose(worlds.MaxList, size)
	if k.Dup > 0 {
		for i := 1; i < size; i++ {
			if s.Below(100) < k.Dup {
				v[i] = v[s.Below(i)]
			}
		}
	}
	drop := s.Choose(size, k.K)
	r := schemas.LuminaListInstance{LuminaHead: n.head(), Knobs: k, Initial: v, Target: []int{}}
	for i, value := range v {
		if !slices.Contains(drop, i) {
			r.Target = append(r.Target, value)
		}
	}
	inst, err := worlds.SealList(&r)
	return r, inst, err
}
