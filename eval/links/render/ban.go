package render

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// Gloss says in a few words what a label means; "" for what is no label.
func Gloss(label string) string { return glosses[label] }

// Schema returns the JSON Schema of replies under opts, nil where they have no form. Every property
// is required, as strict endpoints demand; whoever reads the reply is milder.
func Schema(opts schemas.GameOptions) json.RawMessage {
	if !game.HasBan(opts) {
		return nil
	}
	return json.RawMessage(`{"type":"object","properties":{"next_page":{"type":"string"},"reasoning":{"type":"string"},` +
		`"restriction_reasoning":{"type":"string"}},"required":["next_page","reasoning","restriction_reasoning"],"additionalProperties":false}`)
}

// banSlots are what the parts of games with a ban say of a turn. Steps and their limit are those of
// the task; a rewritten one starts at this turn.
func (d *Dialogue) banSlots(o game.Observation) []string {
	step, visited, rule, feedback := o.Step, "", "", ""
	if game.RewritesHistory(d.opts) {
		step = 1
	}
	if d.opts.Revisit == game.RevisitFail {
		visited, rule = fill(ban.visited, raw("pages"), quoted(o.Visited, " -> ")), ban.rule
	}
	if n := len(o.Recent); n > 0 && o.Notice == "" {
		feedback = fill(ban.moved, "from", o.Recent[n-1].From, "chosen", o.Recent[n-1].Chosen)
	}
	banned := fill(ban.gloss, "category", o.Banned, "gloss", Gloss(o.Banned))
	if d.opts.BanText == game.BanTextName {
		banned = fill(ban.name, "category", o.Banned)
	}
	return []string{
		"current", o.Current.Title, "target", o.Target.Title, raw("intro"), beginning(o.Intro, ban.intro, ban.noIntro),
		"step", strconv.Itoa(step), "limit", strconv.Itoa(step + o.StepsLeft - 1), raw("ban"), banned, raw("rule"), rule,
		raw("visited"), visited, raw("recent"), recent(o), raw("feedback"), feedback,
		raw("links"), strings.Join(prompt.EscapeAll(o.Titles()), "\n"), raw("request"), d.request(),
	}
}

// request is a sentence of its own in a fresh prompt, the end of one in a dialogue's opening.
func (d *Dialogue) request() string {
	request := ban.request
	if d.opts.NoPath == game.NoPathOn {
		request += " " + ban.noPath
	}
	if d.opts.Renderer == game.RendererFresh {
		return request
	}
	return strings.ToLower(request[:1]) + request[1:]
}

func recent(o game.Observation) string {
	if len(o.Recent) == 0 {
		return ""
	}
	return fill(ban.recent, raw("moves"), strings.Join(moves(o), "\n"))
}

func moves(o game.Observation) []string {
	list := make([]string, len(o.Recent))
	for i, c := range o.Recent {
		list[i] = fill(ban.move, "from", c.From, "chosen", c.Chosen, "why", c.Justification)
	}
	return list
}
