package draw

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

type world struct {
	levels   []string // published
	example  string   // level of the split fewshot
	examples []int    // its indices
	at       func(level string) (draw, error)
}

var all = map[string]world{
	schemas.LuminaList: {[]string{"k02", "k04", "k08", "k16", "k32", "k64", "k16d25"}, "k03", []int{0, 1}, listAt},
	// One of the examples is found, one unreachable.
	schemas.LuminaTree: {[]string{"n007", "n015", "n031", "n063", "n127"}, "n007", []int{0, 8}, treeAt},
	// The second of the examples has a detour.
	schemas.LuminaGrid: {[]string{"n04", "n06", "n08", "n12", "n16", "n24"}, "n05", []int{0, 1}, gridAt},
}

// Levels gives the published levels of a world, in ascending order of difficulty.
func Levels(env string) []string { return slices.Clone(all[env].levels) }

// Examples gives the level and the indices of a world's split fewshot, from which the examples in prompts are made.
func Examples(env string) (level string, indices []int) { return all[env].example, all[env].examples }

// CheckLevel refuses a level that means nothing in a world.
func CheckLevel(env, level string) error {
	_, err := all[env].at(level)
	return err
}

// listAt reads a level such as k16 or k16d25: pops, and percent of duplicates; e4 sets the elements that stay.
func listAt(level string) (draw, error) {
	k := schemas.LuminaListKnobs{Keep: -1}
	err := parseLevel(level,
		knob{"k", "elements to pop", &k.K, 1, worlds.MaxList}, knob{"d", "% duplicates", &k.Dup, 0, 100},
		knob{"e", "elements that stay", &k.Keep, -1, worlds.MaxList})
	if k.Keep < 0 {
		k.Keep = max(4, k.K)
	}
	if err == nil && k.K+k.Keep > worlds.MaxList {
		err = fault.New(fault.Usage, "level %s: a list of %d elements, want %d at most", level, k.K+k.Keep, worlds.MaxList)
	}
	return func(n Name) (any, *worlds.Instance, error) { return list(n, k) }, err
}

// maxNodes keeps a tree's record within a line.
const maxNodes = 10_000

// treeAt reads a level such as n031 or n031a3: nodes and arity; k20 and e50 set the percentages of known nodes and listed
// children, r1 draws a random shape, c1 takes the clairvoyant's budget.
func treeAt(level string) (draw, error) {
	k := schemas.LuminaTreeKnobs{Arity: 2, Shape: schemas.ShapeComplete, PKnown: 20, PEdges: 50, Budget: schemas.BudgetWorst}
	var random, clair int
	err := parseLevel(level,
		knob{"n", "nodes", &k.N, 2, maxNodes}, knob{"a", "children of a node", &k.Arity, 1, maxKnob},
		knob{"k", "% known nodes", &k.PKnown, 0, 100}, knob{"e", "% of these with children", &k.PEdges, 0, 100},
		knob{"r", "for a random shape", &random, 0, maxKnob}, knob{"c", "for the clairvoyant's budget", &clair, 0, maxKnob})
	if random > 0 {
		k.Shape = schemas.ShapeRandom
	}
	if clair > 0 {
		k.Budget = schemas.BudgetClair
	}
	return func(n Name) (any, *worlds.Instance, error) { return tree(n, k) }, err
}

// gridAt reads a level such as n08 or n08h40: size and percent of holes; c3 and o1 set what a hole and a move off the board cost.
func gridAt(level string) (draw, error) {
	k := schemas.LuminaGridKnobs{HolePct: 30, HoleCost: 3, OOBCost: 1, Detour: schemas.DetourOdd}
	err := parseLevel(level,
		knob{"n", "rows and columns", &k.N, worlds.MinBoard, worlds.MaxBoard}, knob{"h", "% holes", &k.HolePct, 0, 100},
		knob{"c", "for a hole", &k.HoleCost, 0, maxKnob}, knob{"o", "for a move off the board", &k.OOBCost, 0, maxKnob})
	k.MinManhattan = k.N
	return func(n Name) (any, *worlds.Instance, error) { return grid(n, k) }, err
}

// knob is a number of a level, after its letter.
type knob struct {
	letter, says string
	to           *int
	least, most  int
}

const maxKnob = 999_999

var (
	levelForm = regexp.MustCompile(`^([a-z][0-9]{1,6})+$`)
	levelPart = regexp.MustCompile(`([a-z])([0-9]+)`)
)

// parseLevel reads pairs of a letter and a number into knobs; a letter stands once at most, and numbers have no sign.
func parseLevel(level string, knobs ...knob) error {
	seen := map[string]bool{}
	for _, part := range levelPart.FindAllStringSubmatch(level, -1) {
		i := slices.IndexFunc(knobs, func(k knob) bool { return k.letter == part[1] && !seen[k.letter] })
		if i < 0 || !levelForm.MatchString(level) {
			seen = nil
			break
		}
		seen[part[1]] = true
		*knobs[i].to, _ = strconv.Atoi(part[2])
	}
	if len(seen) == 0 {
		return fault.New(fault.Usage, "level %s is not made of letters and numbers such as %s", fault.Quote(level), "k16d25, n031 or n08h40")
	}
	for _, k := range knobs {
		if *k.to < k.least || *k.to > k.most {
			return fault.New(fault.Usage, "level %s: %d %s, want %d to %d", level, *k.to, k.says, k.least, k.most)
		}
	}
	return nil
}
