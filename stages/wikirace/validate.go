package wikirace

import (
	"regexp"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Validate tells, before any work, whether the parameters mean something; its errors are fault.Usage.
func (p Params) Validate() error {
	for _, w := range []struct {
		name, value string
		words       []string
	}{
		{"sample", p.Sample, []string{SourceFirst, TargetFirst}},
		{"reuse", p.Reuse, []string{ReuseNone, ReuseTargets, ReuseAny}},
		{"on_shortage", p.OnShortage, []string{OnShortageShort, OnShortageFail}},
	} {
		if !slices.Contains(w.words, w.value) {
			return usage("%s is %s, not one of %v", w.name, fault.Quote(w.value), w.words)
		}
	}
	if _, err := regexp.Compile(p.ExcludeTitleRE); err != nil {
		return usage("exclude_title_re: %w", err)
	}
	if !digestPattern.MatchString(p.RecipeSHA256) {
		return usage("recipe_sha256 is %s, not 64 hexadecimal digits", fault.Quote(p.RecipeSHA256))
	}
	if err := p.validateNumbers(); err != nil {
		return err
	}
	return validateSplits(p.Splits)
}

var digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (p Params) validateNumbers() error {
	for _, n := range []struct {
		name         string
		value, least int64
	}{
		{"seed", p.Seed, -canon.MaxInt},
		{"game_seed", p.gameSeed(), -canon.MaxInt},
		{"source_min_out", int64(p.SourceMinOut), 0},
		{"target_min_in", int64(p.TargetMinIn), 0},
		{"max_attempts", int64(p.MaxAttempts), 0},
		{"exhaustive_pairs", p.ExhaustivePairs, 0},
		{"matching_pairs", p.MatchingPairs, 0},
		{"max_steps", int64(p.MaxSteps), 1},
		{"max_links", int64(p.MaxLinks), 2},
	} {
		if n.value < n.least || n.value > canon.MaxInt {
			return usage("%s is %d, outside %d..%d", n.name, n.value, n.least, int64(canon.MaxInt))
		}
	}
	return nil
}

// namePattern is what a split may be called: a file name for us, and \w for the tools that load a release.
var namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9_]{0,63}$`)

func validateSplits(splits []Split) error {
	seen := map[string]bool{}
	for _, s := range splits {
		if !namePattern.MatchString(s.Name) || seen[s.Name] {
			return usage("split name %s is taken or does not match %s", fault.Quote(s.Name), namePattern)
		}
		seen[s.Name] = true
		if err := s.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (s Split) validate() error {
	if s.Size < 1 || len(s.Distances) == 0 {
		return usage("split %s: size %d over %d distances", s.Name, s.Size, len(s.Distances))
	}
	last := 0
	for _, d := range s.Distances {
		if d <= last || d > int(schemas.MaxDistance) {
			return usage("split %s: distances %v do not ascend within 1..%d", s.Name, s.Distances, schemas.MaxDistance)
		}
		last = d
	}
	for _, p := range PublishedSplits() {
		if s.Name == p.Name && (s.Size != p.Size || !slices.Equal(s.Distances, p.Distances)) {
			return usage("split %s is always %d instances at distances %v", p.Name, p.Size, p.Distances).
				Hint("give a split of another size or other distances a name of its own")
		}
	}
	return nil
}

func usage(format string, args ...any) *fault.Error {
	return fault.New(fault.Usage, "wikirace: "+format, args...)
}
