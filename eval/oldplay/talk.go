package play

import (
	"context"
	"encoding/json"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
)

// Speaker answers prompts: a person, or a model behind an endpoint.
type Speaker interface {
	Say(context.Context, []schemas.Message) (Said, error)
}

// Said is a reply as it came.
type Said struct {
	Text      string
	Reasoning *string
	Usage     *schemas.Usage
	Retries   int
	Flag      string // one of the schemas.Flag words, or ""
}

// Former is a Speaker that can be held to a JSON schema, which games with a ban ask for.
type Former interface {
	SayAs(ctx context.Context, messages []schemas.Message, schema json.RawMessage) (Said, error)
}

// Talk gives the agent that puts a game to s in words and reads what s replies.
func Talk(opts schemas.GameOptions, lenient bool, s Speaker) Agent {
	return &talk{render.New(opts), parser(opts, lenient), s, render.Schema(opts)}
}

func parser(opts schemas.GameOptions, lenient bool) reply.Reader { return reply.For(opts, lenient) }

type talk struct {
	dialogue *render.Dialogue
	parser   reply.Reader
	speaker  Speaker
	schema   json.RawMessage // nil where a reply has no form
}

func (t *talk) Act(ctx context.Context, o game.Observation) (Answer, error) {
	messages := t.dialogue.Ask(o)
	said, err := t.say(ctx, messages)
	if err != nil {
		return Answer{}, err
	}
	t.dialogue.Reply(said.Text)
	return Answer{
		Move: t.parser.Read(said.Text, o), Prompt: prompt.Hash(messages),
		Reply: said.Text, Reasoning: said.Reasoning, Usage: said.Usage, Retries: said.Retries, Flag: said.Flag,
	}, nil
}

func (t *talk) say(ctx context.Context, messages []schemas.Message) (Said, error) {
	if f, ok := t.speaker.(Former); ok && t.schema != nil {
		return f.SayAs(ctx, messages, t.schema)
	}
	return t.speaker.Say(ctx, messages)
}
