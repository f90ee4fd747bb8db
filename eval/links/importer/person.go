package importer

import (
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

// person converts the game of a person: edges are checked, back clicks pop a stack, nothing limits
// it.
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
	w := wander{c: c, column: column, stack: []uint32{source}, path: []uint32{source}}
	if reject := w.follow(g.Clicks); reject != "" {
		return reject, nil
	}
	if column[source] == schemas.Unreached {
		return RejectUnreachable, nil
	}
	key := c.key(source, target)
	rec := c.record(i, key, c.attempt(key, 0))
	rec.Game = g.Player + "-" + rec.Game
	rec.Outcome, rec.Moves, rec.Path = schemas.OutcomeGaveUp, len(w.path)-1, w.path
	if rec.Turns = rec.Moves; w.page() == target {
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
	c      *converter
	column []uint8
	stack  []uint32
	path   []uint32
	steps  []schemas.Step
}

func (w *wander) page() uint32 { return w.stack[len(w.stack)-1] }

// follow stops at the first click that the graph does not allow. Pages outside the graph come
// first: such a game says nothing of it.
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
		if click.Back && len(w.stack) < 2 {
			return RejectUnderflow
		}
		if !click.Back && !slices.Contains(w.c.world.Successors(w.page()), nodes[i]) {
			return RejectMissingEdge
		}
		w.click(click.Back, nodes[i])
	}
	return ""
}

func (w *wander) click(back bool, to uint32) {
	step := schemas.Step{
		Schema: schemas.StepSchema, Step: len(w.path), Page: w.page(), Menu: []uint32{}, Valid: true,
		DBefore: int(w.column[w.page()]),
	}
	if back {
		w.stack = w.stack[:len(w.stack)-1]
		to = w.page()
	} else {
		place := slices.Index(w.c.world.Successors(w.page()), to)
		step.Choice = &place
		w.stack = append(w.stack, to)
	}
	step.To, step.DAfter = &to, int(w.column[to])
	step.Optimal = !back && step.DAfter < step.DBefore
	w.path, w.steps = append(w.path, to), append(w.steps, step)
}
