package game

import (
	"math"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Values of the option plan, beside the numbers between them.
const (
	PlanLink = "1"    // the next link: left out of the options
	PlanPath = "path" // every link up to the target
)

// Plan names the optimal link with the smallest node; the game must not be over. Under a ban there
// may be none: a banned page is no plan.
func (g *Game) Plan() *Link {
	if g.hopeless() {
		return nil
	}
	i := g.best.first(g.links)
	return &Link{i, g.title(g.links[i])}
}

// onward names the links that follow the plan's, as far as the option plan looks. It ends early on
// a page whose menu will have no link of a shortest path, which pruning may cut.
func (g *Game) onward() []string {
	if g.opts.Plan == "" || g.hopeless() {
		return nil
	}
	pages := []uint32{g.links[g.best.first(g.links)]}
	for hops := planHops(g.opts.Plan); len(pages) < hops; {
		next, ok := g.after(pages)
		if !ok {
			break
		}
		pages = append(pages, next)
	}
	var titles []string
	for _, u := range pages[1:] {
		titles = append(titles, g.title(u))
	}
	return titles
}

// after returns what Plan will name once the pages of a plan are visited.
func (g *Game) after(plan []uint32) (uint32, bool) {
	u := plan[len(plan)-1]
	links := g.kept(u, func(v uint32) bool { return g.trail.visits[v] > 0 || slices.Contains(plan, v) })
	if u == g.task.Target.Node || len(links) == 0 {
		return 0, false
	}
	best := optimalOf(links, g.entering)
	if best.least == schemas.Unreached || int(best.least)+1 != int(g.distance[u]) {
		return 0, false
	}
	return links[best.first(links)], true
}

func planHops(plan string) int {
	if plan == PlanPath {
		return math.MaxInt
	}
	n, _ := strconv.Atoi(plan)
	return n
}

func checkPlan(o schemas.GameOptions) error {
	n, err := strconv.Atoi(o.Plan)
	switch {
	case o.Plan == "":
		return nil
	case o.Plan != PlanPath && (err != nil || n < 2 || n >= int(schemas.Unreached) || strconv.Itoa(n) != o.Plan):
		return fault.New(fault.Usage, "game option plan has no value %s", fault.Quote(o.Plan)).Hint("choose a number of links from 1 to 254, or %s", PlanPath)
	case !TellsPlan(o):
		return fault.New(fault.Usage, "game option plan=%s: oracle=%s has no plan", o.Plan, o.Oracle).Hint("choose P, SP or SPH, or leave plan out")
	case o.Titles == TitlesAnon:
		return fault.New(fault.Usage, "game options plan=%s and titles=anon contradict each other: pages to come have no name yet", o.Plan)
	}
	return nil
}
