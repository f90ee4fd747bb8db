package mango

import (
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

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

// edges names the links.
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
