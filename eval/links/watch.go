package links

import (
	"encoding/json"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

var (
	_ family.Watched  = (*Episode)(nil)
	_ family.Measured = (*Episode)(nil)
	_ family.Judged   = (*Episode)(nil)
	_ family.Retold   = (*Set)(nil)
)

// Watch names pages by their true titles, whatever the player was shown.
func (e *Episode) Watch() family.Watch {
	w := family.Watch{Place: e.world.Title(e.game.Page())}
	for i, v := range e.game.Menu() {
		w.Menu = append(w.Menu, family.Choice{Label: e.world.Title(v), Optimal: e.game.Chooses(i)})
	}
	w.Left = e.Left()
	if n := len(e.steps); n > 0 && e.steps[n-1].To != nil {
		w.Done = e.world.Title(*e.steps[n-1].To)
	}
	return w
}

// Left returns the links on a shortest path to the target.
func (e *Episode) Left() *int {
	if d := e.game.Distance(); d < int(schemas.Far) {
		return &d
	}
	return nil
}

func (e *Episode) Optimal() bool {
	n := len(e.steps)
	return n > 0 && e.steps[n-1].Optimal
}

// Won reports whether the target was reached, by no page that is banned.
func (e *Episode) Won() bool {
	broke := slices.ContainsFunc(e.steps, func(s schemas.Step) bool { return s.BanStep != nil && s.Violates })
	return e.game.Outcome() == schemas.OutcomeSuccess && !broke
}

// Replies reads the steps of a game; one that was imported without steps is told by its path.
func (s *Set) Replies(main []byte, side [][]byte) (list []family.Reply, err error) {
	w, err := s.of.World(s.of.Defaults)
	if err != nil {
		return nil, err
	}
	title := func(u *uint32) *string {
		if u == nil || int64(*u) >= int64(w.Len()) {
			return nil
		}
		if s.of.Pseudonym != nil {
			return new(s.of.Pseudonym(*u))
		}
		return new(w.Title(*u))
	}
	for _, line := range side {
		var step schemas.Step
		if err := json.Unmarshal(line, &step); err != nil {
			return nil, err
		}
		list = append(list, replyOf(step, title(step.To)))
	}
	if len(side) > 0 {
		return list, nil
	}
	var g schemas.Game
	if err := json.Unmarshal(main, &g); err != nil {
		return nil, err
	}
	for _, u := range g.Path[min(1, len(g.Path)):] {
		list = append(list, family.Reply{Title: title(&u)})
	}
	return list, nil
}

// replyOf returns the reply of a step that led to a page of that title: its words, or what the
// record says that it was.
func replyOf(s schemas.Step, title *string) family.Reply {
	r := family.Reply{Said: family.Said{
		Reasoning: s.Reasoning, Usage: s.Usage, Served: s.Served, Retries: s.Retries, Flag: s.Flag,
		LatencyMS: s.LatencyMS,
	}}
	if s.BanStep != nil && s.Thinking != nil {
		r.Reasoning = s.Thinking
	}
	switch {
	case s.Reply != "":
		r.Text = &s.Reply
	case s.Choice != nil:
		r.Choice, r.Title = s.Choice, title
		if said := s.BanStep; said != nil && said.RestrictionReasoning != nil && s.Reasoning != nil {
			r.Stated = map[string]string{
				fieldReasoning:   *s.Reasoning,
				fieldRestriction: *said.RestrictionReasoning,
			}
		}
	case s.InvalidReason != nil && *s.InvalidReason == game.ReasonNoPath:
		no := schemas.NoPathAnswer
		r.Title = &no
	case s.To != nil:
		r.Back = true
	default:
		none := -1
		r.Choice = &none
	}
	return r
}
