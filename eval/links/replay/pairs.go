package replay

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Names of the rows of imported games that belong to no split.
const (
	HumanGames   = "human"
	ForeignPairs = "pairs"
	OtherGraph   = "other-graph" // games that were not checked
)

// pairSeed draws the menus of a pair that is not an instance.
const pairSeed = 42

// human reports whether the games were played by people, without menu and limit.
func (s *scorer) human() bool { return s.log.Import != nil && s.log.Import.Human }

// place finds where a game goes. Imported games may be of pairs that are no instances: these are
// named by key. Games of people go nowhere else, so that nobody gets into a split by the rules of
// people.
func (s *scorer) place(id string) (*place, error) {
	p := s.known[id]
	switch {
	case s.log.Import == nil:
		return p, nil
	case p != nil && (s.human() || s.unchecked()) && p.cell != s.pairs:
		return nil, nil
	case p != nil:
		return p, nil
	}
	task, err := s.pair(id)
	if task == nil || err != nil {
		return nil, err
	}
	if s.pairs == nil {
		name := s.pairsName()
		s.pairs = &cell{
			split: Split{Split: family.Split{Name: name}}, stream: name, seed: s.req.Seed, open: true,
			kind: s.pairsKind(),
		}
		s.cells = append(s.cells, s.pairs)
	}
	p = &place{*task, s.pairs}
	s.known[id] = p
	return p, nil
}

func (s *scorer) pairsName() string {
	switch {
	case s.unchecked():
		return OtherGraph
	case s.human():
		return HumanGames
	}
	return ForeignPairs
}

func (s *scorer) pairsKind() *kind {
	switch {
	case s.unchecked():
		return otherGraph
	case s.human() && s.log.Import.Clicks:
		return people
	case s.human():
		return resolved
	}
	return plain
}

func (s *scorer) pair(id string) (*game.Task, error) {
	if s.unchecked() {
		return uncheckedPair(id, len(s.log.Import.Pages)), nil
	}
	return Pair(s.world, id)
}

// Pair returns the task with a key, <wiki>:<source page id>:<target page id>, as a pair that nobody
// published; nil for a name that is not a key of two pages of w. Its id is the key.
func Pair(w game.World, key string) (*game.Task, error) {
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
	return &game.Task{ID: key, Source: source, Target: target, Length: int(column[source.Node]), Seed: pairSeed}, nil
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

// Games on another graph. Ours knows neither their links nor their distances, so all that counts is
// what a path shows by itself: whether it ends at the target, how long it is, which pages it comes
// back to.

// uncheckedWiki stands for the wiki in the names of pairs whose pages have no ids.
const uncheckedWiki = "?"

// UncheckedKey names a pair of pages by their numbers in schemas.Import.Pages.
func UncheckedKey(source, target uint32) string {
	return fmt.Sprintf("%s:%d:%d", uncheckedWiki, source, target)
}

// unchecked reports whether the games were played on another graph.
func (s *scorer) unchecked() bool { return s.log.Import != nil && s.log.Import.Unchecked }

// uncheckedPair reads a name that UncheckedKey gave; nil for any other.
func uncheckedPair(key string, pages int) *game.Task {
	parts := strings.Split(key, ":")
	if len(parts) != 3 || parts[0] != uncheckedWiki {
		return nil
	}
	var ends [2]uint32
	for i, text := range parts[1:] {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil || n >= uint64(pages) {
			return nil
		}
		ends[i] = uint32(n)
	}
	if UncheckedKey(ends[0], ends[1]) != key {
		return nil
	}
	return &game.Task{ID: key, Source: schemas.PageRef{Node: ends[0]}, Target: schemas.PageRef{Node: ends[1]}}
}

// uncheckedGame reads a verdict off the path alone.
func uncheckedGame(told Game, task game.Task, log *Log) (*verdict, []family.Disagreement, error) {
	if told.Record == nil {
		return nil, nil, fault.New(fault.Malformed, "game %s has no record", told.Name()).At(log.Path, "")
	}
	v := &verdict{
		task: &task, attempt: told.Attempt, name: told.Name(), invalid: told.Record.Invalid,
		usage: told.Usage,
	}
	visits := map[uint32]int{}
	for _, p := range told.Path {
		if int(p.Node) >= len(log.Import.Pages) {
			return nil, nil, fault.New(fault.Malformed, "game %s visits page %d of %d", told.Name(), p.Node,
				len(log.Import.Pages)).At(log.Path, "")
		}
		visits[p.Node]++
		v.maxVisits = max(v.maxVisits, visits[p.Node])
	}
	v.moves = len(told.Path) - 1
	v.turns = v.moves + v.invalid
	if log.Run != nil {
		v.cost = judge.ExactCost(log.Run.Price, v.usage)
	}
	v.outcome = uncheckedOutcome(told, task)
	return v, uncheckedDisagreements(told, task, v), nil
}

var uncheckedFailures = []string{
	schemas.OutcomeStepLimit, schemas.OutcomeFormat, schemas.OutcomeInvalidAction, schemas.OutcomeRevisit,
	schemas.OutcomeStuck, schemas.OutcomeInfra,
}

// uncheckedOutcome lets the last page decide about success, and the log about the reason of
// anything else.
func uncheckedOutcome(told Game, task game.Task) string {
	if told.Path[len(told.Path)-1].Node == task.Target.Node {
		return schemas.OutcomeSuccess
	}
	if claimed := told.Record.Outcome; slices.Contains(uncheckedFailures, claimed) {
		return claimed
	}
	return schemas.OutcomeGaveUp
}

func uncheckedDisagreements(told Game, task game.Task, v *verdict) []family.Disagreement {
	return differing(told, 0, []field{
		{"source", told.Path[0].Node, task.Source.Node},
		{"outcome", told.Record.Outcome, v.outcome},
		{"turns", told.Record.Turns, v.turns},
		{"moves", told.Record.Moves, v.moves},
	})
}
