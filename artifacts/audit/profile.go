// Package audit describes a graph in numbers that let a reader judge whether it is plausible:
// degrees, distances, eccentricities. It computes and draws; it prints nothing and keeps no file.
//
// Small graphs are described exactly. Of large ones a sample of sources is searched, drawn from a
// named stream, and every estimate carries its 95 % interval. Nothing depends on the number of
// workers.
package audit

import (
	"context"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Options say how much is searched.
type Options struct {
	Seed    uint64 // of the sample
	Exact   int    // graphs of at most so many nodes are searched from every node
	Sources int    // of the sample of a larger one
	Workers int
}

// Defaults search up to 8,192 nodes exactly, else from 1,000 sources.
func Defaults() Options { return Options{Seed: 42, Exact: 8192, Sources: 1000, Workers: 1} }

// menuLinks is how many links a game shows at most.
const menuLinks = 50

// Profile is the description. Real numbers are decimal strings with six significant digits.
type Profile struct {
	Nodes     int       `json:"nodes"`
	Edges     int       `json:"edges"`
	Out       Degrees   `json:"out_degree"`
	In        Degrees   `json:"in_degree"`
	Under50   Share     `json:"under_50_links"` // nodes that a menu of 50 links shows whole
	Distances Distances `json:"distances"`
}

// Share is a count, its whole, and their ratio.
type Share struct {
	Num   int64  `json:"num"`
	Den   int64  `json:"den"`
	Ratio string `json:"ratio"`
}

// Degrees is the distribution of one degree. Bins are powers of two: bin i counts 2^(i-1) .. 2^i -
// 1, bin 0 the zeros.
type Degrees struct {
	Median   int     `json:"median"`
	P90      int     `json:"p90"`
	P99      int     `json:"p99"`
	Max      int     `json:"max"`
	MaxTitle string  `json:"max_title"`
	Bins     []int64 `json:"bins"`
}

// Distances is the distribution of distances over ordered pairs of different nodes; the mean is
// that of the pairs that have a path.
type Distances struct {
	Exact       bool       `json:"exact"`
	Sources     int        `json:"sources"`
	Shares      []Interval `json:"shares"` // by distance, from 1 on
	Mean        Interval   `json:"mean"`
	Unreached   Interval   `json:"unreached"`
	DiameterMin int        `json:"diameter_min"` // the largest distance that was seen
	DiameterMax int        `json:"diameter_max"` // by the triangle inequality; -1 where a search did not reach all nodes
	RadiusMax   int        `json:"radius_max"`   // the smallest eccentricity that was seen; -1 as above

	Eccentricities []Eccentricity `json:"eccentricities"` // of sources that reach all nodes, ascending
}

// Eccentricity is how many sources have their farthest node at a distance.
type Eccentricity struct {
	Links   int `json:"links"`
	Sources int `json:"sources"`
}

// Interval is an estimate with its 95 % bounds; all three are equal where the figure is exact.
type Interval struct {
	Value string `json:"value"`
	Low   string `json:"low"`
	High  string `json:"high"`
}

// Of describes g. Time: two breadth-first searches per source. Space: 6 bytes per node and worker.
func Of(ctx context.Context, g *graph.Graph, o Options) (*Profile, error) {
	p := &Profile{Nodes: g.Len(), Edges: g.Edges(), Out: degrees(g, g.Succ), In: degrees(g, g.Pred)}
	under := int64(0)
	for u := range uint32(g.Len()) {
		if g.Succ.Degree(u) < menuLinks {
			under++
		}
	}
	p.Under50 = Share{under, int64(g.Len()), canon.Decimal(float64(under) / float64(g.Len()))}
	var err error
	p.Distances, err = distancesOf(ctx, g, o)
	return p, err
}

func degrees(g *graph.Graph, c graph.CSR) Degrees {
	list := make([]int, c.Nodes())
	d := Degrees{Bins: []int64{}}
	for u := range list {
		n := c.Degree(uint32(u))
		list[u] = n
		if n > d.Max || u == 0 {
			d.Max, d.MaxTitle = n, g.Title(uint32(u))
		}
		bin := bits.Len(uint(n))
		for len(d.Bins) <= bin {
			d.Bins = append(d.Bins, 0)
		}
		d.Bins[bin]++
	}
	slices.Sort(list)
	d.Median, d.P90, d.P99 = quantile(list, 50), quantile(list, 90), quantile(list, 99)
	return d
}

// quantile returns the smallest value that at least percent of the list does not exceed.
func quantile(sorted []int, percent int) int {
	return sorted[max(0, (len(sorted)*percent+99)/100-1)]
}

// search is what one source contributes.
type search struct {
	at        [schemas.Far + 1]int32 // nodes at each distance, in the last place those that are farther too
	unreached int
	out, in   int // eccentricities; -1 if a node was not reached
}

func distancesOf(ctx context.Context, g *graph.Graph, o Options) (Distances, error) {
	sources := sourcesOf(g.Len(), o)
	found := make([]search, len(sources))
	n, workers := g.Len(), max(1, o.Workers)
	dists, queues := make([]uint8, workers*n), make([]uint32, workers*n)
	err := graph.Each(ctx, workers, len(sources), func(w, i int) error {
		found[i].run(g, sources[i], dists[w*n:(w+1)*n], queues[w*n:(w+1)*n])
		return nil
	})
	if err != nil {
		return Distances{}, err
	}
	return summarise(found, n, len(sources) == n), nil
}

func sourcesOf(n int, o Options) []uint32 {
	var out []uint32
	if n <= o.Exact || n <= o.Sources {
		for u := range uint32(n) {
			out = append(out, u)
		}
		return out
	}
	for _, u := range rng.New(o.Seed, "audit", "sources").Choose(n, o.Sources) {
		out = append(out, uint32(u))
	}
	slices.Sort(out)
	return out
}

func (s *search) run(g *graph.Graph, source uint32, dist []uint8, queue []uint32) {
	s.in = graph.DistancesTo(g.Pred, source, dist, queue)
	if slices.Contains(dist, schemas.Unreached) {
		s.in = -1
	}
	s.out = graph.DistancesFrom(g.Succ, source, dist, queue)
	for _, d := range dist {
		if d == schemas.Unreached {
			s.unreached++
			continue
		}
		s.at[d]++
	}
	if s.unreached > 0 {
		s.out = -1
	}
}

func summarise(found []search, n int, exact bool) Distances {
	d := Distances{
		Exact: exact, Sources: len(found), Shares: []Interval{}, RadiusMax: -1,
		DiameterMax: -1,
	}
	for _, s := range found {
		if s.out < 0 || s.in < 0 {
			continue
		}
		d.DiameterMin = max(d.DiameterMin, s.out, s.in)
		if d.RadiusMax < 0 || s.out < d.RadiusMax {
			d.RadiusMax = s.out
		}
		if d.DiameterMax < 0 || s.out+s.in < d.DiameterMax {
			d.DiameterMax = s.out + s.in
		}
	}
	d.Eccentricities = eccentricities(found)
	deepest := 0
	for _, s := range found {
		for depth, count := range s.at {
			if count > 0 {
				deepest = max(deepest, depth)
			}
		}
	}
	d.DiameterMin = max(d.DiameterMin, deepest)
	if exact && d.DiameterMax >= 0 {
		d.DiameterMax = d.DiameterMin
	}
	others := float64(max(1, n-1))
	for depth := 1; depth <= deepest; depth++ {
		d.Shares = append(d.Shares, estimate(found, exact,
			func(s *search) float64 { return float64(s.at[depth]) / others }))
	}
	d.Unreached = estimate(found, exact,
		func(s *search) float64 { return float64(s.unreached) / others })
	d.Mean = meanOf(found, exact)
	return d
}

func eccentricities(found []search) []Eccentricity {
	counts := map[int]int{}
	for _, s := range found {
		if s.out >= 0 {
			counts[s.out]++
		}
	}
	list := []Eccentricity{}
	for _, links := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, Eccentricity{links, counts[links]})
	}
	return list
}

// meanOf is the mean distance over the pairs that have a path; one of 254 or more counts as 254. A
// source counts by the nodes that it reaches, one without links not at all. Of a sample the
// interval is that of a ratio, whose residuals are taken per mean count of pairs.
func meanOf(found []search, exact bool) Interval {
	var sums, pairs float64
	for i := range found {
		sum, count := found[i].reached()
		sums, pairs = sums+sum, pairs+count
	}
	pairs = math.Max(1, pairs)
	mean, perSource := sums/pairs, pairs/float64(len(found))
	return estimate(found, exact, func(s *search) float64 {
		sum, count := s.reached()
		return mean + (sum-mean*count)/perSource
	})
}

// reached returns the sum of the distances to the nodes that are reached, and their number.
func (s *search) reached() (sum, count float64) {
	for depth := 1; depth < len(s.at); depth++ {
		sum += float64(depth) * float64(s.at[depth])
		count += float64(s.at[depth])
	}
	return sum, count
}

// estimate returns the mean of a figure over the sources, with the normal interval of a sample of
// them.
func estimate(found []search, exact bool, figure func(*search) float64) Interval {
	k := float64(len(found))
	mean, square := 0.0, 0.0
	for i := range found {
		mean += figure(&found[i])
	}
	mean /= k
	for i := range found {
		diff := figure(&found[i]) - mean
		square += diff * diff
	}
	half := 0.0
	if !exact && k > 1 {
		half = 1.959963984540054 * math.Sqrt(square/(k-1)/k)
	}
	return Interval{
		canon.Decimal(mean), canon.Decimal(math.Max(0, mean-half)),
		canon.Decimal(mean + half),
	}
}
