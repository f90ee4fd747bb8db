package aar

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
)

// Names of gates, beside those of leaks.
const (
	// the cone read from the leg is not that of its expressions
	gateDependencies failure = "dependencies"
	gateValidator    failure = "validator" // an issue of the validator
	gateAudit        failure = "audit"     // a flag of the audit
	gateExecutor     failure = "executor"  // the golden executor finds another value
	// a search for the clues as written finds too many pages
	gatePaste  failure = "paste"
	gateReader failure = "reader" // the rule reader does not follow the riddle
)

// gates holds a leg to everything that is promised of it; the leaks come last.
func (a *attempt) gates(m *made) error {
	for _, gate := range []func(*made) error{
		a.dependenciesRead, a.sound, a.pasted, a.followed,
		a.leakless,
	} {
		if err := gate(m); err != nil {
			return err
		}
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
		if n > 0 && flag != "saturated" {
			return gateAudit
		}
	}
	if !a.tools.Execute(a.ctx, m.leg).Golden {
		return gateExecutor
	}
	return nil
}

// Bounds of the gate paste: the page of at most a fifth of the clues is among the first results.
const (
	pasteResults = 3
	pasteShare   = 5
)

// pasted holds a leg of the profile strict to what a search for its clues as written finds.
func (a *attempt) pasted(m *made) error {
	found, pages := 0, 0
	for i, s := range a.stops {
		if s.kind != schemas.AARPage || i == 0 {
			continue
		}
		pages++
		a.agents.Rank(m.clues[i].String())
		if slices.ContainsFunc(a.agents.Best(nil, pasteResults),
			func(h aar.Hit) bool { return h.Page == s.page }) {
			found++
		}
	}
	if a.strict() && found > pages/pasteShare {
		return gatePaste
	}
	return nil
}

// minAlignment is the least alignment of a reading.
const minAlignment = 0.7

// followed holds a leg to what the rule reader makes of its riddle: the code, and in the profile
// strict every stop that the code depends on.
func (a *attempt) followed(m *made) error {
	x := a.reader.Read(a.ctx, m.leg.Riddle, m.leg.SeedURL)
	if !x.Known || x.Code != m.leg.Passcode || a.reader.Alignment(m.leg, x) < minAlignment {
		return gateReader
	}
	wrong := func(i int) bool { return !a.reader.Right(m.leg, x, i) }
	if a.strict() && slices.ContainsFunc(aar.DepCone(m.leg), wrong) {
		return gateReader
	}
	return nil
}

// leakless holds a leg to what its riddle must not say.
func (a *attempt) leakless(m *made) error {
	if leaks := aar.Leaks(a.World, m.leg); len(leaks) > 0 {
		return failure(leaks[0].Check)
	}
	return nil
}
