package train

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/schemas/rng"
)

// chart is a world whose pages are found by their ids.
type chart struct{ *gametest.World }

func (c chart) Node(pageID uint32) (uint32, bool) { return pageID - 100, true }

func drawerOf(w *gametest.World, seed int, span Distances) *drawer {
	return &drawer{
		chart: chart{w}, span: span,
		ends:   func(u uint32) bool { return u%7 != 0 },
		barred: func(u uint32) bool { return u%5 == 0 },
		stream: func(parts ...string) *rng.Stream { return rng.New(uint64(seed), parts...) },
	}
}

// Whoever wants more pairs than there are gets each once, whatever is refused on the way.
func TestAllPairsAreDrawnOnce(t *testing.T) {
	w := gametest.Random(3, 80, 6, 20)
	for seed := range 3 {
		seen := map[[2]uint32]int{}
		d := drawerOf(w, seed, Distances{2, 4})
		err := d.draw(t.Context(), 1_000_000, func(s, to uint32, distance int) (bool, error) {
			column, _ := w.Column(to)
			if int(column[s]) != distance {
				t.Fatalf("%d to %d: distance %d, is %d", s, to, distance, column[s])
			}
			seen[[2]uint32{s, to}]++
			return (s+to+uint32(seed))%3 != 0, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for to := range uint32(w.Len()) {
			column, _ := w.Column(to)
			for s := range uint32(w.Len()) {
				is := column[s] >= 2 && column[s] <= 4 && d.ends(s) && d.ends(to) && !d.barred(to)
				if is {
					n++
				}
				if got := seen[[2]uint32{s, to}]; is != (got == 1) || got > 1 {
					t.Fatalf("seed %d: %d to %d at distance %d is drawn %d times", seed, s, to, column[s], got)
				}
			}
		}
		if n < 1000 {
			t.Fatalf("%d pairs test too little", n)
		}
	}
}

// Distances get the same number; what one lacks the others have more of.
func TestDistancesShareWhatIsAskedFor(t *testing.T) {
	w := gametest.Random(3, 80, 6, 20)
	draw := func(n int, span Distances) (counts map[int]int, order []string) {
		counts = map[int]int{}
		err := drawerOf(w, 1, span).draw(t.Context(), n, func(s, to uint32, distance int) (bool, error) {
			counts[distance]++
			order = append(order, fmt.Sprint(s, to))
			return true, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return counts, order
	}
	counts, order := draw(31, Distances{2, 4})
	if counts[2] != 11 || counts[3] != 10 || counts[4] != 10 {
		t.Errorf("31 pairs at 2 to 4: %v", counts)
	}
	if _, again := draw(31, Distances{2, 4}); !slices.Equal(order, again) {
		t.Error("drawn twice they differ")
	}
	far := 0 // the last distance that there is
	for to := range uint32(w.Len()) {
		column, _ := w.Column(to)
		for _, x := range column {
			far = max(far, int(x))
		}
	}
	counts, order = draw(300, Distances{far - 4, far + 3})
	if len(order) != 300 || counts[far] >= 300/8 || counts[far-4] <= 300/8 {
		t.Errorf("300 pairs, of which few are as far as %d: %v", far, counts)
	}
}
