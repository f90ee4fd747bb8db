package mango

import (
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// What a shortage of mazes does.
const (
	OnShortageShort = "short" // the stage succeeds with what it found and reports the rest
	OnShortageFail  = "fail"  // the stage fails
)

// Params is all that decides which mazes are made, beside the inputs. The names are those of the recipe.
type Params struct {
	Seed  int64 `json:"seed"`
	Mazes int   `json:"mazes"`
	schemas.MangoMazeParams
	OnShortage string `json:"on_shortage"`
}

// Default gives the parameters of the specification (6.7).
func Default() Params {
	return Params{
		Seed: 42, Mazes: 10, OnShortage: OnShortageShort,
		MangoMazeParams: schemas.MangoMazeParams{
			N: 20, MinSteps: 25, MaxSteps: 50, RevisitPercent: 30, DFMaxLen: 8, DFCap: 100_000, DFBudget: 2_000,
			MaxTitle: 80, MaxAttempts: 200, SkipGeneric: true, Observation: schemas.MangoObserveLead,
			LeadChars: 300,
		},
	}
}

// Validate tells, before any work, whether the parameters mean something; its errors are fault.Usage.
func (p Params) Validate() error {
	for _, r := range []struct {
		name          string
		value, lo, hi int
	}{
		{"mazes", p.Mazes, 0, 10_000},
		{"n", p.N, 15, 25},
		{"min_steps", p.MinSteps, 15, 100},
		{"max_steps", p.MaxSteps, 15, 100},
		{"revisit_percent", p.RevisitPercent, 0, 60},
		{"df_max_len", p.DFMaxLen, 2, 12},
		{"df_cap", p.DFCap, 1, 5_000_000},
		{"df_budget", p.DFBudget, 0, 1_000_000},
		{"lead_chars", p.LeadChars, 0, 2000},
		{"max_title", p.MaxTitle, 1, 255},
		{"max_attempts", p.MaxAttempts, 1, 1_000_000},
	} {
		if r.value < r.lo || r.value > r.hi {
			return usage("%s = %d, want %d to %d", r.name, r.value, r.lo, r.hi)
		}
	}
	switch {
	case p.MinSteps > p.MaxSteps:
		return usage("min_steps = %d is more than max_steps = %d", p.MinSteps, p.MaxSteps)
	case p.MaxSteps < p.N-1:
		return usage("max_steps = %d cannot visit n = %d locations", p.MaxSteps, p.N)
	case p.Observation != schemas.MangoObserveLead && p.Observation != schemas.MangoObserveName:
		return usage("observation is %s, not %s or %s", fault.Quote(p.Observation), schemas.MangoObserveLead, schemas.MangoObserveName)
	case p.OnShortage != OnShortageShort && p.OnShortage != OnShortageFail:
		return usage("on_shortage is %s, not %s or %s", fault.Quote(p.OnShortage), OnShortageShort, OnShortageFail)
	}
	return nil
}
