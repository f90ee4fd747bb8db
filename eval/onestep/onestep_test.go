package onestep

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// instance is the first turn from C of G9: A, E and F are 5, 3 and 3 links from T.
func instance() (*gametest.World, schemas.OneStepInstance) {
	w := gametest.G9()
	inst := schemas.OneStepInstance{ID: "os-onestep-0001", Source: schemas.PageRef{Node: 2}, Target: schemas.PageRef{Node: 8}, Distance: 4, Best: []uint32{1, 2}}
	for i, u := range []uint32{0, 4, 5} {
		inst.Menu = append(inst.Menu, schemas.OneStepLink{I: i, Node: u, Title: w.Title(u)})
	}
	inst.Messages = []schemas.Message{{Role: schemas.RoleUser, Content: "Which link?"}}
	return w, inst
}

func subject(t *testing.T, w *gametest.World, list ...schemas.OneStepInstance) familytest.Subject {
	t.Helper()
	s := newSet(question.Source{Name: "r", ID: "id", ManifestSHA256: "sha"}, func() (world, error) { return w, nil })
	if err := s.add(family.Split{Name: "onestep", Got: len(list), Requested: len(list)}, list); err != nil {
		t.Fatal(err)
	}
	o, err := Family.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	return familytest.Subject{Family: Family, Options: o, Set: s, Run: schemas.Run{ReleaseID: "id", ManifestSHA256: "sha"}, Wrong: family.Reply{Choice: &wrong}}
}

func TestSingleMovesAreAFamily(t *testing.T) {
	w, inst := instance()
	second := inst
	second.ID = "os-onestep-0002"
	familytest.Check(t, subject(t, w, inst, second))
}

func score(t *testing.T, s familytest.Subject, req family.Request, replies ...question.Reply) (*family.Scores, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "replies.jsonl")
	var data []byte
	for _, r := range replies {
		data = append(append(data, canon.MustMarshal(r)...), '\n')
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return s.Score(t, path, req)
}

func TestRewards(t *testing.T) {
	w, inst := instance()
	for _, c := range []struct {
		reply         string
		exact, graded string
		unparsed      int
	}{
		{"1", "1.00000e+00", "1.00000e+00", 0},
		{"2. F", "1.00000e+00", "1.00000e+00", 0},
		{"0", "0", "1.00000e-01", 0}, // two links more
		{"3", "0", "0", 1},
		{"I say 1 or 2", "0", "0", 1},
	} {
		for reward, want := range map[string]string{"exact": c.exact, "graded": c.graded} {
			s, err := score(t, subject(t, w, inst), family.Request{Seed: 1, Options: []string{"reward=" + reward}}, question.Reply{ID: inst.ID, Reply: c.reply})
			if err != nil {
				t.Fatal(err)
			}
			name := map[string]string{"exact": metricReward, "graded": metricGraded}[reward]
			all, four := s.Rows[0], s.Rows[1]
			if *all.Metrics[name].Value != want || s.Counts["unparsed"] != c.unparsed || len(all.Metrics) != 1 || *four.Metrics[name].Value != want || four.By[0] != (family.Group{Name: "distance", Value: "4"}) {
				t.Errorf("%q, %s: got %+v, %v; want %s", c.reply, reward, s.Rows, s.Counts, want)
			}
		}
	}
	s, err := score(t, subject(t, w, inst), family.Request{Seed: 1})
	if err != nil || s.Rows[0].Missing != 1 || *s.Rows[0].Metrics[metricReward].Value != "0" {
		t.Errorf("without a reply: %+v, %v", s, err)
	}
	if _, err := score(t, subject(t, w, inst), family.Request{Options: []string{"reward=kind"}}); !errors.Is(err, fault.Usage) {
		t.Errorf("a reward that there is not: %v", err)
	}
}

func TestAChoiceBeyondTheMenuIsRefusedWhereItIsAProgramsError(t *testing.T) {
	w, inst := instance()
	s := subject(t, w, inst)
	for n, want := range map[int]string{-1: family.CodeBadChoice, 0: "", 2: "", 3: family.CodeBadChoice} {
		e, err := s.Set.Start(familytest.Tasks(t, s.Set, "onestep")[0], s.Options, family.Manner{})
		if err != nil {
			t.Fatal(err)
		}
		code := ""
		var refusal *family.Refusal
		if _, err := e.Act(family.Reply{Choice: &n, Strict: true}); errors.As(err, &refusal) {
			code = refusal.Code
		}
		if code != want {
			t.Errorf("choice %d: got %q, want %q", n, code, want)
		}
	}
}

func TestAnInstanceThatTheGraphContradictsIsAMismatch(t *testing.T) {
	for name, change := range map[string]func(*schemas.OneStepInstance){
		"best":    func(i *schemas.OneStepInstance) { i.Best = []uint32{0} },
		"no link": func(i *schemas.OneStepInstance) { i.Menu[0].Node = 7 },
		"outside": func(i *schemas.OneStepInstance) { i.Target.Node = 9 },
		"no menu": func(i *schemas.OneStepInstance) { i.Menu = nil },
	} {
		w, inst := instance()
		change(&inst)
		if _, err := score(t, subject(t, w, inst), family.Request{Seed: 1}); !errors.Is(err, fault.Mismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
