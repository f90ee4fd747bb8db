package graphtest

import (
	"math"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas/rng"
)

// WikiLike returns a graph of n nodes whose shape is that of Wikipedia's links, for benchmarks
// (performance specification, section 4): log-normal out-degrees around mean, 30 % of the links to
// popular pages by a power law, 70 % to pages nearby in topic. Self loops are left out. Its draws
// pass through floating point, so it is good for measuring and exempt from the package's promise:
// two machines may differ by an edge.
func WikiLike(n, mean int, seed uint64) graph.CSR {
	page := rng.New(seed, "wikilike", "pages").Choose(n, n)         // topic position -> node
	popular := rng.New(seed, "wikilike", "popularity").Choose(n, n) // rank -> topic position
	return From(n, func(yield func(u, v uint32)) {
		links := linker{rng.New(seed, "wikilike", "links"), n, popular}
		for position, u := range page {
			for range links.degree(mean) {
				if v := page[links.target(position)]; v != u {
					yield(uint32(u), uint32(v))
				}
			}
		}
	})
}

type linker struct {
	*rng.Stream
	n       int
	popular []int
}

// degree draws from exp(N(mu, 1.1)) with the given mean, between 1 and 3,000.
func (l linker) degree(mean int) int {
	const sigma = 1.1
	mu := math.Log(float64(mean)) - sigma*sigma/2
	return min(max(1, int(math.Exp(mu+sigma*l.normal()))), 3000)
}

// target draws the topic position that a link from position leads to.
func (l linker) target(position int) int {
	if l.Below(10) < 3 {
		rank := int(math.Pow(l.unit(), 5) * float64(l.n))
		return l.popular[min(rank, l.n-1)]
	}
	reach := math.Max(0, math.Log(float64(l.n))-2)
	step := int(math.Exp(l.unit() * l.unit() * reach))
	if l.Below(2) == 0 {
		step = -step
	}
	to := position + step
	if l.Below(10) < 4 {
		to &^= 31 // a local hub
	}
	return ((to % l.n) + l.n) % l.n
}

// unit draws from [0, 1).
func (l linker) unit() float64 { return float64(l.Uint64()>>11) / (1 << 53) }

// normal draws from the standard normal distribution (Box and Muller,
// https://doi.org/10.1214/aoms/1177706645).
func (l linker) normal() float64 {
	return math.Sqrt(-2*math.Log(1-l.unit())) * math.Cos(2*math.Pi*l.unit())
}
