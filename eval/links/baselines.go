package links

import (
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Baselines lists the players that the games bring along. Shortest follows the links of the whole
// graph, whatever is banned: the path that a ban is measured by.
func (s *Set) Baselines() []family.Baseline {
	return []family.Baseline{
		{Name: "random", Kind: schemas.KindLocal, Says: "follows a link of the menu drawn uniformly", Start: random},
		{
			Name: "shortest", Kind: schemas.KindOracle, Says: "follows a shortest path, whatever is banned",
			Start: guided((*game.Game).Shortest),
		},
		{
			Name: "shortest-legal", Kind: schemas.KindOracle, Says: "follows a shortest path that keeps to the ban",
			Start: guided((*game.Game).Best),
		},
		{
			Name: "greedy-degree", Kind: schemas.KindLocal, Says: "goes to the page that most links lead to",
			Start: greedy(inDegree),
		},
		{
			Name: "greedy-degree-out", Kind: schemas.KindLocal, Says: "goes to the page with most links",
			Start: greedy(outDegree),
		},
	}
}

func random(e family.Episode, seat family.Seat) func() (family.Reply, error) {
	stream := seat.Stream(seat.Task.Instance, rng.Part(seat.Attempt))
	return choosing(e, func(e *Episode) int { return stream.Below(len(e.game.Menu())) })
}

func guided(best func(*game.Game) int) func(family.Episode, family.Seat) func() (family.Reply, error) {
	return func(e family.Episode, _ family.Seat) func() (family.Reply, error) {
		return choosing(e, func(e *Episode) int { return best(e.game) })
	}
}

func choosing(e family.Episode, choose func(*Episode) int) func() (family.Reply, error) {
	return func() (family.Reply, error) {
		i := choose(e.(*Episode))
		return family.Reply{Choice: &i}, nil
	}
}

// greedy goes to the page with the highest degree. A link to the target comes first, an unvisited
// page before a visited one, a smaller node before a larger.
func greedy(degree func(*Episode, uint32) int) func(family.Episode, family.Seat) func() (family.Reply, error) {
	return func(e family.Episode, _ family.Seat) func() (family.Reply, error) {
		return choosing(e, func(e *Episode) int {
			menu, best := e.game.Menu(), 0
			for i := range menu {
				if e.before(menu[i], menu[best], degree) {
					best = i
				}
			}
			return best
		})
	}
}

func (e *Episode) before(a, b uint32, degree func(*Episode, uint32) int) bool {
	target := e.task.Target.Node
	seenA, seenB := slices.Contains(e.game.Path(), a), slices.Contains(e.game.Path(), b)
	switch {
	case (a == target) != (b == target):
		return a == target
	case seenA != seenB:
		return seenB
	}
	if x, y := degree(e, a), degree(e, b); x != y {
		return x > y
	}
	return a < b
}

func outDegree(e *Episode, u uint32) int { return len(e.world.Successors(u)) }

// inDegree counts the links that lead to a page, in a world that does.
func inDegree(e *Episode, u uint32) int {
	if w, ok := e.world.(interface{ InDegree(u uint32) int }); ok {
		return w.InDegree(u)
	}
	return 0
}
