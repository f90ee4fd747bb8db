package links

import (
	"fmt"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

var (
	_ family.Taught = (*Episode)(nil)
	_ family.Posing = (*Set)(nil)
	_ family.Marked = (*Set)(nil)
)

// Lesson returns the links of the menu that are one nearer to the target, and those that are not
// and lose nothing but turns.
func (e *Episode) Lesson() (l family.Lesson, err error) {
	now := e.game.Distance()
	for i := range e.game.Menu() {
		left, ok := e.game.Ahead(i)
		switch {
		case !ok:
		case left == now-1:
			l.Right = append(l.Right, e.spoken(i))
		case left >= now:
			l.Wrong = append(l.Wrong, e.spoken(i))
		}
	}
	return l, nil
}

// Words of a reply that chooses a link, as the prompts ask for it.
const (
	numberReply      = "<answer>%d</answer>"
	reasonOn         = "It leads on towards %s."
	reasonThere      = "It is the page to reach."
	reasonKeepsToBan = "It is not a page of the category %s."
	reasonExempt     = "The page to reach is exempt from the ban."
)

// spoken returns the reply that chooses a link of the menu.
func (e *Episode) spoken(place int) family.Reply {
	text := fmt.Sprintf(numberReply, place)
	if game.HasBan(e.opts) {
		text = e.reasoned(e.game.Menu()[place])
	}
	return family.Reply{Text: &text}
}

// reasoned returns a structured reply. What it says of the page is true of every page that a lesson
// has.
func (e *Episode) reasoned(page uint32) string {
	why := fmt.Sprintf(reasonOn, e.game.Shown(e.task.Target.Node))
	keeps := fmt.Sprintf(reasonKeepsToBan, e.task.Ban.Category)
	if page == e.task.Target.Node {
		why, keeps = reasonThere, reasonExempt
	}
	return string(canon.MustMarshal(map[string]string{
		"next_page": e.game.Shown(page), fieldReasoning: why, fieldRestriction: keeps,
	}))
}

// Pose poses the game from one page to another; false where no path leads there.
func (s *Set) Pose(p family.Ends) (family.Task, bool, error) {
	return s.PoseGame(p, nil)
}

// PoseGame poses a game under a ban, or under none.
func (s *Set) PoseGame(p family.Ends, ban *game.Ban) (t family.Task, ok bool, err error) {
	w, err := s.of.World(s.of.Defaults)
	if err != nil {
		return t, false, err
	}
	if n := int64(w.Len()); int64(p.Source) >= n || int64(p.Target) >= n {
		return t, false, fault.New(fault.Usage, "a pair of nodes %d and %d, the graph has %d",
			p.Source, p.Target, n)
	}
	task := game.Task{
		ID: p.ID, Source: refOf(w, p.Source), Target: refOf(w, p.Target), Seed: p.Seed, Ban: ban,
	}
	if task, err = task.Measured(w); err != nil {
		return t, false, err
	}
	t = family.Task{ID: p.ID, Instance: p.ID, Posed: &task}
	t.Info = s.listed(task, InfoOf(task, "", s.of.Defaults.MaxSteps, s.of.Defaults.MaxLinks))
	return t, p.Source != p.Target && task.Length < int(schemas.Far), nil
}

func refOf(w game.World, u uint32) schemas.PageRef {
	return schemas.PageRef{Node: u, PageID: w.PageID(u), Title: w.Title(u)}
}

// Marks returns the ends of a game, and what is banned between them.
func (s *Set) Marks(t family.Task) (m family.Marks, err error) {
	found, err := s.find(t)
	if err != nil {
		return m, err
	}
	m = family.Marks{Source: &found.Source, Target: &found.Target}
	if found.Ban != nil {
		m.Under = found.Ban.Category
	}
	return m, nil
}
