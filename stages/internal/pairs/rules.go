package pairs

import (
	"regexp"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
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
	Sample string  `json:"sample" oneof:"source-first target-first"`
	Reuse  string  `json:"reuse" oneof:"none targets any"`
	Ends
	Effort
	MatchingPairs int64 `json:"matching_pairs" min:"0"` // pairs at a distance up to which a shortage states its matching bound
}

// Effort is how hard a slot is tried, and what happens when it stays empty.
type Effort struct {
	MaxAttempts     int    `json:"max_attempts" min:"0"`     // per slot
	ExhaustivePairs int64  `json:"exhaustive_pairs" min:"0"` // nodes x targets up to which a slot without luck enumerates the pairs
	OnShortage      string `json:"on_shortage" oneof:"short fail"`
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

// Check tells, before any work, whether the rules of a stage mean something, by stages.Check of its parameters and what no tag says;
// its errors are fault.Usage and begin with the name of the stage.
func (r Rules) Check(stage string, params any) error {
	if err := r.Ends.Check(stage, params); err != nil {
		return err
	}
	return validateSplits(stage, r.Splits)
}

func validateSplits(stage string, splits []Split) error {
	seen := map[string]bool{}
	for _, s := range splits {
		if err := CheckName(stage, s.Name); err != nil {
			return err
		}
		if seen[s.Name] {
			return stages.Usage(stage, "split name %s is taken", fault.Quote(s.Name))
		}
		seen[s.Name] = true
		if err := s.validate(stage); err != nil {
			return err
		}
	}
	return nil
}

// CheckName refuses what a split cannot be called.
func CheckName(stage, split string) error {
	switch {
	case split == allSplits:
		return stages.Usage(stage, "a split called %s, which load_dataset keeps for all splits together",
			allSplits).Hint("give it another name, such as %s_pairs", allSplits)
	case !namePattern.MatchString(split):
		return stages.Usage(stage, "split name %s does not match %s", fault.Quote(split), namePattern)
	}
	return nil
}

func (s Split) validate(stage string) error {
	if s.Size < 1 || len(s.Distances) == 0 {
		return stages.Usage(stage, "split %s: size %d over %d distances", s.Name, s.Size, len(s.Distances))
	}
	if !stages.Ascend(s.Distances) {
		return stages.Usage(stage, "split %s: distances %v do not ascend within 1..%d", s.Name, s.Distances, schemas.MaxDistance)
	}
	return nil
}

// Ends says which pages may be the ends of a pair.
type Ends struct {
	SourceMinOut   int    `json:"source_min_out" min:"0"` // links on the source, in the graph
	TargetMinIn    int    `json:"target_min_in" min:"0"`  // links to the target, in the graph
	ExcludeFlags   uint16 `json:"exclude_flags"`          // page flags; a page with any of them is neither source nor target
	ExcludeTitleRE string `json:"exclude_title_re"`       // RE2; "" excludes nothing
}

// DefaultEnds gives the filters of the specification. The recipe adds flags.
func DefaultEnds() Ends { return Ends{SourceMinOut: 1, TargetMinIn: 1} }

// Under leaves out the pages that the graph's recipe lets be no ends.
func (e *Ends) Under(graph schemas.Recipe) { e.ExcludeFlags |= graph.NoEndpointFlags() }

// Check is Rules.Check for the filters alone.
func (e Ends) Check(stage string, params any) error {
	if _, err := regexp.Compile(e.ExcludeTitleRE); err != nil {
		return stages.Usage(stage, "exclude_title_re: %w", err)
	}
	return stages.Check(stage, params)
}

// allSplits is a name that \w has and load_dataset refuses.
const allSplits = "all"

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
	Column []uint8 // that pairs are drawn from: where they are to be fresh, all others are unreached
	// at counts the nodes at each distance in Column, as in columns.arrow; the last is "or more".
	at [schemas.CountedDepth + 1]uint32
	// Distances is the column of the graph, fresh or not.
	Distances []uint8
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
