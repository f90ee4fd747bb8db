package importer

import (
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// person converts a person's game: edges are checked, back clicks pop a stack, nothing limits it.
func (c *converter) person(i int, g Game) (reject string, err error) {
	source, ok := c.node(g.Start)
	target, ok2 := c.node(g.Target)
	if !ok || !ok2 {
		return RejectOutside, nil
	}
	column, err := c.world.Column(target)
	if err != nil {
		return "", err
	}
	w := wander{c: c, column: column, Trail: game.NewTrail(source)}
	if reject := w.follow(g.Clicks); reject != "" {
		return reject, nil
	}
	if column[source] == schemas.Unreached {
		return RejectUnreachable, nil
	}
	key := c.key(source, target)
	rec := c.record(i, key, c.attempt(key, 0))
	rec.Game = g.Player + "-" + rec.Game
	rec.Outcome, rec.Moves, rec.Path = schemas.OutcomeGaveUp, w.Moves(), w.Path()
	if rec.Turns = rec.Moves; w.Page() == target {
		rec.Outcome = schemas.OutcomeSuccess
	}
	one := family.Record{Main: rec}
	for _, step := range w.steps {
		if c.file.Steps {
			step.Run, step.Game, step.Instance = rec.Run, rec.Game, rec.Instance
			one.Side = append(one.Side, step)
		}
	}
	c.out.Records = append(c.out.Records, one)
	return "", nil
}

// wander follows the clicks of a person.
type wander struct {
	game.Trail
	c      *converter
	column []uint8
	steps  []schemas.Step
}

// follow stops at the first click that the graph does not allow; pages outside it say nothing.
func (w *wander) follow(clicks []Click) (reject string) {
	nodes := make([]uint32, len(clicks))
	for i, click := range clicks {
		u, ok := w.c.node(click.Title)
		if !ok && !click.Back {
			return RejectOutside
		}
		nodes[i] = u
	}
	for i, click := range clicks {
		if reject := w.click(click.Back, nodes[i]); reject != "" {
			return reject
		}
	}
	return ""
}

func (w *wander) click(back bool, to uint32) (reject string) {
	from := w.Page()
	place := slices.Index(w.c.world.Successors(from), to)
	step := schemas.Step{
		Schema: schemas.StepSchema, Step: len(w.Path()), Page: from, Menu: []uint32{}, Valid: true, DBefore: int(w.column[from]),
	}
	switch {
	case back && !w.Back():
		return RejectUnderflow
	case back:
		to = w.Page()
	case place < 0:
		return RejectMissingEdge
	default:
		step.Choice = &place
		w.Push(to)
	}
	step.To, step.DAfter = &to, int(w.column[to])
	step.Optimal = !back && step.DAfter < step.DBefore
	w.steps = append(w.steps, step)
	return ""
}
