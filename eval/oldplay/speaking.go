package play

import (
	"context"

	"github.com/wikinav/wikinav/eval/links/render"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

const playerOpenAI = "openai"

// Model is a model behind an endpoint. Package endpoint has such, tests have others.
type Model struct {
	Name     string // as the endpoint knows it
	Sampling *schemas.Sampling
	Speak    func(attempt int) Speaker // the voice for an attempt, from 1; attempts may be sampled by different seeds
}

var errNoModel = fault.New(fault.Usage, "player %s has no model to ask", playerOpenAI).Hint("give --base-url and --model")

// speaking is a model as a player: it reads the prompts that package render and its like write, and what it says is parsed.
type speaking struct {
	model   Model
	lenient bool
}

func (p speaking) Name() string               { return p.model.Name }
func (speaking) Kind() string                 { return schemas.KindOpenAI }
func (p speaking) sampled() *schemas.Sampling { return p.model.Sampling }

func (p speaking) Reads(opts schemas.GameOptions) (wording, parsing schemas.Versioned) {
	return render.Version(opts), parser(opts, p.lenient).Version()
}

func (p speaking) Start(seat Seat) Agent {
	return Talk(seat.Options, p.lenient, p.model.Speak(seat.Attempt))
}

// answer makes it a player of the companion sets, whose questions are asked once.
func (p speaking) answer(ctx context.Context, q Question) (Said, error) {
	return p.model.Speak(1).Say(ctx, q.Messages)
}

// ModelOf describes a player for the record of a run.
func ModelOf(p interface {
	Name() string
	Kind() string
},
) schemas.Model {
	m := schemas.Model{Name: p.Name(), Kind: p.Kind()}
	if s, ok := p.(interface{ sampled() *schemas.Sampling }); ok {
		m.Sampling = s.sampled()
	}
	return m
}

// worldsSpeaking is a model as a player of the three worlds.
type worldsSpeaking struct{ speaking }

func (worldsSpeaking) Envs() []string { return schemas.LuminaEnvs }

func (p worldsSpeaking) Start(LuminaSeat) LuminaAgent { return voice{p.model.Speak(1)} }

type voice struct{ speaker Speaker }

func (v voice) Reply(ctx context.Context, ask func() []schemas.Message) (Said, error) {
	return v.speaker.Say(ctx, ask())
}
