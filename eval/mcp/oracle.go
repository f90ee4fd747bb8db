package mcp

import (
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

type toldDistance struct {
	Distance int `json:"distance" jsonschema:"links on a shortest path from the current page to the target"`
}

type toldPlan struct {
	Plan game.Link `json:"plan" jsonschema:"an optimal link"`
}

type toldState struct {
	State game.State `json:"state" jsonschema:"all that a player with a perfect memory knows"`
}

// errNoWay answers where a distance would be infinite: only banned pages lead on.
var errNoWay = refuse(session.CodeNotFound, "no link of this page leads to the target without breaking the ban")

// addOracle adds the tools of a host that exposes the oracle.
func (t *table) addOracle() {
	add(t, tool[none, toldDistance]{
		name: "oracle_distance", title: "Distance", says: "Tell how far the target is.", reads: true,
		do: asking(t, func(o session.Oracle) (toldDistance, error) {
			if o.Distance == int(schemas.Unreached) {
				return toldDistance{}, errNoWay
			}
			return toldDistance{o.Distance}, nil
		}),
	})
	add(t, tool[none, toldPlan]{
		name: "oracle_plan", title: "Plan", says: "Name an optimal link of the current page.", reads: true,
		do: asking(t, func(o session.Oracle) (toldPlan, error) {
			switch {
			case o.Plan == nil && !t.game.Done():
				return toldPlan{}, errNoWay
			case o.Plan == nil:
				return toldPlan{}, refuse(session.CodeGameOver, "the game is over; there is nothing to plan")
			}
			return toldPlan{*o.Plan}, nil
		}),
	})
	add(t, tool[none, toldState]{
		name: "oracle_state", title: "State", says: "Sum up the game so far.", reads: true,
		do: asking(t, func(o session.Oracle) (toldState, error) { return toldState{*o.State}, nil }),
	})
}

// asking makes a tool's function of what it tells of the oracle's knowledge.
func asking[Out any](t *table, tell func(session.Oracle) (Out, error)) func(none) (Out, error) {
	return func(none) (out Out, err error) {
		s, err := t.current()
		if err != nil {
			return out, err
		}
		o, err := s.Oracle()
		if err != nil {
			return out, err
		}
		return tell(o)
	}
}
