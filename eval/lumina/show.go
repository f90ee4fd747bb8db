package lumina

import (
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
		return treeView(s)
	case worlds.Grid:
		b := s.Board
		return prompt.GridView{
			N: b.N, Pos: s.Pos, Goal: b.Goal, Holes: b.Holes(), HoleCost: b.HoleCost, OOBCost: b.OOBCost, Remaining: s.Remaining,
		}
	}
	panic("lumina: a state of no world")
}

func treeView(t *worlds.Tree) prompt.TreeView {
	v := prompt.TreeView{Target: t.Target(), Valueless: t.Valueless(), Frontier: t.Frontier()}
	for _, f := range t.Facts() {
		v.Facts = append(v.Facts, prompt.Fact(f))
	}
	return v
}

// plan is the sentence of the plan oracle.
func plan(c worlds.Call) string {
	switch c.Name {
	case worlds.Pop:
		return prompt.PlanPop(c.Index)
	case worlds.GetChildren:
		return prompt.PlanQuery(c.ID)
	case worlds.Found:
		return prompt.PlanFound(c.ID)
	case worlds.Up, worlds.Down, worlds.Left, worlds.Right:
		return prompt.PlanMove(c.Name)
	}
	return prompt.PlanCall(c.Name)
}

// observe says what a call did; after is the state that it led to.
func observe(c worlds.Call, e worlds.Effect, after worlds.State) string {
	if e.Outcome == schemas.OutcomeBudget {
		return prompt.Budget()
	}
	switch e.Event {
	case worlds.EventPopped:
		return prompt.Popped(c.Index)
	case worlds.EventOutOfRange:
		return prompt.OutOfRange(c.Index)
	case worlds.EventBelowFloor:
		return prompt.BelowFloor(c.Index)
	case worlds.EventSpoiled:
		return prompt.Spoiled()
	case worlds.EventChildren:
		return prompt.Children(children(e.Children))
	case worlds.EventUnknownID:
		return prompt.UnknownID(c.ID)
	case worlds.EventTerminal:
		return prompt.Ended(e.Outcome == schemas.OutcomeSuccess)
	}
	return observeMove(e, after.(worlds.Grid))
}

func children(list []worlds.Child) []prompt.Child {
	out := make([]prompt.Child, len(list))
	for i, c := range list {
		out[i] = prompt.Child(c)
	}
	return out
}

func observeMove(e worlds.Effect, g worlds.Grid) string {
	switch e.Event {
	case worlds.EventHole:
		return prompt.Hole(g.Pos, g.Remaining)
	case worlds.EventOffBoard:
		return prompt.OffBoard(g.Pos, g.Remaining)
	}
	return prompt.Moved(g.Pos, g.Remaining)
}
