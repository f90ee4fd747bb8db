package importer

import (
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/schemas"
)

// familyWikirace is the family of games without a ban.
const familyWikirace = "wikirace"

// pair is what tells a task where its id is not given.
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

// set is a named list of what can be played.
type set struct {
	name  string
	tasks []game.Task
}

func setsOf(rel judge.Release) []set {
	var sets []set
	for _, s := range rel.Splits {
		one := set{name: s.Name}
		for _, inst := range s.Instances {
			one.tasks = append(one.tasks, game.TaskOf(inst))
		}
		sets = append(sets, one)
	}
	return sets
}

// task gives the frozen instance of a game, or that of its pair.
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
	if c.family != familyWikirace {
		return task, RejectInstance, nil // nobody froze under what rule pages without a label are
	}
	if g.Banned != "" {
		return task, RejectBanned, nil
	}
	free, err := judge.Pair(c.rel.World, c.key(source, target))
	if err != nil {
		return task, "", err
	}
	if free.Distance == int(schemas.Unreached) {
		return task, RejectUnreachable, nil
	}
	return game.TaskOf(*free), "", nil
}

// named gives the instance that a game names, if it starts where that does.
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
