package wikirace

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

// Params is all that decides which instances are drawn, beside the inputs. The names are those of the recipe.
type Params struct {
	Seed   int64   `json:"seed"`
	Splits []Split `json:"splits"`
	Sample string  `json:"sample"`
	Reuse  string  `json:"reuse"`

	SourceMinOut   int    `json:"source_min_out"`   // links on the source, in the graph
	TargetMinIn    int    `json:"target_min_in"`    // links to the target, in the graph
	ExcludeFlags   uint16 `json:"exclude_flags"`    // page flags; a page with any of them is neither source nor target
	ExcludeTitleRE string `json:"exclude_title_re"` // RE2; "" excludes nothing

	MaxAttempts     int    `json:"max_attempts"`     // per slot
	ExhaustivePairs int64  `json:"exhaustive_pairs"` // nodes x targets up to which a slot without luck enumerates the pairs
	MatchingPairs   int64  `json:"matching_pairs"`   // pairs at a distance up to which a shortage states its matching bound
	OnShortage      string `json:"on_shortage"`

	MaxSteps     int    `json:"max_steps"`
	MaxLinks     int    `json:"max_links"`
	GameSeed     *int64 `json:"game_seed"`     // of the game's menus; nil stands for Seed
	RecipeSHA256 string `json:"recipe_sha256"` // of the graph recipe, copied to each instance
}

// Default gives the parameters of the published splits. The recipe's digest is left to the caller.
func Default() Params {
	return Params{
		Seed: 42, Splits: PublishedSplits(), Sample: SourceFirst, Reuse: ReuseNone,
		SourceMinOut: 1, TargetMinIn: 1,
		MaxAttempts: 1000, ExhaustivePairs: 1e10, MatchingPairs: 1e8, OnShortage: OnShortageShort,
		MaxSteps: 30, MaxLinks: 50,
	}
}

// PublishedSplits gives the splits whose names are reserved.
func PublishedSplits() []Split {
	return []Split{
		{"easy", 200, []int{3, 4}},
		{"medium", 150, []int{5, 6}},
		{"hard", 100, []int{7, 8}},
	}
}

func (p Params) gameSeed() int64 {
	if p.GameSeed == nil {
		return p.Seed
	}
	return *p.GameSeed
}
