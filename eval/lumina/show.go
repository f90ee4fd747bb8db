package lumina

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts/lumina/worlds"
	"github.com/wikinav/wikinav/eval/lumina/prompt"
	"github.com/wikinav/wikinav/schemas"
)

// view cuts a state down to what the player may know.
func view(s worlds.State) prompt.View {
	switch s := s.(type) {
	case worlds.List:
		return prompt.ListView{Cur: s.Cur, Floor: s.Floor, Target: s.Target}
	case *worlds.Tree:
		v := prompt.TreeView{Target: s.Target(), Valueless: s.Valueless(), Frontier: s.Frontier()}
		for _, f := range s.Facts() {
			v.Facts = append(v.Facts, prompt.Fact(f))
		}
		return v
	case worlds.Grid:
		b := s.Board
		return prompt.GridView{
			N: b.N, Pos: s.Pos, Goal: b.Goal, Holes: b.Holes(), HoleCost: b.HoleCost, OOBCost: b.OOBCost, Remaining: s.Remaining,
		}
	}
	panic("lumina: a state of no world")
}

func plan(c worlds.Call) string {
	switch c.Name {
	case worlds.Pop:
		return fmt.Sprintf(prompt.PlanPop, c.Index)
	case worlds.GetChildren:
		return fmt.Sprintf(prompt.PlanQuery, prompt.Escape(c.ID))
	case worlds.Found:
		return fmt.Sprintf(prompt.PlanFound, prompt.Escape(c.ID))
	case worlds.Up, worlds.Down, worlds.Left, worlds.Right:
		return fmt.Sprintf(prompt.PlanMove, c.Name)
	}
	return fmt.Sprintf(prompt.PlanCall, c.Name)
}

// ofIndex and ofMove say what a pop and a move did.
var (
	ofIndex = map[worlds.Event]string{
		worlds.EventPopped: prompt.Popped, worlds.EventOutOfRange: prompt.OutOfRange, worlds.EventBelowFloor: prompt.BelowFloor,
	}
	ofMove = map[worlds.Event]string{
		worlds.EventMoved: prompt.Moved, worlds.EventHole: prompt.Hole, worlds.EventOffBoard: prompt.OffBoard,
	}
)

// observe says what a call did; after is the state that it led to.
func observe(c worlds.Call, e worlds.Effect, after worlds.State) string {
	switch {
	case e.Outcome == schemas.OutcomeBudget:
		return prompt.Budget
	case e.Event == worlds.EventSpoiled:
		return prompt.Spoiled
	case e.Event == worlds.EventChildren:
		list := make([]prompt.Child, len(e.Children))
		for i, child := range e.Children {
			list[i] = prompt.Child(child)
		}
		return prompt.Children(list)
	case e.Event == worlds.EventUnknownID:
		return fmt.Sprintf(prompt.UnknownID, prompt.Echo(c.ID))
	case e.Event == worlds.EventTerminal && e.Outcome == schemas.OutcomeSuccess:
		return prompt.Success
	case e.Event == worlds.EventTerminal:
		return prompt.Failure
	}
	if said, ok := ofIndex[e.Event]; ok {
		return fmt.Sprintf(said, c.Index)
	}
	g := after.(worlds.Grid)
	return fmt.Sprintf(ofMove[e.Event], prompt.Cell(g.Pos), g.Remaining)
}
