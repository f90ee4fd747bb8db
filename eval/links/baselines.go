package links

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Baselines lists the players that the games bring along. Shortest follows the links of the whole
// graph, whatever is banned: the path that a ban is measured by. The noisy ones are a ladder of
// players of known strength; the oracle that knows most comes last.
func (s *Set) Baselines() []family.Baseline {
	first := family.Baseline{
		Name: "random", Kind: schemas.KindLocal, Says: "follows a link of the menu drawn uniformly", Start: random,
	}
	return slices.Concat([]family.Baseline{first}, ladder(), []family.Baseline{
		{
			Name: "shortest", Kind: schemas.KindOracle, Says: "follows a shortest path, whatever is banned",
			Start: choosing(func(e *Episode) int { return e.game.Shortest() }),
		},
		{
			Name: "shortest-legal", Kind: schemas.KindOracle, Says: "follows a shortest path that keeps to the ban",
			Start: choosing(func(e *Episode) int { return e.game.Best() }),
		},
		{
			Name: "greedy-degree", Kind: schemas.KindLocal, Says: "goes to the page that most links lead to",
			Start: choosing(func(e *Episode) int { return e.greedy(e.inDegree) }),
		},
		{
			Name: "greedy-degree-out", Kind: schemas.KindLocal, Says: "goes to the page with most links",
			Start: choosing(func(e *Episode) int { return e.greedy(e.outDegree) }),
		},
	})
}

// ladder returns players that are weaker from one to the next.
func ladder() (list []family.Baseline) {
	for percent := 10; percent < 100; percent += 10 {
		list = append(list, family.Baseline{
			Name: fmt.Sprintf("noisy-shortest-%d", percent), Series: "noisy-shortest-10 to -90",
			Says: fmt.Sprintf("as shortest-legal, but draws %d of 100 moves from the menu", percent),
			Kind: schemas.KindOracle, Start: noisy(percent),
		})
	}
	return list
}

func noisy(percent int) func(family.Episode, family.Seat) func() (family.Reply, error) {
	return func(e family.Episode, seat family.Seat) func() (family.Reply, error) {
		stream := seat.Stream(seat.Task.Instance, rng.Part(seat.Attempt))
		return choosing(func(e *Episode) int {
			if stream.Below(100) < percent {
				return stream.Below(len(e.game.Menu()))
			}
			return e.game.Best()
		})(e, seat)
	}
}

func random(e family.Episode, seat family.Seat) func() (family.Reply, error) {
	stream := seat.Stream(seat.Task.Instance, rng.Part(seat.Attempt))
	return choosing(func(e *Episode) int { return stream.Below(len(e.game.Menu())) })(e, seat)
}

func choosing(choose func(*Episode) int) func(family.Episode, family.Seat) func() (family.Reply, error) {
	return func(e family.Episode, _ family.Seat) func() (family.Reply, error) {
		return func() (family.Reply, error) {
			i := choose(e.(*Episode))
			return family.Reply{Choice: &i}, nil
		}
	}
}

// greedy returns the place of the page with the highest degree. A link to the target comes first, an
// unvisited page before a visited one, a smaller node before a larger.
func (e *Episode) greedy(degree func(uint32) int) int {
	rank := func(u uint32) int {
		switch {
		case u == e.task.Target.Node:
			return 0
		case !slices.Contains(e.game.Path(), u):
			return 1
		}
		return 2
	}
	best := slices.MinFunc(e.game.Menu(), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(degree(b), degree(a)), cmp.Compare(a, b))
	})
	place, _ := e.game.Offers(best)
	return place
}

func (e *Episode) outDegree(u uint32) int { return len(e.world.Successors(u)) }

// inDegree counts the links that lead to a page, in a world that does.
func (e *Episode) inDegree(u uint32) int {
	if w, ok := e.world.(interface{ InDegree(u uint32) int }); ok {
		return w.InDegree(u)
	}
	return 0
}
