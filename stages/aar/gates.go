package aar

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/aar"
)

// Names of gates, besides those of riddles.
const (
	gateDependencies failure = "dependencies" // the audit reads another cone than was computed
	gateValidator    failure = "validator"    // an issue of the validator
	gateAudit        failure = "audit"        // a flag of the audit
	gateExecutor     failure = "executor"     // the golden executor finds another value
)

// gates holds a leg to everything that is promised of it; its riddle comes last.
func (a *attempt) gates(m *made) error {
	if err := a.dependenciesRead(m); err != nil {
		return err
	}
	if err := a.sound(m); err != nil {
		return err
	}
	if closed := a.reader.Gates(a.ctx, m.leg, a.strict()); closed != nil {
		return failure(closed.Gate)
	}
	return nil
}

// dependenciesRead holds the cone that the audit reads from the leg to the stops from which the
// finish is computed.
func (a *attempt) dependenciesRead(m *made) error {
	var want []int
	d := a.dependencies()
	set := d.all[len(a.stops)-1]
	for i := range a.stops[:len(a.stops)-1] {
		if set>>i&1 == 1 {
			want = append(want, i)
		}
	}
	if !slices.Equal(aar.DepCone(m.leg), want) {
		return gateDependencies
	}
	return nil
}

// sound holds a leg to validator, audit and golden executor.
func (a *attempt) sound(m *made) error {
	if len(aar.Validate(m.leg, false)) > 0 {
		return gateValidator
	}
	audit := aar.NewAudit([]aar.AuditLeg{aar.AuditOf(aar.File{
		Variant: a.variant, Level: a.level,
		Leg: m.leg,
	})})
	for flag, n := range audit.Totals.Flags { // any flag fails
		if n > 0 && !aar.Allowed(flag) {
			return gateAudit
		}
	}
	if !a.tools.Execute(a.ctx, m.leg).Golden {
		return gateExecutor
	}
	return nil
}
