package difficulty

import (
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// cuts says what the limit of links does to the first move.
func (k *Kit) cuts(f *schemas.WikiraceFeatures, p Pair) {
	s := p.source()
	all, kept := k.succ.Row(s), k.menus.Row(s)
	nearer := p.Column[s] - 1
	f.OptFirst, f.OptFirstMenu = countAt(all, p.Column, nearer), countAt(kept, p.Column, nearer)
	f.MenuSize, f.CutSource = len(kept), len(all) > k.game.MaxLinks
	f.CutGain = cutGain(all, kept, p.Column)
	f.RandomKeepsOpt = canon.Decimal(survives(len(all), f.OptFirst, k.game.MaxLinks))
}

func countAt(links []uint32, dist []uint8, d uint8) int {
	n := 0
	for _, v := range links {
		if dist[v] == d {
			n++
		}
	}
	return n
}

// cutGain is the mean distance over all links minus that over the kept ones. Links that do not reach the target have
// no distance and do not count; in a strongly connected graph there are none. One of 254 or more counts as 254. The difference of the two ratios is
// taken in integers.
func cutGain(all, kept []uint32, dist []uint8) string {
	sumAll, nAll := total(all, dist)
	sumKept, nKept := total(kept, dist)
	return canon.Decimal(float64(sumAll*nKept-sumKept*nAll) / float64(nAll*nKept))
}

func total(links []uint32, dist []uint8) (sum, n int64) {
	for _, v := range links {
		if dist[v] != schemas.Unreached {
			sum, n = sum+int64(dist[v]), n+1
		}
	}
	return sum, n
}

// survives is the probability that of n links, k of them good, a good one is among so many kept at random:
// 1 - C(n-k, kept)/C(n, kept), the quotient written as a product over the good ones.
func survives(n, k, kept int) float64 {
	if n <= kept {
		return 1
	}
	lost := 1.0
	for i := range k {
		lost = float64(lost * (float64(max(0, n-kept-i)) / float64(n-i))) // rounded here: no fused multiply-add below
	}
	return 1 - lost
}
