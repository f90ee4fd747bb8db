package pairs

// pair is a source and a target at a distance that the context tells.
type pair struct{ source, target uint32 }

// taken knows the pairs accepted so far, over all splits, and what the reuse rule leaves.
type taken struct {
	reuse   string
	sources []bool // by node
	targets []bool
	pairs   map[pair]bool
	barred  func(source, target uint32) bool // what the caller refuses beside; nil for nothing
}

func newTaken(reuse string, nodes int) *taken {
	return &taken{reuse: reuse, sources: make([]bool, nodes), targets: make([]bool, nodes), pairs: map[pair]bool{}}
}

func (t *taken) add(p pair) {
	t.sources[p.source], t.targets[p.target], t.pairs[p] = true, true, true
}

// bars tells whether the rule refuses p. Most pairs of an enumeration have no page in common with accepted ones, and
// must not cost a look into the map.
func (t *taken) bars(p pair) bool {
	if t.barred != nil && t.barred(p.source, p.target) {
		return true
	}
	usedSource, usedTarget := t.sources[p.source], t.targets[p.target]
	switch t.reuse {
	case ReuseNone:
		return usedSource || usedTarget
	case ReuseTargets:
		return usedTarget
	}
	return usedSource && usedTarget && t.pairs[p]
}

// barsSource tells whether the rule refuses every pair from s.
func (t *taken) barsSource(s uint32) bool { return t.reuse == ReuseNone && t.sources[s] }

// barsTarget tells whether the rule refuses every pair to v.
func (t *taken) barsTarget(v uint32) bool { return t.reuse != ReuseAny && t.targets[v] }
