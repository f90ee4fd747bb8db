package replay

import (
	"reflect"
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// words renders prompts and reads replies again, with a wording and a parser that we have.
type words struct {
	dialogue *render.Dialogue // nil for another wording, or none
	parser   reply.Reader     // nil for another parser, or none
	mixed    bool             // not every turn was a reply in words
	prompt   string           // digest of the turn at hand
	shown    game.Observation // what it showed
	used     map[string]int   // replies by the rule that read them
}

// Interfaces: at those of mixing not every turn need be a reply in words; at those of asking a step
// says which prompt was read.
var (
	mixing = []string{schemas.InterfaceHTTP, schemas.InterfaceEnv}
	asking = []string{schemas.InterfaceChat, schemas.InterfaceHuman, schemas.InterfaceBuiltin}
)

func newWords(log *trace.Log, opts schemas.GameOptions, reparse reply.Reader) words {
	w, run := words{used: map[string]int{}}, log.Run
	if run == nil {
		return w
	}
	read := slices.Contains(asking, run.Rules.Interface)
	if p := run.Rules.Prompt; p != nil && (*p == render.Version(opts) || log.Prompt != nil && read) {
		w.dialogue = render.New(opts, log.Prompt)
	}
	if p, ok := reply.ReaderOf(run.Rules.Parser, opts); ok || reparse != nil {
		w.parser, w.mixed = p, slices.Contains(mixing, run.Rules.Interface)
	}
	if reparse != nil {
		w.parser = reparse
	}
	return w
}

// reads reports whether a step was read in the words of a reply.
func (w *words) reads(s schemas.Step) bool { return w.parser != nil && (s.Reply != "" || !w.mixed) }

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

// choice returns a step's move: what its reply says, if it can be read, else what the log says.
func (w *words) choice(s schemas.Step) game.Move {
	switch {
	case w.reads(s):
		m, rule := w.parser.Read(s.Reply, w.shown)
		if rule != "" {
			w.used[rule]++
		}
		return m
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

// stated returns what a log says that an unreadable reply stated. No score of a game rests on it.
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
	if r.words.reads(s) {
		r.compare(t.Step, []field{{"choice", s.Choice, t.Choice}})
	}
	r.compareBan(s, t)
}

// compareBan checks what a ban adds to a step; statements only where the reply can be read.
func (r *replay) compareBan(s schemas.Step, t game.Turn) {
	told := s.BanStep
	switch {
	case (told == nil) != (t.Ban == nil):
		r.note(t.Step, "violates", judge.Text(told), judge.Text(t.Ban))
		return
	case told == nil:
		return
	}
	r.compare(t.Step, []field{{"violates", told.Violates, t.Ban.Violates}, {"labels", told.Labels, t.Ban.Labels}})
	if !r.words.reads(s) {
		return
	}
	want := t.Record()
	r.compare(t.Step, []field{
		{"next_page_raw", told.NextPageRaw, want.NextPageRaw},
		{"reasoning", s.Reasoning, want.Reasoning},
		{"restriction_reasoning", told.RestrictionReasoning, want.RestrictionReasoning},
		{"missing_field", told.MissingField, want.MissingField},
	})
}

// field is a derived value twice: as the log tells it and as the replay has it.
type field struct {
	name         string
	told, replay any
}

// compareStep checks every field of a step that release and choices determine.
func (r *replay) compareStep(s schemas.Step, t game.Turn) {
	r.compareWords(s, t)
	r.compare(t.Step, []field{
		{"instance", s.Instance, r.told.Instance},
		{"run", s.Run, r.run.Run},
		{"oracle", s.Oracle, r.opts.Oracle},
		{"step", s.Step, t.Step},
		{"page", s.Page, t.Page},
		{"menu", s.Menu, t.Menu},
		{"to", s.To, t.To},
		{"valid", s.Valid, t.Valid()},
		{"invalid_reason", s.InvalidReason, t.Reason},
		{"optimal", s.Optimal, t.Optimal},
		{"d_before", s.DBefore, t.Before},
		{"d_after", s.DAfter, t.After},
		{"reply_sha256", s.ReplySHA256, replyDigest(s)},
	})
	if s.Cost != nil {
		r.compare(t.Step, []field{{"cost", s.Cost, judge.TurnCost(r.run, s.Usage, s.Cost)}})
	}
}

// replyDigest returns the digest that a step must carry; a player that writes no reply has none.
func replyDigest(s schemas.Step) string {
	if s.Reply == "" && s.ReplySHA256 == "" {
		return ""
	}
	return digest.SHA256([]byte(s.Reply))
}

// compareGame checks the game's own record. A path without steps was checked move by move.
func (r *replay) compareGame() {
	if r.told.Outcome != nil {
		r.compare(0, []field{{"outcome", *r.told.Outcome, r.v.outcome}})
	}
	told := r.told.Record
	if told == nil {
		return
	}
	r.compare(0, []field{
		{"turns", told.Turns, r.v.turns},
		{"moves", told.Moves, r.v.moves},
		{"invalid", told.Invalid, r.v.invalid},
	})
	if !r.told.HasSteps {
		return
	}
	r.compare(0, []field{
		{"run", told.Run, r.run.Run},
		{"path", told.Path, r.game.Path()},
		{"usage", told.Usage, r.v.usage},
		{"cost", told.Cost, judge.DecimalOf(r.v.cost)},
	})
}

// findings are the places where a game as it is told differs from its replay.
type findings struct {
	told      Game
	disagreed []family.Disagreement
}

// compare lists the fields whose two values differ, behind pointers too.
func (f *findings) compare(step int, fields []field) {
	for _, one := range fields {
		if !reflect.DeepEqual(one.told, one.replay) {
			f.note(step, one.name, judge.Text(one.told), judge.Text(one.replay))
		}
	}
}

func (f *findings) note(step int, field, log, replay string) {
	f.disagreed = append(f.disagreed, at(f.told, step, field, log, replay))
}
