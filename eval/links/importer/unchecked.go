package importer

import (
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/schemas"
)

// ConvertUnchecked takes the games of f as they stand, without a look at the release's graph: for
// games that were played on another one. Pages are told apart by their titles in the file and by
// nothing else.
func ConvertUnchecked(f *File, rel replay.Release, run schemas.Run) (*family.Imported, error) {
	c, err := newConverter(f, rel)
	if err != nil {
		return nil, err
	}
	u := &unchecked{
		converter: c, number: map[string]uint32{}, targets: map[string]string{},
		sources: map[string]string{},
	}
	u.out.Import.Unchecked, u.out.Import.Steps = true, false
	for id, task := range u.byID {
		u.targets[id], u.sources[id] = task.Target.Title, task.Source.Title
	}
	u.describe(run, noRules)
	for i, g := range f.Games {
		reason := g.Reject
		if reason == "" {
			reason = u.take(i, g)
		}
		u.count(g, reason)
	}
	u.out.Import.Games = len(u.out.Records)
	return &u.out, nil
}

type unchecked struct {
	*converter
	number  map[string]uint32
	targets map[string]string // by instance, as sources
	sources map[string]string
}

// page numbers the titles in order of their appearance.
func (u *unchecked) page(title string) uint32 {
	n, ok := u.number[title]
	if !ok {
		n = uint32(len(u.out.Import.Pages))
		u.number[title] = n
		u.out.Import.Pages = append(u.out.Import.Pages, title)
	}
	return n
}

// take makes a game of the pages that g shows.
func (u *unchecked) take(i int, g Game) (reject string) {
	target := g.Target
	if g.Instance != "" {
		target = u.targets[g.Instance]
	}
	switch {
	case target == "":
		return RejectInstance
	case g.Banned != "":
		return RejectBanned
	case g.Start == "":
		g.Start = u.sources[g.Instance]
	}
	path, invalid, reject := u.follow(g)
	if reject != "" {
		return reject
	}
	end := u.page(target)
	key := replay.UncheckedKey(path[0], end)
	attempt := u.attempt(key, g.Attempt)
	if attempt == 0 {
		return RejectAttempt
	}
	rec := u.record(i, key, attempt)
	if u.file.Human {
		rec.Game = g.Player + "-" + rec.Game
	}
	rec.Path, rec.Moves, rec.Invalid, rec.Turns = path, len(path)-1, invalid, len(path)-1+invalid
	rec.Outcome = outcomeOf(g, path[len(path)-1] == end)
	rec.Usage, rec.Cost = g.Usage, judge.Cost(u.out.Run.Price, g.Usage)
	u.out.Records = append(u.out.Records, family.Record{Main: rec})
	return ""
}

// follow lists the pages that were shown: those that were clicked, and those that back clicks
// returned to.
func (u *unchecked) follow(g Game) (path []uint32, invalid int, reject string) {
	stack := []uint32{u.page(g.Start)}
	path = append(path, stack[0])
	for _, click := range g.Clicks {
		switch {
		case click.Invalid != "":
			invalid++
			u.out.Import.Invalid[click.Invalid]++
			continue
		case click.Back && len(stack) < 2:
			return nil, 0, RejectUnderflow
		case click.Back:
			stack = stack[:len(stack)-1]
		default:
			stack = append(stack, u.page(click.Title))
		}
		path = append(path, stack[len(stack)-1])
	}
	return path, invalid, ""
}

// outcomeOf lets the last page decide about success.
func outcomeOf(g Game, arrived bool) string {
	switch {
	case arrived:
		return schemas.OutcomeSuccess
	case g.Outcome == nil || *g.Outcome == schemas.OutcomeSuccess:
		return schemas.OutcomeGaveUp
	}
	return *g.Outcome
}
