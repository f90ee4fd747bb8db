package constrained

import (
	"errors"
	"testing"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// small is a set with feasible instances and pairs without a path.
func small(o family.Options) set {
	w := gametest.Random(11, 90, 6, 30).Label(0, "Work", "Place")
	feasible, without := bantest.BannedInstances(w, 0, 20, 2, "Work", "Place")
	p := published{instances: feasible, requested: 20, sha256: map[string]string{Instances: "i", Infeasible: "x"}}
	for _, inst := range without[:5] {
		p.infeasible = append(p.infeasible, instanceOf(bantest.Infeasible(inst)))
	}
	return newSet(replay.Release{
		Name: "test", ID: "id", ManifestSHA256: "sum",
		World:   func(schemas.GameOptions) (game.World, error) { return w, nil },
		Resolve: func(bool) (func(string) (uint32, bool), error) { return w.Node, nil },
	}, p, o)
}

func optionsOf(t *testing.T, texts ...string) family.Options {
	t.Helper()
	o, err := Family.Options(texts)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestTheFamilyKeepsTheContract(t *testing.T) {
	o, outside := optionsOf(t, "no_path=on"), -1
	familytest.Check(t, familytest.Subject{
		Family: Family, Options: o, Set: small(o), Run: schemas.Run{ReleaseID: "id", ManifestSHA256: "sum"}, Wrong: family.Reply{Choice: &outside},
	})
}

func TestPairsWithoutAPathArePlayedWhereThatMayBeSaid(t *testing.T) {
	s := small(optionsOf(t))
	splits := s.Splits()
	if len(splits) != 2 || !splits[1].Closed || splits[0].Closed {
		t.Fatalf("splits %+v", splits)
	}
	task := familytest.Tasks(t, s, Infeasible)[0]
	if _, err := s.Start(task, optionsOf(t), family.Manner{}); !errors.Is(err, fault.Usage) {
		t.Errorf("without NO_PATH: %v", err)
	}
	if _, err := s.Start(task, optionsOf(t, "no_path=on"), family.Manner{}); err != nil {
		t.Error(err)
	}
}
