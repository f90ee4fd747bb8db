package menu

import (
	"cmp"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/schemas/rng"
)

// byTheBook is Keep by the words of the specification: shuffle all, sort stably by distance, take the first.
func byTheBook(r Rule, page uint32, links []uint32, distance []uint8) []uint32 {
	list := slices.Clone(links)
	if len(list) > r.MaxLinks {
		rng.Shuffled(rng.New(uint64(r.Seed), "wikirace", "tie", r.Instance, rng.Part(page)), list)
		slices.SortStableFunc(list, func(a, b uint32) int { return cmp.Compare(distance[a], distance[b]) })
		list = list[:r.MaxLinks]
	}
	slices.Sort(list)
	return list
}

func TestKeepIsTheRuleByTheBook(t *testing.T) {
	cuts, ties := 0, 0
	for seed := range 3000 {
		s := rng.New(7, "menu", "test", rng.Part(seed))
		distance := make([]uint8, 40)
		for i := range distance {
			distance[i] = []uint8{1, 2, 3, 4, 255}[s.Below(1+s.Below(5))]
		}
		var links []uint32
		for u := range uint32(40) {
			if s.Below(3) > 0 {
				links = append(links, u)
			}
		}
		r := Rule{Seed: int64(seed) - 1000, Instance: "wr-test-0001", MaxLinks: 2 + s.Below(30)}
		page := uint32(s.Below(40))
		got, want := r.Keep(nil, page, links, distance), byTheBook(r, page, links, distance)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d of %d links: got %v, want %v", seed, r.MaxLinks, len(links), got, want)
		}
		if len(links) > r.MaxLinks {
			cuts++
			r.Instance = "wr-test-0002"
			if !slices.Equal(got, r.Keep(nil, page, links, distance)) {
				ties++
			}
		}
	}
	if cuts < 1000 || ties < 500 {
		t.Errorf("only %d menus were cut and %d differ between two instances: the seeds test too little", cuts, ties)
	}
}

func TestOrderDiffersOverSteps(t *testing.T) {
	r := Rule{Seed: 42, Instance: "wr-easy-0001", MaxLinks: 50}
	for step, want := range map[int][]uint32{1: {3, 2, 1, 4, 0}, 2: {0, 1, 2, 4, 3}} { // the specification's vectors, 2.1
		got := []uint32{0, 1, 2, 3, 4}
		if r.Order(step, got); !slices.Equal(got, want) {
			t.Errorf("step %d: got %v, want %v", step, got, want)
		}
	}
}

func TestKeepAppends(t *testing.T) {
	got := Rule{MaxLinks: 2}.Keep([]uint32{9}, 0, []uint32{1, 2, 3}, []uint8{0, 3, 1, 2})
	if !slices.Equal(got, []uint32{9, 2, 3}) {
		t.Errorf("got %v, want [9 2 3]", got)
	}
}
