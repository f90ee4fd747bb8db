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

func New(opts schemas.GameOptions) *Dialogue { return &Dialogue{opts: opts} }

// Ask returns the messages of the turn that o describes, the system message first. o must be of a
// running game. The caller owns the slice.
func (d *Dialogue) Ask(o game.Observation) []schemas.Message {
	fresh := d.opts.Renderer == game.RendererFresh
	system, task, turn, slots := ban.system, ban.task, ban.turn, []string(nil)
	switch {
	case game.HasBan(d.opts):
		slots = d.banSlots(o)
	case fresh:
		return d.fresh(o)
	default:
		system, task, turn, slots = plain(o)[0].Content, text.task, text.turn, dialogueSlots(o)
	}
	if fresh {
		return []schemas.Message{
			{Role: schemas.RoleSystem, Content: system}, {Role: schemas.RoleUser, Content: fill(ban.fresh, slots...) + below(o)},
		}
	}
	said := fill(turn, slots...) + below(o)
	if d.turns == nil {
		d.say(schemas.RoleSystem, system)
		said = fill(task, slots...) + "\n\n" + said
	}
	d.say(schemas.RoleUser, said)
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
	var budget []string
	if game.RewritesHistory(d.opts) {
		budget = []string{fill(text.budget, "left", strconv.Itoa(o.StepsLeft))}
	}
	messages := plain(o)
	messages[1].Content += below(o, budget...)
	return messages
}

func plain(o game.Observation) []schemas.Message {
	return prompt.PageMessages(o.Current.Title, o.Target.Title, o.Visited, o.Titles(), o.Context)
}

// dialogueSlots are what the parts of a dialogue say of a turn.
func dialogueSlots(o game.Observation) []string {
	return []string{
		"current", o.Current.Title, "target", o.Target.Title, "last", strconv.Itoa(len(o.Links) - 1),
		raw("links"), prompt.Numbered(o.Titles()), raw("lead"), beginning(o.Context, text.lead, text.noLead),
	}
}

// beginning says how a page begins; nil is not said at all, and "" that there is no text.
func beginning(lead *string, part, none string) string {
	switch {
	case lead == nil:
		return ""
	case *lead == "":
		return none
	}
	return fill(part, "text", *lead)
}
