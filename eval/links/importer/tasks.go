package importer

import (
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/schemas"
)

// pair tells a task where its id is not given.
type pair struct {
	source, target uint32
	banned         string // "" for no ban
}

func pairOf(t game.Task) pair {
	p := pair{source: t.Source.Node, target: t.Target.Node}
	if t.Ban != nil {
		p.banned = t.Ban.Category
	}
	return p
}

// task returns the published task of a game, or that of its pair.
func (c *converter) task(g Game) (task game.Task, reject string, err error) {
	if g.Instance != "" {
		return c.named(g)
	}
	source, ok := c.node(g.Start)
	target, ok2 := c.node(g.Target)
	switch {
	case !ok || !ok2:
		return task, RejectOutside, nil
	case source == target:
		return task, RejectSourceTarget, nil
	}
	if task, ok := c.byPair[pair{source, target, g.Banned}]; ok {
		return task, "", nil
	}
	if game.HasBan(c.opts) {
		return task, RejectInstance, nil // nobody published under which rule pages without a label are
	}
	if g.Banned != "" {
		return task, RejectBanned, nil
	}
	free, err := replay.Pair(c.world, c.key(source, target))
	if err != nil {
		return task, "", err
	}
	if free.Length == int(schemas.Unreached) {
		return task, RejectUnreachable, nil
	}
	return *free, "", nil
}

// named returns the task that a game names, if it starts where that does.
func (c *converter) named(g Game) (task game.Task, reject string, err error) {
	task, ok := c.byID[g.Instance]
	if !ok {
		return task, RejectInstance, nil
	}
	if g.Start == "" {
		return task, "", nil
	}
	if u, ok := c.node(g.Start); !ok || u != task.Source.Node {
		return task, RejectInstance, nil
	}
	return task, "", nil
}
