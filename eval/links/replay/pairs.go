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

// place finds where a game goes. Imported games may be of pairs that are no instances, named by
// key; games of people go nowhere else, so that nobody gets into a split by their rules.
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
		name, kind := s.pairsRow()
		s.pairs = &cell{
			split: Split{Split: family.Split{Name: name}}, stream: name, seed: s.Request.Seed, open: true, kind: kind,
		}
		s.cells = append(s.cells, s.pairs)
	}
	p = &place{*task, s.pairs}
	s.known[id] = p
	return p, nil
}

func (s *scorer) pairsRow() (name string, measured *kind) {
	switch {
	case s.unchecked():
		return OtherGraph, otherGraph
	case s.human() && s.log.Import.Clicks:
		return HumanGames, people
	case s.human():
		return HumanGames, resolved
	}
	return ForeignPairs, plain
}

func (s *scorer) pair(id string) (*game.Task, error) {
	if !s.unchecked() {
		return Pair(s.world, id)
	}
	wiki, ends, ok := readKey(id)
	if !ok || wiki != uncheckedWiki || int(max(ends[0], ends[1])) >= len(s.log.Import.Pages) {
		return nil, nil
	}
	return &game.Task{ID: id, Source: schemas.PageRef{Node: ends[0]}, Target: schemas.PageRef{Node: ends[1]}}, nil
}

// Key names a pair of pages by numbers of a wiki: <wiki>:<source>:<target>.
func Key(wiki string, source, target uint32) string {
	return fmt.Sprintf("%s:%d:%d", wiki, source, target)
}

func readKey(key string) (wiki string, ends [2]uint32, ok bool) {
	parts := strings.Split(key, ":")
	if len(parts) != 3 {
		return "", ends, false
	}
	for i, text := range parts[1:] {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return "", ends, false
		}
		ends[i] = uint32(n)
	}
	return parts[0], ends, Key(parts[0], ends[0], ends[1]) == key
}

// Pair returns the task with a key of page ids as a pair that nobody published; nil for a name that
// is not a key of two pages of w. Its id is the key.
func Pair(w game.World, key string) (*game.Task, error) {
	_, ids, named := readKey(key)
	source, ok := pageOf(w, ids[0])
	target, ok2 := pageOf(w, ids[1])
	if !named || !ok || !ok2 {
		return nil, nil
	}
	column, err := w.Column(target.Node)
	if err != nil {
		return nil, err
	}
	return &game.Task{ID: key, Source: source, Target: target, Length: int(column[source.Node]), Seed: pairSeed}, nil
}

// pageOf finds the page with that id; nodes ascend with their page ids.
func pageOf(w game.World, id uint32) (schemas.PageRef, bool) {
	n := sort.Search(w.Len(), func(u int) bool { return w.PageID(uint32(u)) >= id })
	if u := uint32(n); n < w.Len() && w.PageID(u) == id {
		return schemas.PageRef{Node: u, PageID: id, Title: w.Title(u)}, true
	}
	return schemas.PageRef{}, false
}

// Games on another graph, of whose links and distances nothing is known: what counts is what a path
// shows by itself, its end, its length and the pages it comes back to.

// uncheckedWiki stands for the wiki in the names of pairs whose pages have no ids.
const uncheckedWiki = "?"

// UncheckedKey names a pair of pages by their numbers in schemas.Import.Pages.
func UncheckedKey(source, target uint32) string { return Key(uncheckedWiki, source, target) }

// unchecked reports whether the games were played on another graph.
func (s *scorer) unchecked() bool { return s.log.Import != nil && s.log.Import.Unchecked }

// uncheckedGame reads a verdict off the path alone.
func uncheckedGame(told Game, task game.Task, log *Log) (*verdict, []family.Disagreement, error) {
	if told.Record == nil {
		return nil, nil, fault.New(fault.Malformed, "game %s has no record", told.Name()).At(log.Path, "")
	}
	trail := game.NewTrail(told.Path[0].Node)
	for i, p := range told.Path {
		if int(p.Node) >= len(log.Import.Pages) {
			return nil, nil, fault.New(fault.Malformed, "game %s visits page %d of %d", told.Name(), p.Node,
				len(log.Import.Pages)).At(log.Path, "")
		}
		if i > 0 {
			trail.Push(p.Node)
		}
	}
	v := told.verdict(task)
	v.moves, v.invalid, v.maxVisits, v.usage = trail.Moves(), told.Record.Invalid, trail.MaxVisits(), told.Usage
	v.turns = v.moves + v.invalid
	v.cost = judge.Spent(log.Run, v.usage, nil)
	v.outcome = uncheckedOutcome(told, task)
	f := findings{told: told}
	f.compare(0, []field{
		{"source", told.Path[0].Node, task.Source.Node},
		{"outcome", told.Record.Outcome, v.outcome},
		{"turns", told.Record.Turns, v.turns},
		{"moves", told.Record.Moves, v.moves},
	})
	return &v, f.disagreed, nil
}

var uncheckedFailures = []string{
	schemas.OutcomeStepLimit, schemas.OutcomeFormat, schemas.OutcomeInvalidAction, schemas.OutcomeRevisit,
	schemas.OutcomeStuck,
}

// uncheckedOutcome lets the last page decide about success, the log about all other reasons.
func uncheckedOutcome(told Game, task game.Task) string {
	if told.Path[len(told.Path)-1].Node == task.Target.Node {
		return schemas.OutcomeSuccess
	}
	if claimed := told.Record.Outcome; slices.Contains(uncheckedFailures, claimed) {
		return claimed
	}
	return schemas.OutcomeGaveUp
}
