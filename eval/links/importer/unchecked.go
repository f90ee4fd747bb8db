package importer

import (
	"cmp"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/schemas"
)

// ConvertUnchecked takes the games of f, played on another graph, without a look at the release's.
// Only their titles in the file tell pages apart.
func ConvertUnchecked(f *File, rel replay.Release, run schemas.Run) (*family.Imported, error) {
	c, err := newConverter(f, rel)
	if err != nil {
		return nil, err
	}
	u := &unchecked{c, map[string]uint32{}}
	u.out.Import.Unchecked, u.out.Import.Steps = true, false
	return u.convert(run, noRules, u.take)
}

type unchecked struct {
	*converter
	number map[string]uint32 // of pages, by title
}

// page numbers the titles in order of their appearance.
func (u *unchecked) page(name string) uint32 {
	title := u.file.readings(name)[0]
	n, ok := u.number[title]
	if !ok {
		n = uint32(len(u.out.Import.Pages))
		u.number[title] = n
		u.out.Import.Pages = append(u.out.Import.Pages, title)
	}
	return n
}

// take makes a game of the pages that g shows.
func (u *unchecked) take(i int, g Game) (reject string, err error) {
	if g.Instance != "" {
		task := u.byID[g.Instance]
		g.Target, g.Start = task.Target.Title, cmp.Or(g.Start, task.Source.Title)
	}
	switch {
	case g.Target == "":
		return RejectInstance, nil
	case g.Banned != "":
		return RejectBanned, nil
	}
	trail, invalid, reject := u.follow(g)
	if reject != "" {
		return reject, nil
	}
	end := u.page(g.Target)
	key := replay.UncheckedKey(trail.Path()[0], end)
	attempt := u.attempt(key, g.Attempt)
	if attempt == 0 {
		return RejectAttempt, nil
	}
	rec := u.record(i, key, attempt)
	if u.file.Human {
		rec.Game = g.Player + "-" + rec.Game
	}
	rec.Path, rec.Moves, rec.Invalid, rec.Turns = trail.Path(), trail.Moves(), invalid, trail.Moves()+invalid
	rec.Outcome = outcomeOf(g, trail.Page() == end)
	rec.Usage, rec.Cost = g.Usage, judge.Cost(u.out.Run.Price, g.Usage)
	u.out.Records = append(u.out.Records, family.Record{Main: rec})
	return "", nil
}

// follow lists the pages shown: those clicked, and those that back clicks returned to.
func (u *unchecked) follow(g Game) (trail game.Trail, invalid int, reject string) {
	trail = game.NewTrail(u.page(g.Start))
	for _, click := range g.Clicks {
		switch {
		case click.Invalid != "":
			invalid++
			u.out.Import.Invalid[click.Invalid]++
		case !click.Back:
			trail.Push(u.page(click.Title))
		case !trail.Back():
			return trail, 0, RejectUnderflow
		}
	}
	return trail, invalid, ""
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
