package game

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/schemas"
)

// Observation is all that a player is shown before a turn. It holds no distance and nothing of
// pages unseen, unless an oracle option adds it: Plan, Then, Distance, ReturnTo and State; under H
// the visited pages are those of the rewritten task, which starts at the current page.
type Observation struct {
	Schema    string   `json:"schema"`
	Game      string   `json:"game"`
	Instance  string   `json:"instance"`
	Step      int      `json:"step"` // of the turn to come, 1-based
	StepsLeft int      `json:"steps_left"`
	Current   Page     `json:"current"`
	Target    Page     `json:"target"`
	Visited   []string `json:"visited"` // titles, source first, current last, repetitions kept
	Links     []Link   `json:"links"`
	Context   *string  `json:"context,omitempty"` // the current page's lead, "" if it has none
	Back      string   `json:"back,omitempty"`    // title of the page that back returns to
	Plan      *Link    `json:"plan,omitempty"`
	Then      []string `json:"then,omitempty"`      // the links that follow Plan, on the pages to come
	Distance  *int     `json:"distance,omitempty"`  // links to the target, 254 for that or more, 255 for none; under oracle=D alone
	ReturnTo  string   `json:"return_to,omitempty"` // under oracle=B, the page that the last move should not have left
	State     *State   `json:"state,omitempty"`
	Banned    string   `json:"banned,omitempty"` // in a game with a ban, the category
	Intro     *string  `json:"target_intro,omitempty"`
	Recent    []Choice `json:"recent,omitempty"` // the last moves, oldest first
	Notice    string   `json:"notice,omitempty"`
	Done      bool     `json:"done"`
	Outcome   string   `json:"outcome,omitempty"`

	alias func(title string) (place int, ok bool)
}

// Place finds the link of a title: exactly, or as a redirect where the world knows these and titles
// are shown.
func (o Observation) Place(title string) (int, bool) {
	if i := slices.IndexFunc(o.Links, func(l Link) bool { return l.Title == title }); i >= 0 {
		return i, true
	}
	if o.alias == nil {
		return 0, false
	}
	return o.alias(title)
}

type Page struct {
	PageID uint32 `json:"page_id"`
	Title  string `json:"title"`
}

// Link is a line of the menu. I counts from 0.
type Link struct {
	I     int    `json:"i"`
	Title string `json:"title"`
}

func (o Observation) Titles() []string {
	titles := make([]string, len(o.Links))
	for i, l := range o.Links {
		titles[i] = l.Title
	}
	return titles
}

// noticeInvalid is shown on the turn after an invalid reply.
const (
	noticeInvalid = "The last answer did not choose a link of this page. Answer with the number of a link in the list."
	noticeTitle   = "The last answer did not choose a link of this page. Answer with one JSON object whose next_page is a title in the list."
)

// Observe returns what the player called game may see now. The caller owns it.
func (g *Game) Observe(game string) Observation {
	o := Observation{
		Schema: schemas.ObservationSchema, Game: game, Instance: g.task.ID, Step: g.Step(), StepsLeft: g.limit - g.turns,
		Current: g.describe(g.Page()), Target: g.describe(g.task.Target.Node),
		Visited: g.visited(), Links: make([]Link, len(g.links)),
		Done: g.Done(), Outcome: g.outcome,
	}
	for i, v := range g.links {
		o.Links[i] = Link{i, g.title(v)}
	}
	if !g.Done() {
		g.extend(&o)
	}
	return o
}

// extend adds what options and the last turn bring to the observation of a running game.
func (g *Game) extend(o *Observation) {
	if g.row > 0 {
		o.Notice = noticeInvalid
	}
	if g.ban != nil {
		g.forbid(o)
	}
	if g.opts.Context == ContextLead {
		o.Context = new(g.lead(g.Page()))
	}
	if g.opts.Back == BackOn && g.trail.Depth() > 0 {
		o.Back = g.title(g.trail.stack[g.trail.Depth()-1])
	}
	if TellsPlan(g.opts) {
		o.Plan, o.Then = g.Plan(), g.onward()
	}
	g.extra(o)
	if TellsState(g.opts) {
		o.State = g.State()
	}
}

// lead returns the beginning of a page's text; "" if there is none, or it is not for the player.
func (g *Game) lead(u uint32) string {
	if g.leads != nil {
		if text, ok := g.leads.Lead(u); ok {
			return text
		}
	}
	return ""
}

// visited returns the titles of the pages visited, of a rewritten task its start alone.
func (g *Game) visited() []string {
	path := g.Path()
	if RewritesHistory(g.opts) {
		path = path[len(path)-1:]
	}
	titles := make([]string, len(path))
	for i, u := range path {
		titles[i] = g.title(u)
	}
	return titles
}

func (g *Game) describe(u uint32) Page { return Page{g.pageID(u), g.title(u)} }

func (g *Game) forbid(o *Observation) {
	o.Banned, o.Recent = g.task.Ban.Category, g.told()
	if g.row+g.reasked > 0 {
		o.Notice = noticeTitle
	}
	if g.opts.TargetIntro > 0 {
		o.Intro = new(prompt.Beginning(g.lead(g.task.Target.Node), g.opts.TargetIntro))
	}
	if g.renamed != nil {
		o.alias = g.placeOf // a reply may leave out the categories
	} else if w, ok := g.world.(Aliased); ok {
		o.alias = func(title string) (int, bool) {
			u, known := w.Alias(title)
			i, offered := g.Offers(u)
			return i, known && offered
		}
	}
}
