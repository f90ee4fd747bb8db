package replay_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

const seed = 11

// behaviour chooses from a running game; the stream is the game's own.
type behaviour func(*game.Game, *rng.Stream) game.Move

func atRandom(g *game.Game, s *rng.Stream) game.Move { return game.Pick(s.Below(len(g.Menu()))) }

func atBest(g *game.Game, _ *rng.Stream) game.Move { return game.Pick(g.Best()) }

// inLoops goes back where it came from whenever it can.
func inLoops(g *game.Game, s *rng.Stream) game.Move {
	path := g.Path()
	if len(path) > 1 && s.Below(4) > 0 {
		if i, ok := g.Offers(path[len(path)-2]); ok {
			return game.Pick(i)
		}
	}
	return atRandom(g, s)
}

// withErrors mixes the best link with replies that are none and with numbers outside the menu.
func withErrors(g *game.Game, s *rng.Stream) game.Move {
	switch s.Below(5) {
	case 0:
		return game.NoMove(game.ReasonUnparsed)
	case 1:
		return game.Pick(len(g.Menu()) + s.Below(3))
	case 2:
		return atRandom(g, s)
	}
	return atBest(g, s)
}

// simulate plays each instance once and logs what a careful player would log, token counts included.
func simulate(t testing.TB, w *gametest.World, instances []schemas.WikiraceInstance, who ...behaviour) *replay.Log {
	t.Helper()
	return simulateUnder(t, game.Defaults(), w, instances, who...)
}

func simulateUnder(t testing.TB, opts schemas.GameOptions, w *gametest.World, instances []schemas.WikiraceInstance, who ...behaviour) *replay.Log {
	t.Helper()
	log := newLog("sim", newRun(opts, "race", "easy"))
	for i, inst := range instances {
		log.Games = append(log.Games, simulateGame(t, opts, w, inst, who[i%len(who)]))
	}
	return log
}

func simulateGame(t testing.TB, opts schemas.GameOptions, w *gametest.World, inst schemas.WikiraceInstance, act behaviour) replay.Game {
	t.Helper()
	return simulateTask(t, opts, w, racetest.TaskOf(inst), act)
}

func simulateTask(t testing.TB, opts schemas.GameOptions, w *gametest.World, inst game.Task, act behaviour) replay.Game {
	t.Helper()
	g, err := game.Start(w, inst, opts)
	if err != nil {
		t.Fatal(err)
	}
	stream := rng.New(seed, "simulate", inst.ID)
	rec := schemas.Game{Schema: schemas.GameSchema, Run: "sim", Game: inst.ID + "-a1", Instance: inst.ID, Attempt: 1, Usage: &schemas.Usage{}}
	var steps []schemas.Step
	for !g.Done() {
		usage := schemas.Usage{Prompt: int64(100 + stream.Below(50)), Output: int64(1 + stream.Below(9)), Reasoning: 1}
		turn := g.Play(act(g, stream))
		steps = append(steps, schemas.Step{
			Schema: schemas.StepSchema, Run: "sim", Game: rec.Game, Instance: inst.ID, Oracle: "none", Usage: &usage,
			Step: turn.Step, Page: turn.Page, Menu: turn.Menu, Choice: turn.Choice, To: turn.To, Valid: turn.Valid(),
			InvalidReason: turn.Reason, Optimal: turn.Optimal, DBefore: turn.Before, DAfter: turn.After,
		})
		if turn.Ban != nil {
			steps[len(steps)-1].BanStep = &schemas.BanStep{Violates: turn.Ban.Violates, Labels: turn.Ban.Labels}
		}
		rec.Usage.Prompt, rec.Usage.Output, rec.Usage.Reasoning =
			rec.Usage.Prompt+usage.Prompt, rec.Usage.Output+usage.Output, rec.Usage.Reasoning+1
	}
	rec.Outcome, rec.Turns, rec.Moves, rec.Invalid, rec.Path = g.Outcome(), g.Turns(), g.Moves(), g.Invalid(), slices.Clone(g.Path())
	cost := fmt.Sprintf("%.5e", float64(rec.Usage.Prompt*5+rec.Usage.Output*20)/2e6) // prices are 2.5 and 10 for a million
	rec.Cost = &cost
	told := replay.Game{
		Instance: inst.ID, Attempt: 1, Outcome: &rec.Outcome, Usage: rec.Usage, Record: &rec, Steps: steps, HasSteps: true,
	}
	for _, u := range rec.Path {
		told.Path = append(told.Path, replay.Page{Node: u})
	}
	return told
}

// newRun describes a run of a player that costs money.
func newRun(opts schemas.GameOptions, family string, splits ...string) *schemas.Run {
	run := &schemas.Run{
		Schema: schemas.RunSchema, Run: "sim", ReleaseID: "id", ManifestSHA256: "sum", Family: family, Splits: splits, Attempts: 1,
		Model: schemas.Player{Name: "sim", Kind: schemas.KindLocal}, Price: &schemas.Price{PromptPerMTok: "2.5", OutputPerMTok: "10", Currency: "EUR"},
	}
	setRules(run, opts)
	return run
}

func setRules(run *schemas.Run, opts schemas.GameOptions) {
	run.Rules = schemas.Rules{Options: game.OptionsJSON(opts), Interface: schemas.InterfaceBuiltin}
	run.RulesSHA256 = family.RulesSHA256(run.Rules)
}

func newLog(path string, run *schemas.Run) *replay.Log {
	return &replay.Log{Log: &trace.Log{Path: path, Dir: path, Run: run}}
}

// release is a release with a world and the splits of a family.
func release(w *gametest.World, instances []schemas.WikiraceInstance) replay.Release {
	return releaseOf(w, "race", game.Defaults(), easy(instances))
}

func releaseOf(w game.World, name string, defaults schemas.GameOptions, splits ...replay.Split) replay.Release {
	return replay.Release{
		Family: name, Name: "test", ID: "id", ManifestSHA256: "sum", Defaults: defaults, Splits: splits,
		World:   func(schemas.GameOptions) (game.World, error) { return w, nil },
		Resolve: func(bool) (func(string) (uint32, bool), error) { return w.(*gametest.World).Node, nil },
	}
}

func easy(instances []schemas.WikiraceInstance) replay.Split {
	return split("easy", len(instances), instances)
}

func split(name string, requested int, instances []schemas.WikiraceInstance) replay.Split {
	s := replay.Split{Split: family.Split{Name: name, SHA256: "s", Requested: requested, Got: len(instances)}}
	for _, inst := range instances {
		s.Tasks = append(s.Tasks, racetest.TaskOf(inst))
	}
	return s
}
