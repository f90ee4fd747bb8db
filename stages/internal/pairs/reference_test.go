package pairs

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/distances"
	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// referee draws by the words of the specification (wikirace.md 5.3, 5.4) from a whole matrix of distances, looking at
// every pair every time.
type referee struct {
	p                Rules
	dist             [][]int // [source][target]
	sources, targets []uint32
	accepted         []pair
	tally            tally
}

// drawAll gives the pairs of each split in slot order, and the reports in order of distance, by split name.
func (r *referee) drawAll() (map[string][]pair, map[string][]Report) {
	pairs, reports := map[string][]pair{}, map[string][]Report{}
	splits := slices.Clone(r.p.Splits)
	for len(splits) > 0 {
		far := 0
		for i, s := range splits {
			if s.Distances[len(s.Distances)-1] > splits[far].Distances[len(splits[far].Distances)-1] {
				far = i
			}
		}
		s := splits[far]
		splits = slices.Delete(splits, far, far+1)
		for k := len(s.Distances) - 1; k >= 0; k-- {
			got, report := r.drawSlots(s.Name, s.Distances[k], s.Size*k/len(s.Distances), s.Size*(k+1)/len(s.Distances))
			pairs[s.Name] = append(got, pairs[s.Name]...)
			reports[s.Name] = append([]Report{report}, reports[s.Name]...)
		}
	}
	return pairs, reports
}

func (r *referee) drawSlots(split string, d, from, to int) ([]pair, Report) {
	report := Report{Split: split, Distance: d, Requested: to - from, Mode: "sampled", Status: "ok"}
	tried := map[uint32]bool{}
	var got []pair
	for slot := from; slot < to; slot++ {
		p, ok := r.attempts(split, d, slot, tried, &report.Attempts)
		if !ok && int64(len(r.dist))*int64(len(r.targets)) <= r.p.ExhaustivePairs {
			report.Mode = "exhaustive"
			if left := r.left(d); len(left) > 0 {
				r.tally.filled++
				p, ok = left[rng.New(uint64(r.p.Seed), "wikirace", "fill", split, rng.Part(d), rng.Part(slot)).Below(len(left))], true
			}
		}
		if ok {
			got = append(got, p)
			r.accepted = append(r.accepted, p)
			continue
		}
		if report.Status == "ok" && report.Mode == "exhaustive" {
			r.count(d, &report)
		}
		report.Status = "short"
	}
	report.Got, report.SourcesTried = len(got), len(tried)
	return got, report
}

func (r *referee) count(d int, report *Report) {
	left, all := int64(len(r.left(d))), int64(len(r.all(d)))
	report.EligiblePairs, report.EligiblePairsReuseAny = &left, &all
	if all <= r.p.MatchingPairs {
		bound := int64(kuhn(r.all(d)))
		report.MatchingBound = &bound
	}
}

func (r *referee) attempts(split string, d, slot int, tried map[uint32]bool, attempts *int) (pair, bool) {
	if len(r.sources) == 0 || len(r.targets) == 0 {
		return pair{}, false
	}
	for j := range r.p.MaxAttempts {
		*attempts++
		r.tally.attempts++
		s := rng.New(uint64(r.p.Seed), "wikirace", "pair", split, rng.Part(d), rng.Part(slot), rng.Part(j))
		var options []pair
		barred := false
		if r.p.Sample == SourceFirst {
			source := r.sources[s.Below(len(r.sources))]
			tried[source] = true
			barred = r.p.Reuse == ReuseNone && slices.ContainsFunc(r.accepted, func(a pair) bool { return a.source == source })
			options = slices.DeleteFunc(r.all(d), func(p pair) bool { return p.source != source })
		} else {
			target := r.targets[s.Below(len(r.targets))]
			barred = r.p.Reuse != ReuseAny && slices.ContainsFunc(r.accepted, func(a pair) bool { return a.target == target })
			options = slices.DeleteFunc(r.all(d), func(p pair) bool { return p.target != target })
		}
		switch {
		case barred:
			r.tally.reused++
			continue
		case len(options) == 0:
			r.tally.empty++
			continue
		}
		p := options[s.Below(len(options))]
		tried[p.source] = true
		if r.may(p) {
			return p, true
		}
		r.tally.reused++
	}
	return pair{}, false
}

func (r *referee) may(p pair) bool {
	for _, a := range r.accepted {
		if a == p || r.p.Reuse != ReuseAny && a.target == p.target || r.p.Reuse == ReuseNone && a.source == p.source {
			return false
		}
	}
	return true
}

// all lists the pairs at d, ascending by source, then target.
func (r *referee) all(d int) []pair {
	var out []pair
	for _, s := range r.sources {
		for _, t := range r.targets {
			if s != t && r.dist[s][t] == d {
				out = append(out, pair{s, t})
			}
		}
	}
	return out
}

func (r *referee) left(d int) []pair {
	return slices.DeleteFunc(r.all(d), func(p pair) bool { return !r.may(p) })
}

// kuhn gives the size of a maximum matching, one augmenting path at a time.
func kuhn(pairs []pair) int {
	adjacent, mate := map[uint32][]uint32{}, map[uint32]uint32{}
	for _, p := range pairs {
		adjacent[p.source] = append(adjacent[p.source], p.target)
	}
	var augment func(s uint32, seen map[uint32]bool) bool
	augment = func(s uint32, seen map[uint32]bool) bool {
		for _, t := range adjacent[s] {
			if seen[t] {
				continue
			}
			seen[t] = true
			if other, taken := mate[t]; !taken || augment(other, seen) {
				mate[t] = s
				return true
			}
		}
		return false
	}
	size := 0
	for s := range adjacent { // any order: the size is the same
		if augment(s, map[uint32]bool{}) {
			size++
		}
	}
	return size
}

// fieldOf gives the drawer what it reads from files, from a matrix.
func fieldOf(dist [][]int, sources, targets []uint32) Field {
	f := Field{Nodes: len(dist), Sources: sources}
	for _, t := range targets {
		column := make([]uint8, len(dist))
		for s := range dist {
			column[s] = schemas.Unreached
			if d := dist[s][t]; d < graphtest.Unreachable {
				column[s] = uint8(d)
			}
		}
		at, _ := distances.Count(column)
		f.Targets = append(f.Targets, Target{Node: t, Column: column, at: at})
	}
	return f
}
