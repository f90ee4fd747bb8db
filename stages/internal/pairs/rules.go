package pairs

import (
	"regexp"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Ways of drawing a pair.
const (
	SourceFirst = "source-first" // the paper's: every source equally, targets from what lies so far away
	TargetFirst = "target-first"
)

// What a drawn pair may share with the pairs before it, over all splits.
const (
	ReuseNone    = "none"    // a page is source at most once and target at most once
	ReuseTargets = "targets" // a page is target at most once
	ReuseAny     = "any"     // only the ordered pair is unique
)

// What a shortage does.
const (
	OnShortageShort = "short" // the stage succeeds with what it found and reports the rest
	OnShortageFail  = "fail"  // the stage fails and writes nothing
)

// Split is a set of instances. Its slots are shared out evenly over its distances, in ascending order; where that
// leaves a remainder the larger distances get more.
type Split struct {
	Name      string `json:"name"`
	Size      int    `json:"size"`
	Distances []int  `json:"distances"` // ascending
}

// Rules decide which pairs are drawn, beside the inputs. The names are those of a recipe.
type Rules struct {
	Seed   int64   `json:"seed"`
	Splits []Split `json:"splits"`
	Sample string  `json:"sample"`
	Reuse  string  `json:"reuse"`
	Ends
	Effort
	MatchingPairs int64 `json:"matching_pairs"` // pairs at a distance up to which a shortage states its matching bound
}

// Effort is how hard a slot is tried, and what happens when it stays empty.
type Effort struct {
	MaxAttempts     int    `json:"max_attempts"`     // per slot
	ExhaustivePairs int64  `json:"exhaustive_pairs"` // nodes x targets up to which a slot without luck enumerates the pairs
	OnShortage      string `json:"on_shortage"`
}

// DefaultRules gives the rules of the specification; splits are left to the caller.
func DefaultRules() Rules {
	return Rules{Seed: 42, Sample: SourceFirst, Reuse: ReuseNone, Ends: DefaultEnds(), Effort: DefaultEffort(), MatchingPairs: 1e8}
}

// DefaultEffort gives the effort of the specification.
func DefaultEffort() Effort {
	return Effort{MaxAttempts: 1000, ExhaustivePairs: 1e10, OnShortage: OnShortageShort}
}

// Own gives rules that share no memory with r and have [] where r has nil, so that they are one key however the caller
// made them.
func (r Rules) Own() Rules {
	splits := make([]Split, len(r.Splits))
	for i, s := range r.Splits {
		s.Distances = append([]int{}, s.Distances...)
		splits[i] = s
	}
	r.Splits = splits
	return r
}

// Validate tells, before any work, whether the rules mean something; its errors are fault.Usage and begin with the
// name of the stage.
func (r Rules) Validate(stage string) error {
	if err := OneOf(stage, "sample", r.Sample, SourceFirst, TargetFirst); err != nil {
		return err
	}
	if err := OneOf(stage, "reuse", r.Reuse, ReuseNone, ReuseTargets, ReuseAny); err != nil {
		return err
	}
	if err := r.Ends.Validate(stage); err != nil {
		return err
	}
	if err := r.Effort.Validate(stage); err != nil {
		return err
	}
	if err := InRange(stage, Number{"seed", r.Seed, -canon.MaxInt}, Number{"matching_pairs", r.MatchingPairs, 0}); err != nil {
		return err
	}
	return validateSplits(stage, r.Splits)
}

// Validate is Rules.Validate for the effort alone.
func (e Effort) Validate(stage string) error {
	if err := OneOf(stage, "on_shortage", e.OnShortage, OnShortageShort, OnShortageFail); err != nil {
		return err
	}
	return InRange(stage, Number{"max_attempts", int64(e.MaxAttempts), 0}, Number{"exhaustive_pairs", e.ExhaustivePairs, 0})
}

// OneOf refuses a parameter that is none of the words.
func OneOf(stage, name, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return usage(stage, "%s is %s, not one of %v", name, fault.Quote(value), words)
}

// Number is a parameter and the least value that it may have.
type Number struct {
	Name         string
	Value, Least int64
}

// InRange refuses numbers below their least value or beyond what canonical JSON keeps.
func InRange(stage string, numbers ...Number) error {
	for _, n := range numbers {
		if n.Value < n.Least || n.Value > canon.MaxInt {
			return usage(stage, "%s is %d, outside %d..%d", n.Name, n.Value, n.Least, int64(canon.MaxInt))
		}
	}
	return nil
}

func validateSplits(stage string, splits []Split) error {
	seen := map[string]bool{}
	for _, s := range splits {
		if !namePattern.MatchString(s.Name) || seen[s.Name] {
			return usage(stage, "split name %s is taken or does not match %s", fault.Quote(s.Name), namePattern)
		}
		seen[s.Name] = true
		if err := s.validate(stage); err != nil {
			return err
		}
	}
	return nil
}

func (s Split) validate(stage string) error {
	if s.Size < 1 || len(s.Distances) == 0 {
		return usage(stage, "split %s: size %d over %d distances", s.Name, s.Size, len(s.Distances))
	}
	last := 0
	for _, d := range s.Distances {
		if d <= last || d > int(schemas.MaxDistance) {
			return usage(stage, "split %s: distances %v do not ascend within 1..%d", s.Name, s.Distances, schemas.MaxDistance)
		}
		last = d
	}
	return nil
}

func usage(stage, format string, args ...any) *fault.Error {
	return fault.New(fault.Usage, stage+": "+format, args...)
}

// Ends says which pages may be the ends of a pair.
type Ends struct {
	SourceMinOut   int    `json:"source_min_out"`   // links on the source, in the graph
	TargetMinIn    int    `json:"target_min_in"`    // links to the target, in the graph
	ExcludeFlags   uint16 `json:"exclude_flags"`    // page flags; a page with any of them is neither source nor target
	ExcludeTitleRE string `json:"exclude_title_re"` // RE2; "" excludes nothing
}

// DefaultEnds gives the filters of the specification. The recipe adds flags.
func DefaultEnds() Ends { return Ends{SourceMinOut: 1, TargetMinIn: 1} }

// Under leaves out the pages that the graph's recipe lets be no ends.
func (e *Ends) Under(graph schemas.Recipe) { e.ExcludeFlags |= graph.NoEndpointFlags() }

// Validate is Rules.Validate for the filters alone.
func (e Ends) Validate(stage string) error {
	if _, err := regexp.Compile(e.ExcludeTitleRE); err != nil {
		return usage(stage, "exclude_title_re: %w", err)
	}
	return InRange(stage, Number{"source_min_out", int64(e.SourceMinOut), 0}, Number{"target_min_in", int64(e.TargetMinIn), 0})
}

// namePattern is what a split may be called: a file name for us, and \w for the tools that load a release.
var namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9_]{0,63}$`)

// Field is what pairs are drawn from: the pages that pass the filters, and the distances between them.
type Field struct {
	Nodes   int      // of the graph
	Sources []uint32 // ascending
	Targets []Target // of the target set, ascending by node
}

// Target is a page with its column of distances, by source node.
type Target struct {
	Node   uint32
	Column []uint8
	at     [schemas.CountedDepth + 1]uint32 // nodes at each distance, as in columns.arrow; the last is "or more"
}

// near lists the targets that anything reaches over exactly d links. The others cannot be in any layer at d, and the
// farther the distance, the fewer are left.
func (f *Field) near(d int) []Target {
	var out []Target
	for _, t := range f.Targets {
		if t.reachedOver(d) {
			out = append(out, t)
		}
	}
	return out
}

// reachedOver tells whether any node may be d links away from t.
func (t *Target) reachedOver(d int) bool { return t.at[min(d, schemas.CountedDepth)] > 0 }

// Candidates is the number of pairs that an enumeration would look at.
func (f *Field) Candidates() int64 { return int64(f.Nodes) * int64(len(f.Targets)) }
