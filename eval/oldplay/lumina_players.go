package play

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// LuminaPlayer takes part in many episodes, several at a time.
type LuminaPlayer interface {
	Name() string
	Kind() string   // one of the schemas.Kind words
	Envs() []string // worlds that it plays
	Start(LuminaSeat) LuminaAgent
}

// LuminaAgent plays one episode. Ask gives the prompt of the turn. ErrInfra ends the episode, any other error the run.
type LuminaAgent interface {
	Reply(ctx context.Context, ask func() []schemas.Message) (Said, error)
}

// LuminaSeat is where a player of the three worlds sits.
type LuminaSeat struct {
	Episode *lumina.Episode
	Task    family.Task
}

// luminaPlayer is a built-in player.
type luminaPlayer struct {
	family.Baseline
	envs []string
	seed int64
}

var luminaEnvs = map[string][]string{"greedy-manhattan": {schemas.LuminaGrid}, "depth-first": {schemas.LuminaTree}}

func luminaPlayers() map[string]luminaPlayer {
	list := map[string]luminaPlayer{}
	for _, b := range new(lumina.Set).Baselines() {
		envs := schemas.LuminaEnvs
		if some, ok := luminaEnvs[b.Name]; ok {
			envs = some
		}
		list[b.Name] = luminaPlayer{b, envs, 0}
	}
	return list
}

// LuminaNames lists the built-in players of the three worlds that need nobody to ask.
func LuminaNames() []string { return slices.Sorted(maps.Keys(luminaPlayers())) }

// NewLumina gives the built-in player called name, or a usage fault that lists them.
func NewLumina(name string, seed int64) (LuminaPlayer, error) {
	return Setup{Seed: seed}.LuminaPlayer(name)
}

// LuminaPlayer gives the player of the three worlds called name, or a usage fault that lists them.
func (s Setup) LuminaPlayer(name string) (LuminaPlayer, error) {
	if name == playerOpenAI {
		if s.Model.Speak == nil {
			return nil, errNoModel
		}
		return worldsSpeaking{speaking{model: s.Model}}, nil
	}
	p, ok := luminaPlayers()[name]
	if !ok {
		return nil, fault.New(fault.Usage, "no player of the family lumina is called %s", fault.Quote(name)).
			Hint("choose from %s", strings.Join(append(LuminaNames(), playerOpenAI), ", "))
	}
	p.seed = s.Seed
	return p, nil
}

func (p luminaPlayer) Name() string   { return p.Baseline.Name }
func (p luminaPlayer) Kind() string   { return p.Baseline.Kind }
func (p luminaPlayer) Envs() []string { return p.envs }

// Start gives the episode a stream of its own, so that its choices depend on no other episode.
func (p luminaPlayer) Start(seat LuminaSeat) LuminaAgent {
	return caller(p.Baseline.Start(seat.Episode, family.Seat{Task: seat.Task, Attempt: 1, Seed: p.seed, Player: p.Name()}))
}

// caller replies with nothing but its call.
type caller func() (family.Reply, error)

func (c caller) Reply(context.Context, func() []schemas.Message) (Said, error) {
	r, err := c()
	if err != nil {
		return Said{}, err
	}
	return Said{Text: *r.Text}, nil
}
