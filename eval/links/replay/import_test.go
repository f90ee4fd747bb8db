package replay_test

import (
	"errors"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// TestNobodyEntersASplitByTheRulesOfPeople puts the claim of an import beside a model's lost games.
func TestNobodyEntersASplitByTheRulesOfPeople(t *testing.T) {
	w := gametest.Random(seed, 120, 80, 50)
	instances := racetest.Instances(w, seed, 20, 3)
	for _, human := range []bool{true, false} {
		log := simulate(t, w, instances, atRandom)
		honest, err := log.Score(release(w, instances), family.Request{})
		if err != nil {
			t.Fatal(err)
		}
		log.Import = &schemas.Import{Schema: schemas.ImportSchema, Human: human, Steps: true, Clicks: true}
		scores, err := log.Score(release(w, instances), family.Request{})
		if scores == nil || human != errors.Is(err, fault.Mismatch) {
			t.Fatalf("human %v: %v", human, err)
		}
		if human && len(scores.Disagreements) != len(instances) || successes(scores) > successes(honest) {
			t.Errorf("human %v: %d disagreements, %d successes, %d without the claim", human, len(scores.Disagreements), successes(scores), successes(honest))
		}
	}
}

// TestALogThatIsWrongEverywhereIsCountedNotKept tells of more unknown instances than are listed.
func TestALogThatIsWrongEverywhereIsCountedNotKept(t *testing.T) {
	w := gametest.G9()
	log := simulate(t, w, []schemas.WikiraceInstance{racetest.Instance(w, "wr-easy-0001", 0, 8)}, atBest)
	for range 14 {
		log.Games = append(log.Games, log.Games...)
	}
	for i := range log.Games {
		log.Games[i].Instance = "none"
	}
	scores, err := log.Score(release(w, nil), family.Request{})
	if !errors.Is(err, fault.Mismatch) || len(scores.Disagreements) != 10_000 || scores.Unlisted != len(log.Games)-10_000 {
		t.Errorf("%v: %d kept, %d counted of %d", err, len(scores.Disagreements), scores.Unlisted, len(log.Games))
	}
}
