package play

import (
	"context"

	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/game"
	"github.com/wikinav/wikinav/eval/render"
	"github.com/wikinav/wikinav/eval/reply"
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

// Talk gives the agent that puts a game to s in words and reads what s replies.
func Talk(opts schemas.GameOptions, lenient bool, s Speaker) Agent {
	return &talk{render.New(opts), parser(opts, lenient), s}
}

func parser(opts schemas.GameOptions, lenient bool) reply.Parser {
	return reply.Parser{Lenient: lenient, Back: opts.Back == game.BackOn}
}

type talk struct {
	dialogue *render.Dialogue
	parser   reply.Parser
	speaker  Speaker
}

func (t *talk) Act(ctx context.Context, o game.Observation) (Answer, error) {
	messages := t.dialogue.Ask(o)
	said, err := t.speaker.Say(ctx, messages)
	if err != nil {
		return Answer{}, err
	}
	t.dialogue.Reply(said.Text)
	return Answer{
		Move: t.parser.Parse(said.Text, o.Titles()), Prompt: prompt.Hash(messages),
		Reply: said.Text, Reasoning: said.Reasoning, Usage: said.Usage, Retries: said.Retries, Flag: said.Flag,
	}, nil
}
