package env

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Rewards of a turn.
const (
	RewardSuccess  = "success"  // 1 for the turn that wins the episode
	RewardShaped   = "shaped"   // what the turn changed of the turns that are left
	RewardAccuracy = "accuracy" // 1 for a turn that an optimal player could have made
)

// Rewards lists them.
var Rewards = []string{RewardSuccess, RewardShaped, RewardAccuracy}

// ErrUnmeasured is that a reward asks for an episode that knows what is left of it.
var ErrUnmeasured = fault.New(fault.Usage, "its episodes do not know the turns that are left")

// state is what rewards compare before and after a turn.
type state struct {
	left int // turns of an optimal player; where none wins, one more than far
	far  int // the most that were left so far
}

// pay is a reward: what a turn is paid that led an episode from a state to another.
type pay struct {
	name string
	of   paid
}

type paid func(e family.Episode, turn family.Turn, before, after state) float64

// paysOf returns the rewards by their names. One that sample cannot be paid is ErrUnmeasured.
func paysOf(c Config, sample family.Episode) (list []pay, err error) {
	of := map[string]paid{
		RewardSuccess: success, RewardAccuracy: accuracy, RewardShaped: shaped(c.Gamma),
	}
	_, measured := sample.(family.Measured)
	for i, name := range c.Rewards {
		switch {
		case of[name] == nil:
			err = fault.New(fault.Usage, "--reward %s: there is no such reward", fault.Quote(name)).
				Choose(name, Rewards)
		case slices.Contains(c.Rewards[:i], name):
			err = fault.New(fault.Usage, "--reward %s stands twice", name).Hint("name it once")
		case name != RewardSuccess && !measured:
			err = fault.New(fault.Usage, "--reward %s: family %s: %w", name, c.Host.Family.Name(),
				ErrUnmeasured)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, pay{name, of[name]})
	}
	if len(list) == 0 {
		return nil, fault.New(fault.Usage, "--reward: no reward is named").
			Hint("want some of %s", strings.Join(Rewards, ", "))
	}
	return list, nil
}

func shaped(gamma float64) paid {
	return func(_ family.Episode, _ family.Turn, before, after state) float64 {
		return float64(before.left) - gamma*float64(after.left)
	}
}

func success(e family.Episode, _ family.Turn, _, _ state) float64 {
	if e.Outcome() != "" && family.Won(e) {
		return 1
	}
	return 0
}

func accuracy(e family.Episode, turn family.Turn, _, _ state) float64 {
	if turn.Valid && e.(family.Measured).Optimal() {
		return 1
	}
	return 0
}

// stateOf returns the state of an episode, before is the one before its last turn, nil at its
// beginning. The potential of a state is -left: a function of the state alone as long as an optimal
// player can win, and the same from then on where none can.
func stateOf(e family.Episode, before *state) (s state) {
	if before != nil {
		s.far = before.far
	}
	m, ok := e.(family.Measured)
	if !ok {
		return s
	}
	if left := m.Left(); left != nil {
		s.left, s.far = *left, max(s.far, *left)
		return s
	}
	s.left = s.far + 1
	return s
}
