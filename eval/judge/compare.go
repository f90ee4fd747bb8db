package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// field is a derived value twice: as the log tells it and as the replay has it.
type field struct {
	name         string
	told, replay any
}

// compareStep checks every field of a step that release and choices determine.
func (r *replay) compareStep(s schemas.Step, t game.Turn) {
	r.compareWords(s, t)
	r.compare(t.Step, []field{
		{"instance", s.Instance, r.told.Instance},
		{"run", s.Run, r.run.Run},
		{"oracle", s.Oracle, r.opts.Oracle},
		{"step", s.Step, t.Step},
		{"page", s.Page, t.Page},
		{"menu", s.Menu, t.Menu},
		{"to", s.To, t.To},
		{"valid", s.Valid, t.Valid()},
		{"invalid_reason", s.InvalidReason, t.Reason},
		{"optimal", s.Optimal, t.Optimal},
		{"d_before", s.DBefore, t.Before},
		{"d_after", s.DAfter, t.After},
		{"reply_sha256", s.ReplySHA256, replyDigest(s)},
	})
	if s.Cost != nil {
		r.compare(t.Step, []field{{"cost", s.Cost, Cost(r.run.Price, s.Usage)}})
	}
}

// replyDigest gives the digest that a step must carry; a player that writes no reply has none.
func replyDigest(s schemas.Step) string {
	if s.Reply == "" && s.ReplySHA256 == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(s.Reply))
	return hex.EncodeToString(sum[:])
}

// compareGame checks what the game's own record says. A path without steps was checked move by move.
func (r *replay) compareGame() {
	if r.told.Outcome != nil {
		r.compare(0, []field{{"outcome", *r.told.Outcome, r.v.outcome}})
	}
	told := r.told.Record
	if told == nil {
		return
	}
	r.compare(0, []field{
		{"turns", told.Turns, r.v.turns},
		{"moves", told.Moves, r.v.moves},
		{"invalid", told.Invalid, r.v.invalid},
	})
	if !r.told.HasSteps {
		return
	}
	r.compare(0, []field{
		{"run", told.Run, r.run.Run},
		{"path", told.Path, r.game.Path()},
		{"usage", told.Usage, r.v.usage},
		{"cost", told.Cost, r.v.cost.text()},
	})
}

// compare lists the fields whose two values differ.
func (r *replay) compare(step int, fields []field) {
	for _, f := range differing(fields) {
		r.note(step, f.name, text(f.told), text(f.replay))
	}
}

// differing gives the fields whose two values differ, behind pointers too.
func differing(fields []field) []field {
	return slices.DeleteFunc(fields, func(f field) bool { return reflect.DeepEqual(f.told, f.replay) })
}

func (r *replay) note(step int, field, log, replay string) {
	r.disagreed = append(r.disagreed, at(r.told, step, field, log, replay))
}

// text gives the JSON of a value, cut so that a list of disagreements stays readable. A sum may be no integer that JSON keeps.
func text(value any) string {
	data, err := canon.Marshal(value)
	switch {
	case err != nil:
		return fmt.Sprint(value)
	case len(data) > 200:
		return fault.Quote(data)
	}
	return string(data)
}
