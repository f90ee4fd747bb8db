// Package render turns observations into the prompts of a game.
//
// It owns the two ways to put a game to a model: fresh, one prompt a turn, and chat, a dialogue
// that grows; and the blocks that options add to them: the way back, the oracles' plan and state.
// The text of a fresh turn is that of artifacts/prompt; games with a ban have a wording of their
// own, in which links are titles. It promises that equal observations and replies give equal bytes,
// so that a scorer can render a game again and compare digests; that each link is one line; and
// that titles are data, which nothing looks at again once they are filled in.
//
// It sees observations and nothing else, so what an observation does not tell no prompt can. It
// parses no reply.
package render

import (
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// Dialogue is the prompts of one game. It is not safe for concurrent use.
type Dialogue struct {
	opts  schemas.GameOptions
	turns []schemas.Message // of a chat, earlier turns included
}

// New starts the prompts of a game under opts.
func New(opts schemas.GameOptions) *Dialogue { return &Dialogue{opts: opts} }

// Ask returns the messages of the turn that o describes, the system message first. o must be of a
// running game. The caller owns the slice.
func (d *Dialogue) Ask(o game.Observation) []schemas.Message {
	if game.HasBan(d.opts) {
		return d.askBanned(o)
	}
	if d.opts.Renderer == game.RendererFresh {
		return d.fresh(o)
	}
	if d.turns == nil {
		d.turns = []schemas.Message{plain(o)[0]}
		d.say(schemas.RoleUser, fill(text.task, "current", o.Current.Title, "target", o.Target.Title)+"\n\n"+turn(o))
	} else {
		d.say(schemas.RoleUser, turn(o))
	}
	return slices.Clone(d.turns)
}

// Reply keeps what was answered, for the turns to come.
func (d *Dialogue) Reply(text string) {
	if d.opts.Renderer == game.RendererChat {
		d.say(schemas.RoleAssistant, text)
	}
}

func (d *Dialogue) say(role, content string) {
	d.turns = append(d.turns, schemas.Message{Role: role, Content: content})
}

// fresh is the prompt of artifacts/prompt, with the blocks of this turn below it.
func (d *Dialogue) fresh(o game.Observation) []schemas.Message {
	messages := plain(o)
	extra := blocks(o)
	if game.RewritesHistory(d.opts) {
		extra = append([]string{fill(text.budget, "left", strconv.Itoa(o.StepsLeft))}, extra...)
	}
	for _, b := range extra {
		messages[1].Content += "\n\n" + b
	}
	return messages
}

func plain(o game.Observation) []schemas.Message {
	return prompt.PageMessages(o.Current.Title, o.Target.Title, o.Visited, o.Titles(), o.Context)
}

// turn is what a chat says of one turn.
func turn(o game.Observation) string {
	s := fill(text.turn, "current", o.Current.Title, "last", strconv.Itoa(len(o.Links)-1), raw("links"), numbered(o.Titles()), raw("lead"), lead(o))
	for _, b := range blocks(o) {
		s += "\n\n" + b
	}
	return s
}

func lead(o game.Observation) string {
	switch {
	case o.Context == nil:
		return ""
	case *o.Context == "":
		return text.noLead
	}
	return fill(text.lead, "text", *o.Context)
}
