package replay_test

import (
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// TestNothingIsNull checks the empty case of each metric: no game, and one lost game without a turn.
func TestNothingIsNull(t *testing.T) {
	w := gametest.Random(seed, 150, 90, 60)
	instances := racetest.Instances(w, seed, 1, 2)
	lost := simulate(t, w, instances, func(*game.Game, *rng.Stream) game.Move { return game.Pick(0) })
	gaveUp := schemas.OutcomeGaveUp
	lost.Games = []replay.Game{{Instance: instances[0].ID, Attempt: 1, Outcome: &gaveUp, Path: lost.Games[0].Path[:1]}}
	none := newLog("sim", newRun(game.Defaults(), "race", "easy"))
	for name, log := range map[string]*replay.Log{"no game": none, "one lost game": lost} {
		scores, err := log.Score(release(w, instances), family.Request{Partial: true})
		if err != nil {
			t.Fatalf("%s: %v %+v", name, err, scores)
		}
		for metric, m := range scores.Rows[0].Metrics {
			ofGames := metric == judge.MetricSuccess || metric == judge.MetricLoops || metric == judge.MetricVisitation
			if wantNull := !ofGames || name == "no game"; (m.Value == nil) != wantNull {
				t.Errorf("%s: %s is %+v, want null: %v", name, metric, m, wantNull)
			}
			if m.Value == nil && (m.Lo != nil || m.Hi != nil) {
				t.Errorf("%s: %s is null and has an interval", name, metric)
			}
		}
		if len(scores.Rows[0].Metrics) < 10 {
			t.Errorf("%s: %d metrics: the test shows too little", name, len(scores.Rows[0].Metrics))
		}
	}
}
