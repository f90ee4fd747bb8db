package walk

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	words "github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

// Versions of the words and of the calls. 1: first wording, first grammar.
const (
	promptVersion = "mango.walk_prompt/1"
	parserVersion = "mango.calls/1"
)

//go:embed templates
var templates embed.FS

func read(name string) string { return words.Read(templates, name) }

// What a player is told of its turn.
const (
	said          = "You went %s."
	saidPlace     = " You are at %s."
	impossible    = "Error: no way from here is called %s. You have not moved."
	irrecoverable = "The task can no longer succeed. It has ended."
	success       = "Task ended: success."
	failure       = "Task ended: failure."
	plan          = "next: call %s"
)

// TemplateSHA256 pins the words of a task.
func TemplateSHA256(task string) string {
	text := promptVersion
	for _, part := range []string{".system", ".task", ".state"} {
		text += "\x00" + task + part + "\x00" + read(task+part)
	}
	for _, part := range []string{said, saidPlace, impossible, irrecoverable, success, failure, plan} {
		text += "\x00" + part
	}
	return digest.SHA256([]byte(text))
}

// Prompt and Parser name the words and the grammar of both tasks.
func Prompt() schemas.Versioned {
	texts := TemplateSHA256(schemas.MangoDF) + TemplateSHA256(schemas.MangoRF)
	return schemas.Versioned{Version: promptVersion, SHA256: digest.SHA256([]byte(texts))}
}

func Parser() schemas.Versioned {
	lines := []string{parserVersion}
	for _, task := range []string{schemas.MangoDF, schemas.MangoRF} {
		lines = append(lines, calls.Shown(forms[task])...)
	}
	return schemas.Versioned{Version: parserVersion, SHA256: digest.SHA256([]byte(strings.Join(lines, "\n")))}
}

// taskText states the question with s as its start: in DF with the moves that are left.
func (q *Question) taskText(s state) string {
	moves := ""
	if q.Task == schemas.MangoDF {
		moves = quoted(q.Moves[len(s.made):])
	}
	return words.Fill(read(q.Task+".task"), "walk", q.Shown, "src", quote(s.at), "dst", quote(q.Dst), "moves", moves)
}

// stateText says where the player is, and which ways from there the walkthrough shows.
func (q *Question) stateText(s state) string {
	var known []string
	for _, e := range q.Maze.Known(s.at, q.Prefix) {
		known = append(known, quote(e.Action)+" to "+quote(e.DstNode))
	}
	return words.Fill(read(q.Task+".state"), "place", quote(s.at), "made", quoted(s.made),
		"left", strconv.Itoa(len(q.Moves)-len(s.made)), "known", orNone(known))
}

func planText(best []calls.Call) string { return fmt.Sprintf(plan, words.Escape(textOf(best[0]))) }

// blocks returns what the oracles of a configuration say: plan, then state.
func (q *Question) blocks(cfg family.Config, s state) string {
	var p, st string
	if cfg.Plan {
		p = calls.Block(calls.PlanHeader, planText(q.optimal(s)))
	}
	if cfg.State {
		st = calls.Block(calls.StateHeader, q.stateText(s))
	}
	return calls.Join(p, st)
}

// observe says what a call did; places says whether it tells the place, too.
func observe(c calls.Call, after state, legal bool, outcome string, places bool) string {
	switch {
	case !legal:
		return fmt.Sprintf(impossible, echo(c.Text))
	case outcome == schemas.OutcomeIrrecoverable:
		return irrecoverable
	case outcome == schemas.OutcomeSuccess:
		return success
	case outcome != "":
		return failure
	}
	text := fmt.Sprintf(said, quote(after.made[len(after.made)-1]))
	if places {
		text += fmt.Sprintf(saidPlace, quote(after.at))
	}
	return text
}

// maxEcho is how many characters of a label from a reply come back.
const maxEcho = 64

func echo(label string) string { return quote(words.Beginning(label, maxEcho)) }

func quote(name string) string { return words.Escape(calls.Quote(name)) }

func quoted(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quote(name)
	}
	return orNone(out)
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
