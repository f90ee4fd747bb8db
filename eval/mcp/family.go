package mcp

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/session"
)

// family is what is one family's own: how its games look, and how a link is chosen in them.
type family struct {
	observation func() *jsonschema.Schema
	// show completes an observation of a game for a model.
	show func(session.Game, any) any
	// back tells whether the rules of a game allow going back.
	back func(session.Game) bool
	// click adds the tool click_link.
	click func(*table)
}

// familyOf gives what is a host's family's own.
func familyOf(f session.Family) family {
	if w, ok := f.(*session.Wikirace); ok {
		if w.Banned() {
			return constrained
		}
		return wikirace
	}
	panic(fmt.Sprintf("mcp: no tools for a %T", f))
}

// wikirace is the family of that name.
var wikirace = family{
	observation: schemaOf[observation],
	show: func(g session.Game, seen any) any {
		o := observation{Observation: seen.(game.Observation)}
		if o.Step == 1 {
			o.Task = task(o.Observation, g.(*session.Race).Options())
		}
		return o
	},
	back:  func(g session.Game) bool { return g.(*session.Race).Options().Back == game.BackOn },
	click: func(t *table) { addClick(t, "Choose a link of the current page, by number or by title.", click.move) },
}

// constrained is the family of games under a ban.
var constrained = family{
	observation: wikirace.observation, show: wikirace.show, back: wikirace.back,
	click: func(t *table) {
		addClick(t, "Choose a link of the current page by its title, and say why it leads on and why it keeps to the ban.", reasoned.move)
	},
}

// observation is what a model sees of a game.
type observation struct {
	Task string `json:"task,omitempty" jsonschema:"the game and all its rules; in the observation of step 1"`
	game.Observation
}

// click is the arguments of click_link.
type click struct {
	Step   int     `json:"step" jsonschema:"the number of this turn, as the observation says it; the first is 1"`
	Choice *int    `json:"choice,omitempty" jsonschema:"the number of the link in the list, from 0; this or title"`
	Title  *string `json:"title,omitempty" jsonschema:"the title of the link; this or choice"`
}

func (c click) move() (int, session.Move, error) {
	switch {
	case c.Choice == nil && c.Title == nil:
		return 0, session.Move{}, refuse(session.CodeBadField, "the argument choice is missing, and so is title; a link is chosen by one of them")
	case c.Choice != nil && c.Title != nil:
		return 0, session.Move{}, refuse(session.CodeBadField, "the arguments choice and title stand together; a link is chosen by one of them")
	}
	return c.Step, session.Move{Choice: c.Choice, Title: c.Title}, nil
}

// reasoned is the arguments of click_link in a game under a ban, under the names of a structured reply.
type reasoned struct {
	Step        int    `json:"step" jsonschema:"the number of this turn, as the observation says it; the first is 1"`
	NextPage    string `json:"next_page" jsonschema:"the title of the link"`
	Reasoning   string `json:"reasoning" jsonschema:"why the link leads towards the target"`
	Restriction string `json:"restriction_reasoning" jsonschema:"why its page does not belong to the banned category; it may be empty"`
}

func (r reasoned) move() (int, session.Move, error) {
	return r.Step, session.Move{Title: &r.NextPage, Reasoning: &r.Reasoning, RestrictionReasoning: &r.Restriction}, nil
}
