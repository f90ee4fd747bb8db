package constrained

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages/stagetest"
)

// reference draws by the words of the specification: distances by dynamic programming, paths by growing walks, one attempt after
// another. It shares the random streams with the stage, and nothing else.
type reference struct {
	p       Params
	w       stagetest.Wiki
	masks   []uint32
	targets []uint32
	dist    [][]int
	in      map[uint32][]uint32

	attempts   int
	even       int // an even share of the classes that are offered
	passed     int // candidates of classes that had theirs
	used       map[[2]uint32]bool
	classes    map[int]int
	rejects    map[string]int
	accepted   []string // key and path
	infeasible []string // key and cut
}

func newReference(p Params, w stagetest.Wiki, dist [][]int, masks, targets []uint32) *reference {
	if !p.Multi {
		single := make([]uint32, len(masks))
		for u, mask := range masks {
			single[u] = mask & -mask // the primary label of GiveLabels
		}
		masks = single
	}
	r := &reference{
		p: p, w: w, masks: masks, targets: targets, dist: dist, in: map[uint32][]uint32{},
		used: map[[2]uint32]bool{}, classes: map[int]int{}, rejects: map[string]int{},
	}
	for _, e := range graphtest.Edges(w.Succ) {
		r.in[e[1]] = append(r.in[e[1]], e[0])
	}
	return r
}

func (r *reference) kept() []string { return r.infeasible[:min(len(r.infeasible), r.p.InfeasibleKeep)] }

func (r *reference) run() {
	var sources, targets []uint32
	for u := range uint32(len(r.masks)) {
		if r.w.Flags[u]&r.p.ExcludeFlags != 0 {
			continue
		}
		if len(r.w.Succ.Row(u)) >= r.p.SourceMinOut && !strings.ContainsAny(r.w.Titles[u], "()") {
			sources = append(sources, u)
		}
		if slices.Contains(r.targets, u) && len(r.in[u]) >= r.p.TargetMinIn {
			targets = append(targets, u)
		}
	}
	for slot := range r.offered(sources, targets) {
		for try := 0; ; try++ {
			if r.attempts == r.p.MaxAttempts {
				return
			}
			r.attempts++
			stream := rng.New(uint64(r.p.Seed), "constrained", fmt.Sprint(slot), fmt.Sprint(try))
			s := sources[stream.Below(len(sources))]
			t := targets[stream.Below(len(targets))]
			reason := r.judge(stream, s, t)
			if reason == "" {
				break
			}
			r.rejects[reason]++
		}
	}
}

func (r *reference) judge(stream *rng.Stream, s, t uint32) string {
	if s == t || r.used[[2]uint32{s, t}] {
		return "duplicate"
	}
	d0 := r.dist[s][t]
	if d0 >= graphtest.Unreachable || d0 < r.p.BaselineMin {
		return "baseline"
	}
	bit := r.ban(stream, s, t)
	if bit < 0 {
		return "no_label"
	}
	share := r.classes[bit]*int(r.p.MaxSharePerClass.Den) >= r.p.N*int(r.p.MaxSharePerClass.Num)
	if share || r.p.Spread && r.classes[bit] >= r.even+r.passed/max(1, r.p.MaxAttempts/r.p.N/10) {
		r.passed++
		return "class_cap"
	}
	banned := func(u uint32) bool {
		return u != s && u != t && (r.masks[u]&(1<<bit) != 0 || r.p.Unlabelled == "forbid" && r.masks[u] == 0)
	}
	key := fmt.Sprintf("testwiki:%d:%d:%s", r.w.PageIDs[s], r.w.PageIDs[t], schemas.LabelNames[bit])
	path := r.shortest(s, t, banned)
	if path == nil {
		cut := 0
		for _, u := range r.in[t] {
			if banned(u) {
				cut++
			}
		}
		r.used[[2]uint32{s, t}] = true
		r.infeasible = append(r.infeasible, fmt.Sprintf("%s %d", key, cut))
		return "infeasible"
	}
	onWitness := slices.ContainsFunc(r.shortest(s, t, func(uint32) bool { return false }), banned)
	if r.p.Require == "longer" && len(path)-1 == d0 || r.p.Require == "on_witness" && !onWitness {
		return "not_binding"
	}
	if r.p.PathMode == "paper20" && !r.published(s, t, banned) {
		return "compat"
	}
	r.used[[2]uint32{s, t}] = true
	r.classes[bit]++
	r.accepted = append(r.accepted, fmt.Sprintf("%s %v", key, path))
	return ""
}

// offered counts the pairs by the classes that they could have, and says how many instances that allows.
func (r *reference) offered(sources, targets []uint32) int {
	pairs, most := map[int]int{}, 0
	for _, s := range sources {
		for _, t := range targets {
			for _, bit := range r.labels(s, t) {
				pairs[bit]++
			}
		}
	}
	for _, n := range pairs {
		most += min(n, r.p.N*int(r.p.MaxSharePerClass.Num)/int(r.p.MaxSharePerClass.Den))
	}
	for r.even*len(pairs) < r.p.N && len(pairs) > 0 {
		r.even++
	}
	return min(most, r.p.N)
}

// ban returns the banned bit, -1 where there is none.
func (r *reference) ban(stream *rng.Stream, s, t uint32) int {
	labels := r.labels(s, t)
	if r.p.Spread {
		labels = slices.DeleteFunc(slices.Clone(labels), func(bit int) bool {
			return slices.ContainsFunc(labels, func(other int) bool { return r.classes[other] < r.classes[bit] })
		})
	}
	if len(labels) == 0 {
		return -1
	}
	return labels[stream.Below(len(labels))]
}

// labels lists what may be banned for a pair.
func (r *reference) labels(s, t uint32) []int {
	var labels []int
	for _, label := range r.p.FixedSet {
		labels = append(labels, slices.Index(schemas.LabelNames, label))
	}
	if labels != nil {
		return labels
	}
	row := slices.Clone(r.in[t])
	slices.SortFunc(row, func(a, b uint32) int {
		return cmp.Or(len(r.in[b])-len(r.in[a]), int(a)-int(b))
	})
	for _, u := range row {
		if u == s || r.masks[u] == 0 {
			continue
		}
		for bit := range 22 {
			if r.masks[u]&(1<<bit) != 0 {
				labels = append(labels, bit)
			}
		}
		return labels
	}
	return nil
}

// shortest grows walks from s, each page once and in lexicographic order, so that the first to arrive is the smallest.
func (r *reference) shortest(s, t uint32, banned func(uint32) bool) []uint32 {
	walks, seen := [][]uint32{{s}}, map[uint32]bool{s: true}
	for len(walks) > 0 {
		var longer [][]uint32
		for _, walk := range walks {
			for _, v := range r.w.Succ.Row(walk[len(walk)-1]) {
				if v == t {
					return append(slices.Clone(walk), v)
				}
				if !seen[v] && !banned(v) {
					seen[v] = true
					longer = append(longer, append(slices.Clone(walk), v))
				}
			}
		}
		walks = longer
	}
	return nil
}

func (r *reference) published(s, t uint32, banned func(uint32) bool) bool {
	removed := map[uint32]bool{}
	for range 20 {
		path := r.shortest(s, t, func(u uint32) bool { return removed[u] })
		if path == nil {
			return false
		}
		if !slices.ContainsFunc(path, banned) {
			return true
		}
		for _, u := range path[1 : len(path)-1] {
			removed[u] = true
		}
	}
	return false
}
