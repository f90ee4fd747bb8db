package judge

import (
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/game"
	"github.com/wikinav/wikinav/eval/render"
	"github.com/wikinav/wikinav/eval/reply"
	"github.com/wikinav/wikinav/schemas"
)

// words renders prompts and reads replies again, where the run used a wording and a parser that this program has.
type words struct {
	dialogue *render.Dialogue // nil for another wording, or none
	parser   *reply.Parser    // nil for another parser, or none
	prompt   string           // digest of the turn at hand
	titles   []string         // of its menu
}

func newWords(run *schemas.Run) words {
	var w words
	if run == nil {
		return w
	}
	if run.Prompt != nil && *run.Prompt == render.Version(run.Options) {
		w.dialogue = render.New(run.Options)
	}
	if p, ok := reply.ParserOf(run.Parser, run.Options); ok {
		w.parser = &p
	}
	return w
}

// ask renders the turn to come.
func (w *words) ask(g *game.Game, answer string) {
	if w.dialogue == nil && w.parser == nil {
		return
	}
	o := g.Observe("")
	w.titles = o.Titles()
	if w.dialogue != nil {
		w.prompt = prompt.Hash(w.dialogue.Ask(o))
		w.dialogue.Reply(answer)
	}
}

// choice gives the move of a step: what the reply says, if it can be read, else what the log says.
func (w *words) choice(s schemas.Step) game.Move {
	switch {
	case w.parser != nil:
		return w.parser.Parse(s.Reply, w.titles)
	case s.Choice != nil:
		return game.Pick(*s.Choice)
	case s.InvalidReason != nil:
		return game.NoMove(*s.InvalidReason)
	case s.To != nil:
		return game.Back()
	}
	return game.NoMove(game.ReasonUnparsed)
}

// compareWords checks the prompt's digest and what was read in the reply.
func (r *replay) compareWords(s schemas.Step, t game.Turn) {
	if r.words.dialogue != nil {
		r.compare(t.Step, []field{{"prompt_sha256", s.PromptSHA256, r.words.prompt}})
	}
	if r.words.parser != nil {
		r.compare(t.Step, []field{{"choice", s.Choice, t.Choice}})
	}
}
