package game

// ObservationSchema names the record's version. 1: first layout.
const ObservationSchema = "wikirace.observation/1"

// Observation is all that a player is shown before a turn. It holds no distance and nothing of pages unseen.
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
	Notice    string   `json:"notice,omitempty"`
	Done      bool     `json:"done"`
	Outcome   string   `json:"outcome,omitempty"`
}

// Page names a page to a player.
type Page struct {
	PageID uint32 `json:"page_id"`
	Title  string `json:"title"`
}

// Link is a line of the menu. I counts from 0.
type Link struct {
	I     int    `json:"i"`
	Title string `json:"title"`
}

// noticeInvalid is shown on the turn after an invalid reply.
const noticeInvalid = "The last answer did not choose a link of this page. Answer with the number of a link in the list."

// Observe gives what the player called game may see now. The caller owns it.
func (g *Game) Observe(game string) Observation {
	o := Observation{
		Schema: ObservationSchema, Game: game, Instance: g.inst.ID, Step: g.Step(), StepsLeft: g.opts.MaxSteps - g.turns,
		Current: g.describe(g.page), Target: g.describe(g.inst.Target.Node),
		Visited: make([]string, len(g.path)), Links: make([]Link, len(g.links)),
		Done: g.Done(), Outcome: g.outcome,
	}
	for i, u := range g.path {
		o.Visited[i] = g.world.Title(u)
	}
	for i, v := range g.links {
		o.Links[i] = Link{i, g.world.Title(v)}
	}
	if g.row > 0 && !g.Done() {
		o.Notice = noticeInvalid
	}
	return o
}

func (g *Game) describe(u uint32) Page {
	return Page{g.world.PageID(u), g.world.Title(u)}
}
