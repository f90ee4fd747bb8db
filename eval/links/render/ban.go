package render

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

//go:embed ban-1.txt
var banTemplate string

// ban is that template's parts, in the order of the file.
var ban = banParts()

type banTexts struct {
	system, fresh, task, turn, request, intro, noIntro, name, gloss, visited, rule, recent, move, moved, noPath, plan, state string
	glosses                                                                                                                  map[string]string // by label
}

func banParts() banTexts {
	p := strings.Split(strings.TrimSuffix(banTemplate, "\n"), "\n----\n")
	if len(p) != 18 {
		panic(fmt.Sprintf("render: %d parts in the template of games with a ban, want 18", len(p)))
	}
	b := banTexts{
		p[0], p[1], p[2], p[3], p[4], p[5] + "\n", p[6] + "\n", p[7] + "\n", p[8] + "\n", p[9] + "\n", p[10] + "\n", p[11] + "\n", p[12], p[13] + "\n", p[14], p[15],
		p[16],
		map[string]string{},
	}
	for line := range strings.SplitSeq(p[17], "\n") {
		label, gloss, _ := strings.Cut(line, ": ")
		b.glosses[label] = gloss
	}
	return b
}

func banWording() schemas.Versioned {
	return schemas.Versioned{Version: schemas.BanPrompt, SHA256: digest.SHA256([]byte(banTemplate))}
}

// Gloss says in a few words what a label means; "" for what is no label.
func Gloss(label string) string { return ban.glosses[label] }

// Schema returns the JSON Schema that replies to games under opts keep to, nil where a reply has no
// form. Every property is required, because strict endpoints demand it; whoever reads the reply is
// milder.
func Schema(opts schemas.GameOptions) json.RawMessage {
	if !game.HasBan(opts) {
		return nil
	}
	return json.RawMessage(`{"type":"object","properties":{"next_page":{"type":"string"},"reasoning":{"type":"string"},` +
		`"restriction_reasoning":{"type":"string"}},"required":["next_page","reasoning","restriction_reasoning"],"additionalProperties":false}`)
}

// askBanned returns the messages of a turn of a game with a ban.
func (d *Dialogue) askBanned(o game.Observation) []schemas.Message {
	system := schemas.Message{Role: schemas.RoleSystem, Content: ban.system}
	if d.opts.Renderer == game.RendererFresh {
		return []schemas.Message{system, {Role: schemas.RoleUser, Content: d.banFresh(o)}}
	}
	turn := d.banTurn(o)
	if d.turns == nil {
		d.turns = []schemas.Message{system}
		turn = d.banTask(o) + "\n\n" + turn
	}
	d.say(schemas.RoleUser, turn)
	return append([]schemas.Message(nil), d.turns...)
}

// banFresh is a prompt that says everything.
func (d *Dialogue) banFresh(o game.Observation) string {
	return fill(ban.fresh,
		"target", o.Target.Title, raw("intro"), intro(o), "current", o.Current.Title, "step", strconv.Itoa(d.step(o)), "limit", strconv.Itoa(d.limit(o)),
		raw("ban"), d.banned(o), raw("visited"), d.visited(o), raw("recent"), recent(o), raw("links"), titleLines(o), raw("request"), d.request(),
	) + below(o)
}

// banTask opens a dialogue.
func (d *Dialogue) banTask(o game.Observation) string {
	rule := ""
	if d.opts.Revisit == game.RevisitFail {
		rule = ban.rule
	}
	request := d.request()
	return fill(ban.task,
		"limit", strconv.Itoa(d.limit(o)), "target", o.Target.Title, raw("intro"), intro(o), raw("ban"), d.banned(o), raw("rule"), rule,
		raw("request"), strings.ToLower(request[:1])+request[1:])
}

// banTurn is what a dialogue says of one turn, with a line on the move before it.
func (d *Dialogue) banTurn(o game.Observation) string {
	feedback := ""
	if n := len(o.Recent); n > 0 && o.Notice == "" {
		feedback = fill(ban.moved, "from", o.Recent[n-1].From, "chosen", o.Recent[n-1].Chosen)
	}
	return fill(ban.turn,
		raw("feedback"), feedback, "current", o.Current.Title, "step", strconv.Itoa(d.step(o)), "limit", strconv.Itoa(d.limit(o)), raw("links"), titleLines(o),
	) + below(o)
}

// step and limit count those of the task; a rewritten one starts at this turn.
func (d *Dialogue) step(o game.Observation) int {
	if game.RewritesHistory(d.opts) {
		return 1
	}
	return o.Step
}

func (d *Dialogue) limit(o game.Observation) int { return d.step(o) + o.StepsLeft - 1 }

func (d *Dialogue) request() string {
	if d.opts.NoPath == game.NoPathOn {
		return ban.request + " " + ban.noPath
	}
	return ban.request
}

func (d *Dialogue) banned(o game.Observation) string {
	if d.opts.BanText == game.BanTextName {
		return fill(ban.name, "category", o.Banned)
	}
	return fill(ban.gloss, "category", o.Banned, "gloss", Gloss(o.Banned))
}

func (d *Dialogue) visited(o game.Observation) string {
	if d.opts.Revisit != game.RevisitFail {
		return ""
	}
	return fill(ban.visited, raw("pages"), quoted(o.Visited, " -> "))
}

func intro(o game.Observation) string {
	switch {
	case o.Intro == nil:
		return ""
	case *o.Intro == "":
		return ban.noIntro
	}
	return fill(ban.intro, "text", *o.Intro)
}

func recent(o game.Observation) string {
	if len(o.Recent) == 0 {
		return ""
	}
	moves := make([]string, len(o.Recent))
	for i, c := range o.Recent {
		moves[i] = fill(ban.move, "from", c.From, "chosen", c.Chosen, "why", c.Justification)
	}
	return fill(ban.recent, raw("moves"), strings.Join(moves, "\n"))
}

func titleLines(o game.Observation) string {
	lines := o.Titles()
	for i, title := range lines {
		lines[i] = prompt.Escape(title)
	}
	return strings.Join(lines, "\n")
}

// below returns what stands under the links: the notice, then the oracles' words.
func below(o game.Observation) string {
	text := ""
	if o.Notice != "" {
		text += "\n\n" + o.Notice
	}
	if o.Plan != nil {
		text += "\n\n" + planned(fill(ban.plan, "title", o.Plan.Title), o)
	}
	for _, b := range extras(o) {
		text += "\n\n" + b
	}
	if o.State != nil {
		text += "\n\n" + state(ban.state, o.State)
	}
	return text
}

// broken lists the banned pages that were entered.
func broken(s *game.State) string {
	if len(s.Violations) == 0 {
		return "none"
	}
	return quoted(s.Violations, ", ")
}
