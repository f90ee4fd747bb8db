package linkgraph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/schemas/rng"
)

// withHash runs the test with another hash of titles, in links and in the table alike.
func withHash(t *testing.T, hash func([]byte) uint64) {
	t.Helper()
	old := hashTitle
	hashTitle = hash
	t.Cleanup(func() { hashTitle = old })
}

// hashes from good to useless: all titles collide under the last. The ends of the range are where a table wraps round.
var hashes = map[string]func([]byte) uint64{
	"xxhash64":    xxhash.Sum64,
	"three bits":  func(b []byte) uint64 { return xxhash.Sum64(b) >> 61 << 61 },
	"at the end":  func(b []byte) uint64 { return ^uint64(0) - xxhash.Sum64(b)%7 },
	"at the head": func(b []byte) uint64 { return xxhash.Sum64(b) % 7 },
	"one":         func([]byte) uint64 { return 42 },
}

// randomWiki has links of all kinds, to pages, redirects and nothing.
func randomWiki(seed int) []page {
	r := rng.New(uint64(seed), "wiki")
	pages := make([]page, 2+r.Below(40))
	name := func() string { return fmt.Sprintf("P%d", r.Below(len(pages))) }
	for i := range pages {
		pages[i] = page{id: uint32(1 + 2*i), title: fmt.Sprintf("P%d", i)}
		if r.Below(4) == 0 {
			pages[i].redirect = to(name())
			continue
		}
		var targets []string
		for range r.Below(8) {
			targets = append(targets, name())
		}
		slices.Sort(targets)
		pages[i].links = body(slices.Compact(targets)...)
	}
	return pages
}

func TestCollidingTitlesNeverLoseOrSwapAnEdge(t *testing.T) {
	for seed := range 60 {
		pages := randomWiki(seed)
		want := reference(pages, 5)
		for name, hash := range hashes {
			withHash(t, hash)
			r := build(t, strict(), pages...)
			if got := slices.Sorted(slices.Values(r.edges)); !slices.Equal(got, want) {
				t.Fatalf("seed %d, hash %s: got %q, want %q", seed, name, got, want)
			}
			if n := r.env.Counters["title_hash_collisions"]; (n > 0) != collide(pages, hash) {
				t.Fatalf("seed %d, hash %s: %d collisions counted", seed, name, n)
			}
		}
	}
}

func collide(pages []page, hash func([]byte) uint64) bool {
	seen := map[uint64]bool{}
	for _, p := range pages {
		h := hash([]byte(p.title))
		if seen[h] {
			return true
		}
		seen[h] = true
	}
	return false
}

// reference returns the edges by titles alone, sorted.
func reference(pages []page, hops int) []string {
	wiki := map[string]page{}
	for _, p := range pages {
		wiki[p.title] = p
	}
	var edges []string
	for _, p := range pages {
		if p.redirect != nil {
			continue
		}
		for _, l := range p.links {
			target := l.Target
			if wiki[target].redirect != nil {
				fate := strings.Fields(follow(wiki, target, hops))
				if fate[0] != "ok" {
					continue
				}
				target = fate[2]
			}
			if target != p.title {
				edges = append(edges, p.title+"->"+target)
			}
		}
	}
	slices.Sort(edges)
	return slices.Compact(edges)
}

func TestARedLinkThatCollidesWithTwoPagesStaysRed(t *testing.T) {
	withHash(t, hashes["one"])
	r := build(t, strict(), page{id: 1, title: "A", links: body("Nowhere", "B")}, page{id: 2, title: "B"})
	equal(t, "edges", r.edges, []string{"A->B"})
	wantCounts(t, r.env, map[string]int64{"links_red": 1, "title_hash_collisions": 1})
}

func TestTheTableFindsEveryTitleAndNoOther(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 10, 5000} {
		stored := make([][]byte, n)
		for i := range stored {
			stored[i] = fmt.Appendf(nil, "Title %d", i)
		}
		table := newTitles(n, func(row uint32) []byte { return stored[row] })
		for i, title := range stored {
			table.add(title, uint32(i))
		}
		for i, title := range stored {
			if row, ok := table.find(title); !ok || row != uint32(i) {
				t.Fatalf("%d titles: %s at row %d, %t; want row %d", n, title, row, ok, i)
			}
		}
		if row, ok := table.find([]byte("Other")); ok {
			t.Errorf("%d titles: a title that was not added at row %d", n, row)
		}
		if used, bound := 12*len(table.rows), 16*n+16; used > bound {
			t.Errorf("%d titles take %d bytes, more than %d", n, used, bound)
		}
	}
}
