package wikirace

import (
	"regexp"
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// Split is a set of instances.
type Split = pairs.Split

// Params is all that decides what the instances are, beside the inputs. The names are those of the recipe.
type Params struct {
	pairs.Rules
	MaxSteps     int    `json:"max_steps"`
	MaxLinks     int    `json:"max_links"`
	GameSeed     *int64 `json:"game_seed"`                // of the game's menus; nil stands for Seed
	RW           string `json:"rw"`                       // how chances of random walks are found: schemas.RWExact or RWSim
	RecipeSHA256 string `json:"recipe_sha256" recipe:"-"` // of the graph recipe, copied to each instance
}

// Default gives the parameters of the published splits. The recipe's digest is left to the caller.
func Default() Params {
	p := Params{Rules: pairs.DefaultRules(), MaxSteps: 30, MaxLinks: 50, RW: schemas.RWExact}
	p.Splits = PublishedSplits()
	return p
}

// PublishedSplits gives the splits whose names are reserved.
func PublishedSplits() []Split {
	return []Split{
		{Name: "easy", Size: 200, Distances: []int{3, 4}},
		{Name: "medium", Size: 150, Distances: []int{5, 6}},
		{Name: "hard", Size: 100, Distances: []int{7, 8}},
	}
}

// Under takes over what the graph's recipe decides: pages that are no ends, and its digest.
func (p *Params) Under(graph schemas.Recipe) {
	p.Ends.Under(graph)
	p.RecipeSHA256 = digest.SHA256(canon.MustMarshal(graph))
}

func (p Params) gameSeed() int64 {
	if p.GameSeed == nil {
		return p.Seed
	}
	return *p.GameSeed
}

// Validate tells, before any work, whether the parameters mean something; its errors are fault.Usage.
func (p Params) Validate() error {
	if err := p.Rules.Validate(name); err != nil {
		return err
	}
	if !digestPattern.MatchString(p.RecipeSHA256) {
		return fault.New(fault.Usage, "wikirace: recipe_sha256 is %s, not 64 hexadecimal digits", fault.Quote(p.RecipeSHA256))
	}
	if p.RW != schemas.RWExact && p.RW != schemas.RWSim {
		return fault.New(fault.Usage, "wikirace: rw = %s, want %s or %s", fault.Quote(p.RW), schemas.RWExact, schemas.RWSim)
	}
	err := pairs.InRange(name,
		pairs.Number{Name: "game_seed", Value: p.gameSeed(), Least: -canon.MaxInt},
		pairs.Number{Name: "max_steps", Value: int64(p.MaxSteps), Least: 1},
		pairs.Number{Name: "max_links", Value: int64(p.MaxLinks), Least: 2},
	)
	if err != nil {
		return err
	}
	return reservedNames(p.Splits)
}

var digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// reservedNames refuses splits that bear a published name and are something else.
func reservedNames(splits []Split) error {
	for _, s := range splits {
		for _, p := range PublishedSplits() {
			if s.Name == p.Name && (s.Size != p.Size || !slices.Equal(s.Distances, p.Distances)) {
				return fault.New(fault.Usage, "wikirace: split %s is always %d instances at distances %v", p.Name, p.Size, p.Distances).
					Hint("give a split of another size or other distances a name of its own")
			}
		}
	}
	return nil
}
