package judge

import (
	"sort"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// Names of the rows of imported games that belong to no split.
const (
	HumanGames   = "human"
	ForeignPairs = "pairs"
	OtherGraph   = "other-graph" // games that were not checked
)

// pairSeed draws the menus of a pair that is no instance.
const pairSeed = 42

// human tells whether the games were played by people, without menu and limit.
func (j *judge) human() bool { return j.log.Import != nil && j.log.Import.Human }

// place finds where a game goes. Imported games may be of pairs that are no instances: these are named by key. Games of people go nowhere
// else, so that nobody gets into a split by the rules of people.
func (j *judge) place(id string) (*place, error) {
	p := j.known[id]
	switch {
	case j.log.Import == nil:
		return p, nil
	case p != nil && (j.human() || j.unchecked()) && p.cell != j.pairs:
		return nil, nil
	case p != nil:
		return p, nil
	}
	inst, err := j.pair(id)
	if inst == nil || err != nil {
		return nil, err
	}
	if j.pairs == nil {
		name := j.pairsName()
		j.pairs = &cell{
			split: name, seed: j.req.Seed, human: j.human(), clicks: j.log.Import.Clicks, unchecked: j.unchecked(), open: true, source: Split{Name: name},
		}
		j.cells = append(j.cells, j.pairs)
	}
	p = &place{game.TaskOf(*inst), j.pairs}
	j.known[id] = p
	return p, nil
}

func (j *judge) pairsName() string {
	switch {
	case j.unchecked():
		return OtherGraph
	case j.human():
		return HumanGames
	}
	return ForeignPairs
}

func (j *judge) pair(id string) (*schemas.WikiraceInstance, error) {
	if j.unchecked() {
		return uncheckedPair(id, len(j.log.Import.Pages)), nil
	}
	return Pair(j.rel.World, id)
}

// Pair gives the instance with a key, <wiki>:<source page id>:<target page id>, as a pair that nobody froze; nil for a
// name that is no key of two pages of w. Its id is the key.
func Pair(w game.World, key string) (*schemas.WikiraceInstance, error) {
	parts := strings.Split(key, ":")
	if len(parts) != 3 {
		return nil, nil
	}
	source, ok := pageOf(w, parts[1])
	target, ok2 := pageOf(w, parts[2])
	if !ok || !ok2 {
		return nil, nil
	}
	column, err := w.Column(target.Node)
	if err != nil {
		return nil, err
	}
	return &schemas.WikiraceInstance{
		Schema: schemas.WikiraceInstanceSchema, ID: key, Key: key, Source: source, Target: target, Distance: int(column[source.Node]), Seed: pairSeed,
	}, nil
}

// pageOf finds the page with that id; nodes ascend with their page ids.
func pageOf(w game.World, text string) (schemas.PageRef, bool) {
	id, err := strconv.ParseUint(text, 10, 32)
	if err != nil || strconv.FormatUint(id, 10) != text {
		return schemas.PageRef{}, false
	}
	u := sort.Search(w.Len(), func(u int) bool { return uint64(w.PageID(uint32(u))) >= id })
	if u == w.Len() || uint64(w.PageID(uint32(u))) != id {
		return schemas.PageRef{}, false
	}
	return schemas.PageRef{Node: uint32(u), PageID: uint32(id), Title: w.Title(uint32(u))}, true
}
