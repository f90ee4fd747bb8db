package wikirace

import (
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
)

// small is a set of two splits on a test world; the second is short.
func small() set {
	w := gametest.Random(3, 150, 90, 60)
	hard := racetest.Instances(w, 4, 5, 3)
	for i := range hard {
		hard[i].ID = "hard-" + hard[i].ID
	}
	easy := racetest.Instances(w, 3, 8, 2)
	of := func(s family.Split, list []schemas.WikiraceInstance) split {
		out := split{Split: s}
		for i := range list {
			out.add(&list[i])
		}
		return out
	}
	return newSet(replay.Release{
		Name: "test", ID: "id", ManifestSHA256: "sum",
		World:   func(schemas.GameOptions) (game.World, error) { return w, nil },
		Resolve: func(bool) (func(string) (uint32, bool), error) { return w.Node, nil },
	}, []split{
		of(family.Split{Name: "easy", SHA256: "e", Requested: 8, Got: 8}, easy),
		of(family.Split{Name: "hard", SHA256: "h", Requested: 9, Got: len(hard)}, hard),
	}, func() (map[string]difficulty, error) {
		return map[string]difficulty{easy[0].ID: {easy[0].Distance, schemas.WikiraceFeatures{OutDegree: 8, OptFirst: 2}}}, nil
	})
}

func TestTheFamilyKeepsTheContract(t *testing.T) {
	o, err := Family.Options([]string{"max_steps=20"})
	if err != nil {
		t.Fatal(err)
	}
	outside := -1
	familytest.Check(t, familytest.Subject{
		Family: Family, Options: o, Set: small(), Run: schemas.Run{ReleaseID: "id", ManifestSHA256: "sum"}, Wrong: family.Reply{Choice: &outside},
	})
}

func TestAnInstanceIsDescribed(t *testing.T) {
	s := small()
	id := familytest.Tasks(t, s, "easy")[0].ID
	d, ok := s.Difficulty(id)
	values := map[string]string{}
	for _, f := range d.Features {
		values[f.Name] = f.Value
	}
	if !ok || d.Length < 2 || d.Called != "distance" || values["out_degree"] != "8" || values["opt_first_share"] != "2.5e-01" {
		t.Errorf("got %+v", d)
	}
	if _, ok := s.Difficulty("none"); ok {
		t.Error("an instance that there is not is described")
	}
	if info := familytest.Tasks(t, s, "easy")[0].Info.(links.Info); info.MaxSteps != 30 || info.MaxLinks != 50 || info.Source.Title == "" || info.Split != "easy" {
		t.Errorf("got %+v", info)
	}
}
