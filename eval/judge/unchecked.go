package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Games on another graph. Ours knows neither their links nor their distances, so all that counts is what a path shows by itself: whether it
// ends at the target, how long it is, which pages it comes back to (wikirace specification, 13).

// uncheckedWiki stands for the wiki in the names of pairs whose pages have no ids.
const uncheckedWiki = "?"

// UncheckedKey names a pair of pages by their numbers in schemas.Import.Pages.
func UncheckedKey(source, target uint32) string {
	return fmt.Sprintf("%s:%d:%d", uncheckedWiki, source, target)
}

// unchecked tells whether the games were played on another graph.
func (j *judge) unchecked() bool { return j.log.Import != nil && j.log.Import.Unchecked }

// uncheckedPair reads a name that UncheckedKey gave; nil for any other.
func uncheckedPair(key string, pages int) *schemas.WikiraceInstance {
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
	return &schemas.WikiraceInstance{ID: key, Key: key, Source: schemas.PageRef{Node: ends[0]}, Target: schemas.PageRef{Node: ends[1]}}
}

// uncheckedGame reads a verdict off the path alone.
func uncheckedGame(told trace.Game, task game.Task, log *trace.GameLog) (*verdict, []Disagreement, error) {
	if told.Record == nil {
		return nil, nil, fault.New(fault.Malformed, "game %s has no record", told.Name()).At(log.Path, "")
	}
	v := &verdict{id: task.ID, attempt: told.Attempt, source: task.Source.Node, target: task.Target.Node, invalid: told.Record.Invalid, usage: told.Usage}
	visits := map[uint32]int{}
	for _, p := range told.Path {
		if int(p.Node) >= len(log.Import.Pages) {
			return nil, nil, fault.New(fault.Malformed, "game %s visits page %d of %d", told.Name(), p.Node, len(log.Import.Pages)).At(log.Path, "")
		}
		visits[p.Node]++
		v.maxVisits = max(v.maxVisits, visits[p.Node])
	}
	v.moves = len(told.Path) - 1
	v.turns = v.moves + v.invalid
	if log.Run != nil {
		v.cost = price(log.Run.Price, v.usage)
	}
	v.outcome = uncheckedOutcome(told, task)
	return v, uncheckedDisagreements(told, task, v), nil
}

var uncheckedFailures = []string{
	schemas.OutcomeStepLimit, schemas.OutcomeFormat, schemas.OutcomeInvalidAction, schemas.OutcomeRevisit, schemas.OutcomeStuck, schemas.OutcomeInfra,
}

// uncheckedOutcome lets the last page decide about success, and the log about the reason of anything else.
func uncheckedOutcome(told trace.Game, task game.Task) string {
	if told.Path[len(told.Path)-1].Node == task.Target.Node {
		return schemas.OutcomeSuccess
	}
	if claimed := told.Record.Outcome; slices.Contains(uncheckedFailures, claimed) {
		return claimed
	}
	return schemas.OutcomeGaveUp
}

func uncheckedDisagreements(told trace.Game, task game.Task, v *verdict) []Disagreement {
	var out []Disagreement
	for _, d := range differing([]field{
		{"source", told.Path[0].Node, task.Source.Node},
		{"outcome", told.Record.Outcome, v.outcome},
		{"turns", told.Record.Turns, v.turns},
		{"moves", told.Record.Moves, v.moves},
	}) {
		out = append(out, at(told, 0, d.name, text(d.told), text(d.replay)))
	}
	return out
}

// asUnchecked takes away what needs distances or menus, and adds the length that a path shows.
func (c *cell) asUnchecked(m map[string]Metric, won []*verdict) {
	for _, name := range []string{MetricSuboptimal, MetricSubMoves, MetricMicro, MetricMacro, MetricDead, MetricAvail} {
		m[name] = Metric{}
	}
	m[MetricLength] = c.mean(MetricLength, won, func(v *verdict) int { return v.moves })
}
