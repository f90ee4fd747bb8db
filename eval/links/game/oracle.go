package game

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/order"
)

// Values of the option oracle: the benchmark itself, and the dialogue that P (plan), S (state) and
// H (history) are compared with. H rewrites the task and needs S.
const (
	OracleNone = "none"
	OracleBase = "base"
)

// Extras outside the six: each is told alone, so that what it changes is known.
const (
	OracleDistance = "D" // how far the target is
	OracleReturn   = "B" // after a move that lost ground, the page to return to
)

func TellsPlan(o schemas.GameOptions) bool { return strings.Contains(o.Oracle, "P") }

// TellsState reports whether observations sum up the game so far.
func TellsState(o schemas.GameOptions) bool { return strings.Contains(o.Oracle, "S") }

// TellsOracle reports whether observations name what only the oracle knows: an optimal link, a
// distance, or which moves broke a ban. Under a budget the turns left are a distance.
func TellsOracle(o schemas.GameOptions) bool {
	return TellsPlan(o) || HasBan(o) && TellsState(o) || o.Oracle == OracleDistance || o.Oracle == OracleReturn || o.Budget != ""
}

// RewritesHistory reports whether each turn is put as a task that starts at the current page.
func RewritesHistory(o schemas.GameOptions) bool { return strings.Contains(o.Oracle, "H") }

// rendererOf returns the renderer that an oracle is played with, "" where any will do.
func rendererOf(o schemas.GameOptions) string {
	switch {
	case o.Oracle == OracleNone:
		return ""
	case RewritesHistory(o):
		return RendererFresh
	}
	return RendererChat
}

// State is what the oracle S says: all that a perfect memory knows, no distance.
type State struct {
	Current   string  `json:"current"`
	Target    string  `json:"target"`
	StepsUsed int     `json:"steps_used"`
	StepsLeft int     `json:"steps_left"`
	Visited   []Visit `json:"visited"`  // in order of the first visit
	Loop      bool    `json:"loop"`     // the current page was visited before
	Frontier  []Sight `json:"frontier"` // most recently seen first; the links of this turn are not repeated

	Banned     string   `json:"banned,omitempty"`     // in a game with a ban, the category
	Violations []string `json:"violations,omitempty"` // the moves that broke it, by the titles of their pages
}

type Visit struct {
	Title  string `json:"title"`
	Visits int    `json:"visits"`
}

// Sight is a link that was offered on an earlier page and whose page was not visited.
type Sight struct {
	Title string `json:"title"`
	On    string `json:"on"`
}

const maxFrontier = 50

// Distance is that from the current page to the target. Whoever calls it is no ordinary player.
func (g *Game) Distance() int { return int(g.distance[g.Page()]) }

// Remember keeps what State says of earlier menus; games that tell the state do so by themselves.
func (g *Game) Remember() {
	if !g.remembers {
		g.remembers = true
		g.sights.note(g.Page(), g.links)
	}
}

// State sums up the game. Its frontier is empty unless the game remembers menus.
func (g *Game) State() *State {
	s := &State{
		Current: g.title(g.Page()), Target: g.title(g.task.Target.Node), StepsUsed: g.turns, StepsLeft: g.limit - g.turns,
		Visited: []Visit{}, Loop: g.trail.visits[g.Page()] > 1, Frontier: []Sight{},
	}
	if g.ban != nil {
		s.Banned, s.Violations = g.task.Ban.Category, g.broken()
	}
	told := map[uint32]bool{}
	for _, u := range g.Path() {
		if !told[u] {
			told[u] = true
			s.Visited = append(s.Visited, Visit{g.title(u), g.trail.visits[u]})
		}
	}
	for _, v := range g.sights.unvisited(g.trail.visits, g.links) {
		s.Frontier = append(s.Frontier, Sight{g.title(v), g.title(g.sights.last[v].page)})
	}
	return s
}

// broken returns the titles of the banned pages that were entered, in order.
func (g *Game) broken() []string {
	var titles []string
	for _, u := range g.Path()[1:] {
		if g.ban.closed[u] {
			titles = append(titles, g.title(u))
		}
	}
	return titles
}

// sights remembers where each link was offered last.
type sights struct {
	menus int
	last  map[uint32]sight
}

type sight struct {
	menu, place int
	page        uint32
}

func (s *sights) note(page uint32, links []uint32) {
	if s.last == nil {
		s.last = map[uint32]sight{}
	}
	for i, v := range links {
		s.last[v] = sight{s.menus, i, page}
	}
	s.menus++
}

// unvisited lists the pages seen and not visited, the most recently seen first, without those of
// the menu at hand: a menu has as many links as the list has room for.
func (s *sights) unvisited(visits map[uint32]int, menu []uint32) []uint32 {
	var pages []uint32
	for v := range s.last {
		if visits[v] == 0 && !slices.Contains(menu, v) {
			pages = append(pages, v)
		}
	}
	order.Sort(pages, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.last[b].menu, s.last[a].menu), cmp.Compare(s.last[a].place, s.last[b].place))
	})
	return pages[:min(len(pages), maxFrontier)]
}
