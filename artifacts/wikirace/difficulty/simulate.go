package difficulty

import (
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/wilson"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Walks is the number of walks that estimate a probability where it is not computed.
const Walks = 100_000

// simulate estimates what walk computes, for graphs on which even 30 passes over the edges take too long. The streams are named by
// instance and list, so an estimate is the same on every machine; its error is in the interval.
func (k *Kit) simulate(f *schemas.WikiraceFeatures, p Pair) {
	f.RWMethod, f.RWInterval = schemas.RWSim, &schemas.RWInterval{}
	f.RWFull, f.RWInterval.Full = k.estimate(p, "full", k.succ)
	f.RWMenu, f.RWInterval.Menu = k.estimate(p, "menu", k.menus)
}

func (k *Kit) estimate(p Pair, name string, lists graph.CSR) (share string, interval [2]string) {
	r, won := rng.New(uint64(k.game.Seed), "wikirace", "rw", p.ID, name), int64(0)
	for range Walks {
		if arrives(r, lists, p.source(), p.target(), k.game.MaxSteps) {
			won++
		}
	}
	lo, hi := wilson.Interval(won, Walks)
	return canon.Decimal(float64(won) / Walks), [2]string{canon.Decimal(lo), canon.Decimal(hi)}
}

// arrives makes one walk of at most so many steps; it ends where there is no link.
func arrives(r *rng.Stream, lists graph.CSR, u, target uint32, steps int) bool {
	for range steps {
		links := lists.Row(u)
		if len(links) == 0 {
			return false
		}
		if u = links[r.Below(len(links))]; u == target {
			return true
		}
	}
	return false
}
