package play

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/worlds"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
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
	Reply(ctx context.Context, ask func() []prompt.Message) (Said, error)
}

// LuminaSeat is what a built-in player learns beside the prompt, which says the same in words.
type LuminaSeat struct {
	Instance string
	Config   string
	Legal    func() []worlds.Call
	View     func() prompt.View
	// Best lists the optimal calls. Only players of kind oracle get it.
	Best func() []worlds.Call
}

// luminaSeat gives the oracle to those alone who declare that they ask it.
func luminaSeat(p LuminaPlayer, e *lumina.Episode, cfg lumina.Config) LuminaSeat {
	seat := LuminaSeat{
		Instance: e.Instance().ID, Config: cfg.String(),
		Legal: func() []worlds.Call { return e.State().Legal() },
		View:  e.View,
	}
	if p.Kind() == schemas.KindOracle {
		seat.Best = e.Best
	}
	return seat
}

// luminaPlayer is a built-in player: choose makes the choices of one episode, from a stream of its own.
type luminaPlayer struct {
	name, kind string
	envs       []string
	seed       int64
	choose     func(LuminaSeat, *rng.Stream) func() worlds.Call
}

var luminaPlayers = map[string]luminaPlayer{
	"optimal":          {kind: schemas.KindOracle, envs: schemas.LuminaEnvs, choose: optimalCall},
	"random":           {kind: schemas.KindLocal, envs: schemas.LuminaEnvs, choose: randomCall},
	"greedy-manhattan": {kind: schemas.KindLocal, envs: []string{schemas.LuminaGrid}, choose: manhattanCall},
	"depth-first":      {kind: schemas.KindLocal, envs: []string{schemas.LuminaTree}, choose: depthFirstCall},
}

// LuminaNames lists the built-in players of the three worlds that need nobody to ask.
func LuminaNames() []string { return slices.Sorted(maps.Keys(luminaPlayers)) }

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
	p, ok := luminaPlayers[name]
	if !ok {
		return nil, fault.New(fault.Usage, "no player of the family lumina is called %s", fault.Quote(name)).
			Hint("choose from %s", strings.Join(append(LuminaNames(), playerOpenAI), ", "))
	}
	p.name, p.seed = name, s.Seed
	return p, nil
}

func (p luminaPlayer) Name() string   { return p.name }
func (p luminaPlayer) Kind() string   { return p.kind }
func (p luminaPlayer) Envs() []string { return p.envs }

// Start gives the episode a stream of its own, so that its choices depend on no other episode.
func (p luminaPlayer) Start(seat LuminaSeat) LuminaAgent {
	return caller(p.choose(seat, rng.New(uint64(p.seed), "player", p.name, seat.Instance, seat.Config)))
}

// caller replies with nothing but its call.
type caller func() worlds.Call

func (c caller) Reply(context.Context, func() []prompt.Message) (Said, error) {
	return Said{Text: prompt.Fence(c().String())}, nil
}

// optimalCall does what the plan oracle says.
func optimalCall(seat LuminaSeat, _ *rng.Stream) func() worlds.Call {
	return func() worlds.Call { return seat.Best()[0] }
}

// randomCall draws a legal call, terminating ones included: what a player without any insight achieves.
func randomCall(seat LuminaSeat, s *rng.Stream) func() worlds.Call {
	return func() worlds.Call {
		legal := seat.Legal()
		return legal[s.Below(len(legal))]
	}
}

// manhattanCall walks straight to the goal, through holes: rows first.
func manhattanCall(seat LuminaSeat, _ *rng.Stream) func() worlds.Call {
	return func() worlds.Call {
		v := seat.View().(prompt.GridView)
		switch {
		case v.Pos[0] > v.Goal[0]:
			return worlds.Call{Name: worlds.Up}
		case v.Pos[0] < v.Goal[0]:
			return worlds.Call{Name: worlds.Down}
		case v.Pos[1] > v.Goal[1]:
			return worlds.Call{Name: worlds.Left}
		case v.Pos[1] < v.Goal[1]:
			return worlds.Call{Name: worlds.Right}
		}
		return worlds.Call{Name: worlds.Done}
	}
}

// depthFirstCall descends from the first fact to children drawn at random, and starts over at a leaf: it remembers nothing but where
// it is, and never concludes that the target is out of reach.
func depthFirstCall(seat LuminaSeat, s *rng.Stream) func() worlds.Call {
	at := ""
	return func() worlds.Call {
		v := seat.View().(prompt.TreeView)
		at = descend(v, at, s)
		for _, f := range v.Facts {
			if f.Value != nil && *f.Value == v.Target {
				return worlds.Call{Name: worlds.Found, ID: f.ID}
			}
		}
		return worlds.Call{Name: worlds.GetChildren, ID: at}
	}
}

// descend gives a child of the node at, or the first node where it has none.
func descend(v prompt.TreeView, at string, s *rng.Stream) string {
	for _, f := range v.Facts {
		if f.ID == at && len(f.Children) > 0 {
			return f.Children[s.Below(len(f.Children))]
		}
	}
	return v.Facts[0].ID
}
