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
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
)

// Dialogue is the prompts of one game. It is not safe for concurrent use.
type Dialogue struct {
	opts  schemas.GameOptions
	words *wording.Template
	turns []schemas.Message // of a chat, earlier turns included
}

// New returns the prompts of a game in the user's words, nil for those of this package.
func New(opts schemas.GameOptions, words *wording.Template) *Dialogue {
	return &Dialogue{opts: opts, words: words}
}

// Ask returns the messages of the turn that o describes, the system message first. o must be of a
// running game. The caller owns the slice.
func (d *Dialogue) Ask(o game.Observation) []schemas.Message {
	values := func() wording.Values { return d.values(o) }
	system, task, said := d.ours(o)
	switch {
	case d.opts.Renderer == game.RendererFresh:
		return d.words.Begin(system, said, values)
	case d.turns == nil:
		d.turns = d.words.Begin(system, task+"\n\n"+said, values)
	default:
		d.say(schemas.RoleUser, d.words.Next(said, values))
	}
	return slices.Clone(d.turns)
}

// ours returns the words of this package: of the system, of a dialogue's task and of the turn.
func (d *Dialogue) ours(o game.Observation) (system, task, said string) {
	fresh := d.opts.Renderer == game.RendererFresh
	switch {
	case game.HasBan(d.opts) && fresh:
		return ban.system, "", fill(ban.fresh, d.banSlots(o)...) + d.below(o)
	case game.HasBan(d.opts):
		slots := d.banSlots(o)
		return ban.system, fill(ban.task, slots...), fill(ban.turn, slots...) + d.below(o)
	case fresh:
		messages := plain(o)
		return messages[0].Content, "", messages[1].Content + d.below(o)
	}
	slots := dialogueSlots(o)
	return plain(o)[0].Content, fill(text.task, slots...), fill(text.turn, slots...) + d.below(o)
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
