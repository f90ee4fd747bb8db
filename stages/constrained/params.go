package constrained

import (
	"reflect"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// How the banned class is chosen.
const (
	BanNeighbour = "neighbour" // a label of the most linked page, among those with a label, that link to the target
	BanFixedSet  = "fixed-set" // one of FixedSet, each equally
)

// What a ban must change.
const (
	RequireNone    = "none"
	RequireWitness = schemas.BindingWitness // the baseline path, at least
	RequireLonger  = schemas.BindingLonger  // the length
)

// Which pairs are accepted.
const (
	PathExact   = "exact"
	PathPaper20 = "paper20" // those on which the published procedure succeeds
)

// Params is all that decides what the instances are, besides the inputs. The names are those of the
// recipe. Ids of four digits have an order up to 9999.
type Params struct {
	Preset              string        `json:"preset" oneof:"paper small"` // whose values these are, where they were not changed
	N                   int           `json:"n" min:"1" max:"9999"`
	SourceMinOut        int           `json:"source_min_out" min:"0"`
	SourceNoParentheses bool          `json:"source_no_parentheses"`
	TargetMinIn         int           `json:"target_min_in" min:"0"`
	BaselineMin         int           `json:"baseline_min" min:"1"` // links, without the ban
	BanMode             string        `json:"ban_mode" oneof:"neighbour fixed-set"`
	FixedSet            []string      `json:"fixed_set"` // labels; for BanFixedSet alone
	Require             string        `json:"require" oneof:"none on_witness longer"`
	Unlabelled          string        `json:"unlabelled" oneof:"allow forbid"`
	PathMode            string        `json:"path_mode" oneof:"exact paper20"`
	Multi               bool          `json:"multi"`                // a page has all its labels; else the primary one alone
	MaxSharePerClass    schemas.Ratio `json:"max_share_per_class"`  // of n
	Spread              bool          `json:"spread"`               // each class gets as many as the others, as far as that goes
	MaxAttempts         int           `json:"max_attempts" min:"1"` // of the whole stage
	InfeasibleKeep      int           `json:"infeasible_keep" min:"0" max:"9999"`
	Seed                int64         `json:"seed"`
	MaxSteps            int           `json:"max_steps" min:"1"`
	OnShortage          string        `json:"on_shortage" oneof:"short fail"`
	ExcludeFlags        uint16        `json:"exclude_flags"` // page flags; a page with any of them is neither source nor target
}

// Names of the presets.
const (
	PresetPaper = "paper"
	PresetSmall = "small"
)

// Presets lists their names.
var Presets = []string{PresetPaper, PresetSmall}

// Preset returns the parameters of a preset. The recipe adds flags.
func Preset(preset string) (Params, error) {
	p := Params{
		Preset: PresetPaper, N: 100, SourceMinOut: 50, SourceNoParentheses: true, TargetMinIn: 50, BaselineMin: 4,
		BanMode: BanNeighbour, FixedSet: []string{}, Require: RequireNone, Unlabelled: schemas.UnlabelledAllow, PathMode: PathExact, Multi: true,
		MaxSharePerClass: schemas.Ratio{Num: 1, Den: 1}, Spread: true, MaxAttempts: 100_000, InfeasibleKeep: 100, Seed: 42, MaxSteps: 30,
		OnShortage: pairs.OnShortageShort,
	}
	switch preset {
	case PresetPaper:
		return p, nil
	case PresetSmall:
		p.Preset, p.N, p.SourceMinOut, p.TargetMinIn, p.BaselineMin, p.InfeasibleKeep = PresetSmall, 20, 5, 5, 3, 20
		return p, nil
	}
	return Params{}, stages.Usage(name, "preset is %s, not one of %v", fault.Quote(preset), Presets)
}

// TakePreset replaces all parameters by those of a preset.
func (p *Params) TakePreset(preset string) (err error) {
	*p, err = Preset(preset)
	return err
}

// Under leaves out the pages that the graph's recipe lets be no ends.
func (p *Params) Under(graph schemas.Recipe) { p.ExcludeFlags |= graph.NoEndpointFlags() }

// Default returns the parameters nearest to the paper's text.
func Default() Params {
	p, _ := Preset(PresetPaper)
	return p
}

// Label is what a release calls the set: constrained for the values of the paper, constrained-small
// for those of small, and constrained-custom for any others. Seed and flags are no part of what a
// preset means.
func (p Params) Label() string {
	for _, preset := range Presets {
		q, _ := Preset(preset)
		q.Seed, q.ExcludeFlags, q.FixedSet = p.Seed, p.ExcludeFlags, append([]string{}, q.FixedSet...)
		p.Preset, p.FixedSet = preset, append([]string{}, p.FixedSet...)
		if reflect.DeepEqual(p, q) {
			if preset == PresetPaper {
				return name
			}
			return name + "-" + preset
		}
	}
	return name + "-custom"
}

// Validate tells, before any work, whether the parameters mean something; its errors are
// fault.Usage.
func (p Params) Validate() error {
	if err := stages.Check(name, p); err != nil {
		return err
	}
	if err := p.validateSet(); err != nil {
		return err
	}
	return p.validateShare()
}

// validateSet refuses a set without labels, and labels that there are not.
func (p Params) validateSet() error {
	if (p.BanMode == BanFixedSet) != (len(p.FixedSet) > 0) {
		return stages.Usage(name, "ban_mode %s with a fixed_set of %d labels", p.BanMode, len(p.FixedSet)).
			Hint("fixed-set needs labels, and neighbour takes none")
	}
	for i, label := range p.FixedSet {
		if _, known := schemas.LabelBit(label); !known {
			return stages.Usage(name, "a label of fixed_set is %s, not one of %v", fault.Quote(label), schemas.LabelNames)
		}
		if slices.Contains(p.FixedSet[:i], label) {
			return stages.Usage(name, "fixed_set has %s twice", label)
		}
	}
	return nil
}

// maxShareTerm keeps the product with n within 64 bits.
const maxShareTerm = 1_000_000

func (p Params) validateShare() error {
	s := p.MaxSharePerClass
	if s.Den < 1 || s.Den > maxShareTerm || s.Num < 1 || s.Num > s.Den {
		return stages.Usage(name, "max_share_per_class is %d/%d, no fraction above 0 and up to 1 with terms up to %d", s.Num, s.Den, maxShareTerm)
	}
	if p.cap() < 1 {
		return stages.Usage(name, "max_share_per_class of %d/%d lets no class have one of %d instances", s.Num, s.Den, p.N)
	}
	return nil
}

// cap returns the instances that one class may have.
func (p Params) cap() int { return int(int64(p.N) * p.MaxSharePerClass.Num / p.MaxSharePerClass.Den) }

// patience is how many candidates of full classes are passed over before each class may have one
// more: until any may have all, that takes a tenth of the attempts.
func (p Params) patience() int { return max(1, p.MaxAttempts/(10*p.N)) }
