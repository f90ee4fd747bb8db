package retell

import (
	"errors"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/tiny"
	"github.com/wikinav/wikinav/schemas"
)

// stuck is a set with one more oracle, which goes on for so many turns.
type stuck struct {
	family.Set
	after int
}

var errStuck = errors.New("it knows no more")

func (s stuck) Baselines() []family.Baseline {
	list := s.Set.Baselines()
	stuck := family.Baseline{Name: "stuck", Kind: schemas.KindOracle}
	stuck.Start = func(family.Episode, family.Seat) func() (family.Reply, error) {
		n := 0
		return func() (family.Reply, error) {
			if n++; n > s.after {
				return family.Reply{}, errStuck
			}
			return family.Reply{Choice: new(1)}, nil
		}
	}
	return append([]family.Baseline{stuck}, list...)
}

// The best game is one that was played to its end: a player that fails on its way loses no turns.
func TestAPlayerThatFailsIsNotTheBest(t *testing.T) {
	fam := tiny.Family{Called: "tiny", Turns: 5, Goals: []int{7}}
	rules, err := fam.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := fam.Open(nil, rules)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := set.Tasks("easy", 1)
	if err != nil {
		t.Fatal(err)
	}
	if best, err := Best(set, tasks[0], rules); err != nil || best.Item != "best" || best.Ended == "" {
		t.Errorf("got %+v, %v", best, err)
	}
	for after := range 2 {
		if best, err := Best(stuck{set, after}, tasks[0], rules); !errors.Is(err, errStuck) {
			t.Errorf("after %d turns: got %+v, %v", after, best, err)
		}
	}
}
