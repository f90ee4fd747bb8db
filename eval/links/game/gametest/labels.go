package gametest

import (
	"math/bits"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// K7 is a worked example of games with a ban: nodes S A B C D T X.
func K7() *World {
	w := Parse("S->A A->B,C B->T C->D D->T T->S,X X->B")
	w.Masks = []uint32{0, Mask("Event"), Mask("Work"), Mask("Place"), Mask("Place"), 0, 0}
	return w
}

func Mask(label string) uint32 {
	bit, ok := schemas.LabelBit(label)
	if !ok {
		panic("gametest: no label " + label)
	}
	return 1 << bit
}

// Label draws up to two of the labels for each page, and none for about a third of them.
func (w *World) Label(seed uint64, labels ...string) *World {
	s := rng.New(seed, "gametest", "labels")
	w.Masks = make([]uint32, w.Len())
	for u := range w.Masks {
		for range s.Below(3) {
			w.Masks[u] |= Mask(labels[s.Below(len(labels))])
		}
	}
	return w
}

func (w *World) Mask(u uint32) uint32 {
	if w.Masks == nil {
		return 0
	}
	return w.Masks[u]
}

func (w *World) Primary(u uint32) uint8 {
	if w.Mask(u) == 0 {
		return schemas.NoLabel
	}
	return uint8(bits.TrailingZeros32(w.Mask(u)))
}

func (w *World) Alias(title string) (uint32, bool) {
	u, ok := w.Aliases[title]
	return u, ok
}

// Unbanned relaxes the definition until nothing changes: 1 + the least distance of a successor that
// is the target or open.
func (w *World) Unbanned(target uint32, closed []bool) ([]uint8, error) {
	dist := slices.Repeat([]uint8{schemas.Unreached}, w.Len())
	dist[target] = 0
	for changed := true; changed; {
		changed = false
		for u, row := range w.Links {
			for _, v := range row {
				if (v == target || !closed[v]) && dist[v] != schemas.Unreached && uint32(u) != target && dist[v]+1 < dist[u] {
					dist[u], changed = dist[v]+1, true
				}
			}
		}
	}
	return dist, nil
}
