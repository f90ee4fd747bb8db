package replay

import (
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// Release is what the judge needs of a release, and of the family whose games it has.
type Release struct {
	Family         string
	Name           string
	ID             string
	ManifestSHA256 string
	FreshSince     func(stage string) string // as in family.Source
	Wiki           string
	Defaults       schemas.GameOptions                                           // rules of a game that names none
	World          func(schemas.GameOptions) (game.World, error)                 // of games under these options
	Resolve        func(aliases bool) (func(title string) (uint32, bool), error) // exact titles first, then aliases
	Splits         []Split
	Pseudonym      func(node uint32) string // what lists call a page; nil for its title
}

type Split struct {
	family.Split
	Tasks  []game.Task // in the order of play
	Groups []Group     // the rows that stand below that of the split; none for rows by distance
	// Pathless says that the ban leaves no path: the only success is to say so.
	Pathless bool
}

type Group struct {
	family.Group
	Tasks map[string]bool // by id
}
