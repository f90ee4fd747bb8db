// Package train makes data to train on out of a release: walks of optimal players, walks that go
// wrong and come back, and single moves, as the messages that a model reads when it is evaluated.
//
// It owns which pairs of pages are drawn, how a walk is played, and what training data may not
// share with what is frozen. It promises that
//   - every message is one that the episode of the family has, and every reply one that its parser
//     read as the move that was meant;
//   - every reply that is to be learnt begins a shortest way to success, by the distances of the
//     release;
//   - no task is that of a frozen split, of any family, of any of the releases it is held against:
//     no pair, no reversed pair, no target, no leg, maze or world (Forbidden);
//   - equal releases, options and seeds give equal records, in the same order.
//
// It knows families by package family alone, writes no file, and never judges a model.
package train

import (
	"encoding/json"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

// Kinds of what is written.
const (
	Optimal  = "optimal"  // a shortest way from the start to success
	Recovery = "recovery" // the same, with a number of wrong moves in a row on the way
	Step     = "step"     // the first turn alone
)

// KindNames lists them.
var KindNames = []string{Optimal, Recovery, Step}

// The records, as schemas has them.
type (
	Row  = schemas.TrainRow
	Walk = schemas.TrainWalk
	Move = schemas.TrainMove
)

// ReplyOf returns the reply of a move as an episode takes it.
func ReplyOf(m Move) family.Reply {
	r := family.Reply{Text: m.Text}
	for _, c := range m.Calls {
		r.Calls = append(r.Calls, family.Call{Name: c.Name, Arguments: json.RawMessage(c.Arguments)})
	}
	return r
}

func moveOf(r family.Reply, wrong bool) Move {
	m := Move{Text: r.Text, Wrong: wrong}
	for _, c := range r.Calls {
		m.Calls = append(m.Calls, schemas.CalledByName{Name: c.Name, Arguments: string(c.Arguments)})
	}
	return m
}

// marksOf returns what a walk is about.
func marksOf(w *Walk) family.Marks {
	return family.Marks{
		Source: w.Source, Target: w.Target, Under: w.Under, Instance: w.Instance, Parts: w.Parts,
	}
}
