package draw

import (
	"strconv"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Levels gives the published levels of a world, in ascending order of difficulty.
func Levels(env string) []string {
	switch env {
	case schemas.LuminaList:
		return []string{"k02", "k04", "k08", "k16", "k32", "k64", "k16d25"}
	case schemas.LuminaTree:
		return []string{"n007", "n015", "n031", "n063", "n127"}
	case schemas.LuminaGrid:
		return []string{"n04", "n06", "n08", "n12", "n16", "n24"}
	}
	return nil
}

// Examples gives the level and the indices of a world's split fewshot, from which the examples in prompts are made.
func Examples(env string) (level string, indices []int) {
	switch env {
	case schemas.LuminaList:
		return "k03", []int{0, 1}
	case schemas.LuminaTree:
		return "n007", []int{0, 8} // one found, one unreachable
	case schemas.LuminaGrid:
		return "n05", []int{0, 1} // the second has a detour
	}
	return "", nil
}

// ListLevel reads a level such as k16 or k16d25: pops, and percent of duplicates; e4 sets the elements that stay.
func ListLevel(level string) (schemas.LuminaListKnobs, error) {
	k := schemas.LuminaListKnobs{Keep: -1}
	if err := parseLevel(level, map[byte]*int{'k': &k.K, 'd': &k.Dup, 'e': &k.Keep}); err != nil {
		return k, err
	}
	if k.Keep < 0 {
		k.Keep = max(4, k.K)
	}
	return k, checkList(k)
}

// TreeLevel reads a level such as n031 or n031a3: nodes and arity; k20 and e50 set the percentages of known nodes and listed
// children, r1 draws a random shape, c1 takes the clairvoyant's budget.
func TreeLevel(level string) (schemas.LuminaTreeKnobs, error) {
	k := schemas.LuminaTreeKnobs{Arity: 2, Shape: schemas.ShapeComplete, PKnown: 20, PEdges: 50, Budget: schemas.BudgetWorst}
	var random, clair int
	knobs := map[byte]*int{'n': &k.N, 'a': &k.Arity, 'k': &k.PKnown, 'e': &k.PEdges, 'r': &random, 'c': &clair}
	if err := parseLevel(level, knobs); err != nil {
		return k, err
	}
	if random > 0 {
		k.Shape = schemas.ShapeRandom
	}
	if clair > 0 {
		k.Budget = schemas.BudgetClair
	}
	return k, checkTree(k)
}

// GridLevel reads a level such as n08 or n08h40: size and percent of holes; c3 and o1 set what a hole and a move off the board cost.
func GridLevel(level string) (schemas.LuminaGridKnobs, error) {
	k := schemas.LuminaGridKnobs{HolePct: 30, HoleCost: 3, OOBCost: 1, Detour: schemas.DetourOdd}
	if err := parseLevel(level, map[byte]*int{'n': &k.N, 'h': &k.HolePct, 'c': &k.HoleCost, 'o': &k.OOBCost}); err != nil {
		return k, err
	}
	k.MinManhattan = k.N
	return k, checkGrid(k)
}

// maxDigits bounds a number in a level.
const maxDigits = 6

// parseLevel reads pairs of a letter and a number into knobs; a letter stands once at most, and numbers have no sign.
func parseLevel(level string, knobs map[byte]*int) error {
	bad := fault.New(fault.Usage, "level %s is not made of letters and numbers such as %s", fault.Quote(level), "k16d25, n031 or n08h40")
	seen := map[byte]bool{}
	for rest := level; rest != ""; {
		letter, end := rest[0], 1
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(rest[1:end])
		if knobs[letter] == nil || seen[letter] || err != nil || end > 1+maxDigits {
			return bad
		}
		*knobs[letter], seen[letter] = n, true
		rest = rest[end:]
	}
	if level == "" {
		return bad
	}
	return nil
}

func checkList(k schemas.LuminaListKnobs) error {
	switch {
	case k.K < 1 || k.Keep < 0 || k.K+k.Keep > worlds.MaxList:
		return fault.New(fault.Usage, "a list with %d elements to pop and %d that stay: want 1 or more, 0 or more, %d together at most", k.K, k.Keep, worlds.MaxList)
	case k.Dup < 0 || k.Dup > 100:
		return fault.New(fault.Usage, "a list with %d %% duplicates: want 0 to 100", k.Dup)
	}
	return nil
}

// maxNodes keeps a tree's record within a line.
const maxNodes = 10_000

func checkTree(k schemas.LuminaTreeKnobs) error {
	switch {
	case k.N < 2 || k.N > maxNodes || k.Arity < 1:
		return fault.New(fault.Usage, "a tree of %d nodes with %d children each: want 2 to %d nodes, 1 child or more", k.N, k.Arity, maxNodes)
	case k.PKnown < 0 || k.PKnown > 100 || k.PEdges < 0 || k.PEdges > 100:
		return fault.New(fault.Usage, "a tree with %d %% of its nodes known, %d %% of these with children: want 0 to 100", k.PKnown, k.PEdges)
	}
	return nil
}

func checkGrid(k schemas.LuminaGridKnobs) error {
	switch {
	case k.N < worlds.MinBoard || k.N > worlds.MaxBoard:
		return fault.New(fault.Usage, "a board of %d x %d: want %d to %d", k.N, k.N, worlds.MinBoard, worlds.MaxBoard)
	case k.HolePct < 0 || k.HolePct > 100:
		return fault.New(fault.Usage, "a board with %d %% holes: want 0 to 100", k.HolePct)
	}
	return nil
}
