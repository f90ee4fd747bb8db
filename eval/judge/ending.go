package judge

import (
	"slices"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// admitted gives the invalid turns that a record without steps admits: a path does not show them, and they never help the player.
func (r *replay) admitted() int {
	if r.told.HasSteps || r.told.Record == nil {
		return 0
	}
	return r.told.Record.Invalid
}

// outcome gives the game's outcome. What the moves decide, they decide; a log that stops before has ended by itself.
func (r *replay) outcome() string {
	over := r.game.Outcome()
	switch {
	case over == schemas.OutcomeSuccess && r.v.turns > r.game.Limit():
		return schemas.OutcomeStepLimit
	case over != "":
		return over
	case r.told.Outcome != nil && slices.Contains(r.ownEnds(), *r.told.Outcome):
		return *r.told.Outcome
	}
	return schemas.OutcomeGaveUp
}

// ownEnds lists the outcomes that a log may claim for a game that its moves leave open. None of them is a success. Steps show invalid turns,
// a path does not; and another harness has other rules.
func (r *replay) ownEnds() []string {
	ends := []string{schemas.OutcomeGaveUp, schemas.OutcomeInfra}
	if r.imported {
		ends = append(ends, schemas.OutcomeStuck, schemas.OutcomeStepLimit)
	}
	if r.told.HasSteps && !r.imported {
		return ends
	}
	if game.HasBan(r.opts) {
		ends = append(ends, schemas.OutcomeNoPath)
	}
	if r.v.turns >= r.game.Limit() {
		ends = append(ends, schemas.OutcomeStepLimit)
	}
	return append(ends, schemas.OutcomeFormat, schemas.OutcomeInvalidAction)
}

// usage gives the tokens of the game: the sum over its steps where there are steps, and nothing if one of them says nothing.
func (r *replay) usage() *schemas.Usage {
	if !r.told.HasSteps || r.imported && !r.told.StepsTellUsage() {
		return r.told.Usage
	}
	return schemas.SumUsage(r.told.Steps, schemas.Step.Told)
}
