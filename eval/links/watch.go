package links

import (
	"encoding/json"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

var (
	_ family.Watched = (*Episode)(nil)
	_ family.Retold  = (*Set)(nil)
)

// Watch names pages by their true titles, whatever the player was shown.
func (e *Episode) Watch() family.Watch {
	w := family.Watch{Place: e.world.Title(e.game.Page())}
	for i, v := range e.game.Menu() {
		w.Menu = append(w.Menu, family.Choice{Label: e.world.Title(v), Optimal: e.game.Chooses(i)})
	}
	if d := e.game.Distance(); d < int(schemas.Far) {
		w.Left = &d
	}
	if n := len(e.steps); n > 0 && e.steps[n-1].To != nil {
		w.Done = e.world.Title(*e.steps[n-1].To)
	}
	return w
}

// Replies reads the steps of a game; one that was imported without steps is told by its path.
func (s *Set) Replies(main []byte, side [][]byte) (list []family.Reply, err error) {
	if len(side) == 0 {
		return s.walk(main)
	}
	for _, line := range side {
		var step schemas.Step
		if err := json.Unmarshal(line, &step); err != nil {
			return nil, err
		}
		list = append(list, replyOf(step))
	}
	return list, nil
}

func (s *Set) walk(main []byte) (list []family.Reply, err error) {
	var g schemas.Game
	if err := json.Unmarshal(main, &g); err != nil {
		return nil, err
	}
	w, err := s.of.World(s.of.Defaults)
	if err != nil {
		return nil, err
	}
	for _, u := range g.Path[min(1, len(g.Path)):] {
		if int64(u) < int64(w.Len()) {
			title := w.Title(u)
			list = append(list, family.Reply{Title: &title})
		}
	}
	return list, nil
}

// replyOf returns the reply of a step: its words, or what the record says that it was.
func replyOf(s schemas.Step) family.Reply {
	r := family.Reply{Said: family.Said{
		Reasoning: s.Reasoning, Usage: s.Usage, Served: s.Served, Retries: s.Retries, Flag: s.Flag, LatencyMS: s.LatencyMS,
	}}
	if s.BanStep != nil && s.Thinking != nil {
		r.Reasoning = s.Thinking
	}
	switch {
	case s.Reply != "":
		r.Text = &s.Reply
	case s.Choice != nil:
		r.Choice = s.Choice
		if said := s.BanStep; said != nil && said.RestrictionReasoning != nil && s.Reasoning != nil {
			r.Stated = map[string]string{fieldReasoning: *s.Reasoning, fieldRestriction: *said.RestrictionReasoning}
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
