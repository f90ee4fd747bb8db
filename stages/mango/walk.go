package mango

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
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

// directions are the moves of our mazes; opposite numbers differ in their last bit.
var directions = [...]string{
	"north", "south", "east", "west", "northeast", "southwest", "northwest", "southeast", "up", "down",
}

func opposite(d int) int { return d ^ 1 }

// link is an edge of a maze: when it and its opposite were walked, and its direction.
type link struct {
	from, to          uint32
	forward, reversed int
	direction         int
}

// links gives the edges of a walk: those walked, and the real reverses of those walked, in the order in which a pair of pages was
// first walked, that way first.
func (k *walk) links() []link {
	first := map[[2]uint32]int{}
	for i, s := range k.steps {
		if _, walked := first[s]; !walked {
			first[s] = i + 1
		}
	}
	step := func(from, to uint32) int {
		if t, walked := first[[2]uint32{from, to}]; walked {
			return t
		}
		return schemas.MangoNever
	}
	var out []link
	done := map[[2]uint32]bool{}
	for _, s := range k.steps {
		a, b := s[0], s[1]
		if done[[2]uint32{a, b}] || done[[2]uint32{b, a}] {
			continue
		}
		done[s] = true
		out = append(out, link{from: a, to: b, forward: step(a, b), reversed: step(b, a)})
		if k.linked(b, a) {
			out = append(out, link{from: b, to: a, forward: step(b, a), reversed: step(a, b)})
		}
	}
	return out
}

// label gives every link a direction: each pair of pages one and its opposite, which nothing else at either page has, even
// where one way is no link. It tells whether there were enough.
func label(links []link, stream *rng.Stream) bool {
	used := map[uint32]*[len(directions)]bool{}
	at := func(u uint32) *[len(directions)]bool {
		if used[u] == nil {
			used[u] = new([len(directions)]bool)
		}
		return used[u]
	}
	for i := 0; i < len(links); i++ {
		l := &links[i]
		d, ok := freeDirection(at(l.from), at(l.to), stream)
		if !ok {
			return false
		}
		at(l.from)[d], at(l.to)[opposite(d)] = true, true
		l.direction = d
		if i+1 < len(links) && links[i+1].from == l.to && links[i+1].to == l.from {
			i++
			links[i].direction = opposite(d)
		}
	}
	return true
}

// freeDirection tries the directions in a random order.
func freeDirection(from, to *[len(directions)]bool, stream *rng.Stream) (int, bool) {
	var order [len(directions)]int
	for i := range order {
		order[i] = i
	}
	rng.Shuffled(stream, order[:])
	for _, d := range order {
		if !from[d] && !to[opposite(d)] {
			return d, true
		}
	}
	return 0, false
}

func (k *walk) edges(links []link) []schemas.MangoEdge {
	out := make([]schemas.MangoEdge, len(links))
	for i, l := range links {
		out[i] = schemas.MangoEdge{
			SrcNode: k.Title(l.from), DstNode: k.Title(l.to), Action: directions[l.direction],
			MangoSteps: maze.Steps(l.forward, l.reversed),
		}
	}
	return out
}

const (
	exitsMark = "Exits: "
	noExits   = "none"
)

// fixedWords are what every observation may say beside the title of its page.
var fixedWords = append([]string{"exits", noExits}, directions[:]...)

// observed tells the walk: what was done, where that led, and what is seen there.
func (k *walk) observed(links []link) []schemas.MangoStep {
	leads := k.leads()
	arrive := func(step int, act, src string, page uint32) schemas.MangoStep {
		title, exits := k.Title(page), exitsOf(page, links)
		return schemas.MangoStep{Step: step, Act: act, Src: src, Dst: title, Exits: exits, Observation: observation(title, leads[page], exits)}
	}
	out := []schemas.MangoStep{arrive(0, maze.Act0, "", k.pages[0])}
	for i, s := range k.steps {
		act := ""
		for _, l := range links {
			if l.from == s[0] && l.to == s[1] {
				act = directions[l.direction]
			}
		}
		out = append(out, arrive(i+1, act, k.Title(s[0]), s[1]))
	}
	return out
}

// exitsOf lists the directions of all edges of the maze out of a page, in order of the directions: also those never walked.
func exitsOf(page uint32, links []link) []string {
	var numbers []int
	for _, l := range links {
		if l.from == page {
			numbers = append(numbers, l.direction)
		}
	}
	slices.Sort(numbers)
	out := []string{}
	for _, d := range numbers {
		out = append(out, directions[d])
	}
	return out
}

var noBrackets = strings.NewReplacer("[", "(", "]", ")")

// plain replaces brackets, which would look like the start of an answer.
func plain(text string) string { return noBrackets.Replace(text) }

// observation has a line each for the title, the lead if there is one, and the exits.
func observation(title, lead string, exits []string) string {
	list := noExits
	if len(exits) > 0 {
		list = strings.Join(exits, ", ")
	}
	lines := []string{plain(title), lead, exitsMark + list}
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
}

// namesAnother finds an observation that names a location where it was not made.
func namesAnother(steps []schemas.MangoStep, locations []string) (step int, name string, found bool) {
	for _, s := range steps {
		text := strings.ToLower(s.Observation)
		for _, other := range locations {
			if other != s.Dst && holds(text, strings.ToLower(plain(other))) {
				return s.Step, other, true
			}
		}
	}
	return 0, "", false
}
