package mango

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas/rng"
)

// Reasons why a walk is thrown away.
const (
	failPages   = "few_pages" // fewer than n: no walk is taken
	failDeadEnd = "dead_end"  // neither a page to go back to nor one to go on to
	failSteps   = "max_steps"
	failLabels  = "labels" // no direction left for a pair
	failPaths   = "paths"  // more DF rows than df_cap
)

// walk is a walk under way, or done.
type walk struct {
	Params
	*world
	stream *rng.Stream
	at     uint32
	been   map[uint32]bool
	pages  []uint32 // in order of the first visit
	lower  []string // their titles in lower case
	steps  [][2]uint32
	out    choices // scratch
}

// choices are the pages that the next step may go to, ascending.
type choices struct{ back, fresh []uint32 }

// take walks from a random page until n locations have been visited in at least min_steps steps. The draws, and their order, are
// part of the specification (6.2): start, then per step whether to go back, where that is open, and which page.
func (p Params) take(w *world, stream *rng.Stream) (*walk, string) {
	k := &walk{Params: p, world: w, stream: stream, been: map[uint32]bool{}}
	k.visit(w.pages[stream.Below(len(w.pages))])
	for len(k.pages) < p.N || len(k.steps) < p.MinSteps {
		if len(k.steps) == p.MaxSteps {
			return nil, failSteps
		}
		next, ok := k.next()
		if !ok {
			return nil, failDeadEnd
		}
		k.steps = append(k.steps, [2]uint32{k.at, next})
		k.visit(next)
	}
	return k, ""
}

func (k *walk) visit(u uint32) {
	k.at = u
	if k.been[u] {
		return
	}
	k.been[u] = true
	k.pages = append(k.pages, u)
	k.lower = append(k.lower, strings.ToLower(k.Title(u)))
}

// next draws the page to go to.
func (k *walk) next() (uint32, bool) {
	k.look()
	from := k.out.fresh
	if len(k.out.back) > 0 && (len(from) == 0 || k.stream.Below(100) < k.RevisitPercent) {
		from = k.out.back
	}
	if len(from) == 0 {
		return 0, false
	}
	return from[k.stream.Below(len(from))], true
}

// look sorts the successors into those visited and those that may be visited.
func (k *walk) look() {
	k.out.back, k.out.fresh = k.out.back[:0], k.out.fresh[:0]
	for _, v := range k.Succ.Row(k.at) {
		switch {
		case v == k.at || !k.inside[v]:
		case k.been[v]:
			k.out.back = append(k.out.back, v)
		case len(k.pages) < k.N && k.fit[v] && k.unlike(v):
			k.out.fresh = append(k.out.fresh, v)
		}
	}
}

// unlike tells whether v's title neither is, holds nor is held by that of a location, so that no observation can name another
// location than its own.
func (k *walk) unlike(v uint32) bool {
	title := strings.ToLower(k.Title(v))
	return !slices.ContainsFunc(k.lower, func(other string) bool { return holds(title, other) || holds(other, title) })
}

// revisits counts the steps that led to a page visited before.
func (k *walk) revisits() int { return len(k.steps) - (len(k.pages) - 1) }
