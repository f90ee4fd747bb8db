package mcp

import (
	"strings"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas/fault"
)

// none is the arguments of a tool that takes none.
type none struct{}

func (t *table) addTools() {
	add(t, tool[listArgs, listed]{
		name: "list_instances", title: "List instances", reads: true, do: t.list,
		says: "List the instances of a split: who starts where, and what the target is. The splits: " + strings.Join(t.Host.Family.Splits(), ", ") + ".",
	})
	add(t, tool[startArgs, started]{
		name: "start_game", title: "Start a game", do: t.start,
		says: "Begin the game of an instance. Its first observation tells the task and all rules.",
	})
	add(t, tool[none, started]{
		name: "observe", title: "Observe", reads: true, do: t.observe,
		says: "See the game as it stands: the current page and its links.",
	})
	t.family.click(t)
	add(t, tool[stepArgs, ended]{
		name: "give_up", title: "Give up", do: t.giveUp,
		says: "End the game; it is then lost.",
	})
	t.listBack(t.Back)
	if t.Host.Exposed {
		t.addOracle()
	}
}

// addClick adds click_link with the arguments of a family, which read gives as a turn and a move.
func addClick[In any](t *table, says string, read func(In) (int, session.Move, error)) {
	add(t, tool[In, moved]{name: "click_link", title: "Click a link", says: says, do: func(a In) (moved, error) {
		step, m, err := read(a)
		if err != nil {
			return moved{}, err
		}
		return t.move(step, m)
	}})
}

// listBack lists go_back while the rules of the game allow it.
func (t *table) listBack(on bool) {
	switch {
	case on && !t.backTool:
		add(t, tool[stepArgs, moved]{
			name: "go_back", title: "Go back", says: "Return to the previous page. That costs a turn.",
			do: func(a stepArgs) (moved, error) { return t.move(a.Step, session.Move{Back: true}) },
		})
	case !on && t.backTool:
		t.server.RemoveTools("go_back")
	}
	t.backTool = on
}

// Bounds of a listing.
const (
	listDefault = 100
	listMost    = 1000
)

func (t *table) list(a listArgs) (listed, error) {
	infos, ok := t.Host.Family.List(a.Split)
	if !ok || a.Split == "" {
		return listed{}, refuse(session.CodeBadField, "no split is called %s; the splits are %s", fault.Quote(a.Split), strings.Join(t.Host.Family.Splits(), ", "))
	}
	limit := listDefault
	if a.Limit != nil {
		limit = *a.Limit
	}
	switch {
	case limit < 1 || limit > listMost:
		return listed{}, refuse(session.CodeBadField, "limit is %d; from 1 to %d are listed", limit, listMost)
	case a.Offset < 0:
		return listed{}, refuse(session.CodeBadField, "offset is %d; it counts from 0", a.Offset)
	}
	out := listed{len(infos), []item{}}
	first := min(a.Offset, len(infos))
	for _, in := range infos[first:min(first+limit, len(infos))] {
		out.Items = append(out.Items, item{in.ID, in.Source, in.Target})
	}
	return out, nil
}

// item is an instance as a client may see it before it plays.
type item struct {
	ID     string    `json:"id"`
	Source game.Page `json:"source"`
	Target game.Page `json:"target"`
}

func (t *table) observe(none) (started, error) {
	if _, err := t.current(); err != nil {
		return started{}, err
	}
	return started{t.seen()}, nil
}

type stepArgs struct {
	Step int `json:"step" jsonschema:"the number of this turn, as the observation says it; the first is 1"`
}

type ended struct {
	Done    bool   `json:"done"`
	Outcome string `json:"outcome"`
}

func (t *table) giveUp(a stepArgs) (ended, error) {
	s, err := t.current()
	if err != nil {
		return ended{}, err
	}
	e, err := s.GiveUp(a.Step)
	return ended{e.Done, e.Outcome}, err
}
