package pairs

import (
	"regexp"

	"github.com/wikinav/wikinav/schemas"
)

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
