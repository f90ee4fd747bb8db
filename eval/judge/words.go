package judge

import (
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
)

// words renders prompts and reads replies again, where the run used a wording and a parser that this program has.
type words struct {
	dialogue *render.Dialogue // nil for another wording, or none
	parser   reply.Reader     // nil for another parser, or none
	prompt   string           // digest of the turn at hand
	shown    game.Observation // what it showed
}

func newWords(run *schemas.GameRun) words {
	var w words
	if run == nil {
		return w
	}
	if run.Prompt != nil && *run.Prompt == render.Version(run.Options) {
		w.dialogue = render.New(run.Options)
	}
	if p, ok := reply.ReaderOf(run.Parser, run.Options); ok {
		w.parser = p
	}
	return w
}

// ask renders the turn to come.
func (w *words) ask(g *game.Game, answer string) {
	if w.dialogue == nil && w.parser == nil {
		return
	}
	o := g.Observe("")
	w.shown = o
	if w.dialogue != nil {
		w.prompt = prompt.Hash(w.dialogue.Ask(o))
		w.dialogue.Reply(answer)
	}
}

// choice gives the move of a step: what the reply says, if it can be read, else what the log says.
func (w *words) choice(s schemas.Step) game.Move {
	switch {
	case w.parser != nil:
		return w.parser.Read(s.Reply, w.shown)
	case s.Choice != nil:
		m := game.Pick(*s.Choice)
		m.Stated = stated(s)
		return m
	case s.InvalidReason != nil && *s.InvalidReason == game.ReasonNoPath:
		return game.Move{NoPath: true}
	case s.InvalidReason != nil:
		return game.NoMove(*s.InvalidReason)
	case s.To != nil:
		return game.Back()
	}
	return game.NoMove(game.ReasonUnparsed)
}

// stated gives what the log says that a reply stated, where the reply itself cannot be read. No score of a game rests on it.
func stated(s schemas.Step) *game.Stated {
	if s.BanStep == nil || s.NextPageRaw == nil || s.RestrictionReasoning == nil {
		return nil
	}
	said := &game.Stated{NextPage: *s.NextPageRaw, Restriction: *s.RestrictionReasoning, Missing: s.MissingField}
	if s.Reasoning != nil {
		said.Reasoning = *s.Reasoning
	}
	return said
}

// compareWords checks the prompt's digest and what was read in the reply.
func (r *replay) compareWords(s schemas.Step, t game.Turn) {
	if r.words.dialogue != nil {
		r.compare(t.Step, []field{{"prompt_sha256", s.PromptSHA256, r.words.prompt}})
	}
	if r.words.parser != nil {
		r.compare(t.Step, []field{{"choice", s.Choice, t.Choice}})
	}
	r.compareBan(s, t)
}

// compareBan checks what a step of a game with a ban adds; what a reply states can be checked where the reply can be read.
func (r *replay) compareBan(s schemas.Step, t game.Turn) {
	told := s.BanStep
	switch {
	case (told == nil) != (t.Ban == nil):
		r.note(t.Step, "violates", text(told), text(t.Ban))
		return
	case told == nil:
		return
	}
	r.compare(t.Step, []field{{"violates", told.Violates, t.Ban.Violates}, {"labels", told.Labels, t.Ban.Labels}})
	if r.words.parser == nil {
		return
	}
	var want schemas.Step
	want.BanStep = &schemas.BanStep{}
	if said := t.Ban.Stated; said != nil {
		want.NextPageRaw, want.Reasoning, want.RestrictionReasoning, want.MissingField = &said.NextPage, &said.Reasoning, &said.Restriction, said.Missing
	}
	r.compare(t.Step, []field{
		{"next_page_raw", told.NextPageRaw, want.NextPageRaw},
		{"reasoning", s.Reasoning, want.Reasoning},
		{"restriction_reasoning", told.RestrictionReasoning, want.RestrictionReasoning},
		{"missing_field", told.MissingField, want.MissingField},
	})
}
