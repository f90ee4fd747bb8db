package replay_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// mutations change one thing of a game, always for another value; s draws what and where.
var mutations = map[string]func(g *replay.Game, s *rng.Stream){
	"choice": func(g *replay.Game, s *rng.Stream) {
		step := validStep(g, s)
		other := (*step.Choice + 1 + s.Below(len(step.Menu))) % (len(step.Menu) + 1)
		step.Choice = &other
	},
	"no choice":      func(g *replay.Game, s *rng.Stream) { validStep(g, s).Choice = nil },
	"page":           func(g *replay.Game, s *rng.Stream) { anyStep(g, s).Page++ },
	"number":         func(g *replay.Game, s *rng.Stream) { anyStep(g, s).Step++ },
	"instance":       func(g *replay.Game, s *rng.Stream) { anyStep(g, s).Instance += "x" },
	"run":            func(g *replay.Game, s *rng.Stream) { anyStep(g, s).Run += "x" },
	"to":             func(g *replay.Game, s *rng.Stream) { *validStep(g, s).To++ },
	"valid":          func(g *replay.Game, s *rng.Stream) { flip(&anyStep(g, s).Valid) },
	"optimal":        func(g *replay.Game, s *rng.Stream) { flip(&anyStep(g, s).Optimal) },
	"d_before":       func(g *replay.Game, s *rng.Stream) { anyStep(g, s).DBefore-- },
	"d_after":        func(g *replay.Game, s *rng.Stream) { anyStep(g, s).DAfter++ },
	"reply":          func(g *replay.Game, s *rng.Stream) { anyStep(g, s).Reply = "7" },
	"usage of step":  func(g *replay.Game, s *rng.Stream) { anyStep(g, s).Usage.Output++ },
	"usage missing":  func(g *replay.Game, s *rng.Stream) { anyStep(g, s).Usage = nil },
	"usage of game":  func(g *replay.Game, s *rng.Stream) { g.Record.Usage.Prompt-- },
	"cost":           func(g *replay.Game, s *rng.Stream) { g.Record.Cost = nil },
	"menu cut":       func(g *replay.Game, s *rng.Stream) { step := anyStep(g, s); step.Menu = step.Menu[1:] },
	"menu reordered": func(g *replay.Game, s *rng.Stream) { slices.Reverse(anyStep(g, s).Menu) },
	"menu replaced":  func(g *replay.Game, s *rng.Stream) { anyStep(g, s).Menu[0] += 1000 },
	"steps swapped": func(g *replay.Game, s *rng.Stream) {
		i := s.Below(len(g.Steps) - 1)
		g.Steps[i], g.Steps[i+1] = g.Steps[i+1], g.Steps[i]
	},
	"step removed": func(g *replay.Game, s *rng.Stream) {
		i := s.Below(len(g.Steps))
		g.Steps = slices.Delete(g.Steps, i, i+1)
	},
	"step repeated": func(g *replay.Game, s *rng.Stream) {
		i := s.Below(len(g.Steps))
		g.Steps = slices.Insert(g.Steps, i, g.Steps[i])
	},
	"steps removed": func(g *replay.Game, s *rng.Stream) { g.Steps = nil },
	"outcome": func(g *replay.Game, s *rng.Stream) {
		all := []string{"success", "step_limit", "format", "invalid_action", "revisit", "stuck", "gave_up", "infra", "won"}
		all = slices.DeleteFunc(all, func(o string) bool { return o == *g.Outcome })
		g.Outcome = &all[s.Below(len(all))]
	},
	"path page":     func(g *replay.Game, s *rng.Stream) { g.Record.Path[s.Below(len(g.Record.Path))] += 1000 },
	"path cut":      func(g *replay.Game, s *rng.Stream) { g.Record.Path = g.Record.Path[:len(g.Record.Path)-1] },
	"path extended": func(g *replay.Game, s *rng.Stream) { g.Record.Path = append(g.Record.Path, 3) },
	"turns":         func(g *replay.Game, s *rng.Stream) { g.Record.Turns-- },
	"moves":         func(g *replay.Game, s *rng.Stream) { g.Record.Moves++ },
	"invalid":       func(g *replay.Game, s *rng.Stream) { g.Record.Invalid++ },
	"attempt":       func(g *replay.Game, s *rng.Stream) { g.Attempt++ },
	"game of":       func(g *replay.Game, s *rng.Stream) { g.Instance += "x" },
}

func flip(b *bool) { *b = !*b }

func anyStep(g *replay.Game, s *rng.Stream) *schemas.Step { return &g.Steps[s.Below(len(g.Steps))] }

func validStep(g *replay.Game, s *rng.Stream) *schemas.Step {
	for {
		if step := anyStep(g, s); step.Valid {
			return step
		}
	}
}

// otherChoices are the mutations that leave another sequence of choices: its replay is another game, which may be luckier.
var otherChoices = []string{"choice", "no choice", "steps swapped", "step removed", "step repeated", "steps removed"}

// TestEveryMutationOfALogIsFound changes one thing in one game of twenty, seven times per kind of change.
func TestEveryMutationOfALogIsFound(t *testing.T) {
	w := gametest.Random(seed, 120, 80, 50)
	instances := racetest.Instances(w, seed, 600, 3)
	instances = slices.DeleteFunc(instances, func(i schemas.WikiraceInstance) bool { return i.Distance != 3 })[:20]
	rel := release(w, instances)
	honest, err := simulate(t, w, instances, atRandom, atBest, inLoops, withErrors).Score(rel, family.Request{})
	if err != nil {
		t.Fatalf("the unchanged log: %v: %+v", err, honest.Disagreements)
	}
	tried := 0
	for name, mutate := range mutations {
		s := rng.New(seed, "mutation", name)
		log := simulate(t, w, instances, atRandom, atBest, inLoops, withErrors)
		var changed []string
		for _, i := range s.Choose(len(log.Games), 7) {
			mutate(&log.Games[i], s)
			changed = append(changed, log.Games[i].Name())
		}
		tried += len(changed)
		scores, err := log.Score(rel, family.Request{MaxInfra: 7})
		if !errors.Is(err, fault.Mismatch) {
			t.Errorf("seed %d, %s: got %v, want a mismatch", seed, name, err)
			continue
		}
		if got := names(scores.Disagreements); !slices.Equal(got, slices.Sorted(slices.Values(changed))) {
			t.Errorf("seed %d, %s: games %v are listed, want %v", seed, name, got, changed)
		}
		if !slices.Contains(otherChoices, name) && successes(scores) > successes(honest) {
			t.Errorf("seed %d, %s: %d successes, %d without the change", seed, name, successes(scores), successes(honest))
		}
	}
	t.Logf("%d mutations tried", tried)
	if tried < 200 {
		t.Errorf("only %d mutations", tried)
	}
}

// names lists the games with disagreements, sorted, each once.
func names(list []family.Disagreement) []string {
	var games []string
	for _, d := range list {
		games = append(games, d.Item)
	}
	slices.Sort(games)
	return slices.Compact(games)
}

func successes(s *family.Scores) int64 { return *s.Rows[0].Metrics[judge.MetricSuccess].Num }

func TestARunWithOtherRulesIsFound(t *testing.T) {
	w := gametest.G9()
	instances := []schemas.WikiraceInstance{racetest.Instance(w, "wr-easy-0001", 0, 8)}
	log := simulate(t, w, instances, atBest)
	log.Run.RulesSHA256 = "0"
	if _, err := log.Score(release(w, instances), family.Request{}); !errors.Is(err, fault.Mismatch) {
		t.Errorf("wrong hash of options: %v", err)
	}
	log = simulate(t, w, instances, atBest)
	opts := game.Defaults()
	opts.Oracle = "S"
	setRules(log.Run, opts)
	if _, err := log.Score(release(w, instances), family.Request{}); !errors.Is(err, fault.Malformed) || errors.Is(err, fault.Mismatch) {
		t.Errorf("options that this version does not play: %v", err)
	}
	for name, change := range map[string]func(*schemas.Run){
		"release":  func(r *schemas.Run) { r.ReleaseID = "other" },
		"manifest": func(r *schemas.Run) { r.ManifestSHA256 = "other" },
	} {
		log = simulate(t, w, instances, atBest)
		change(log.Run)
		if scores, err := log.Score(release(w, instances), family.Request{}); !errors.Is(err, fault.Mismatch) || scores != nil {
			t.Errorf("another %s: %v, %v", name, scores, err)
		}
	}
}
