// Package wikirace is the link game without a ban as a family: its splits, their difficulty and the
// columns of its tables. The game is package links'.
package wikirace

import (
	"sync"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/importer"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas"
)

const name = "wikirace"

var Family family.Family = wikirace{links.Rules{Defaults: game.Defaults}}

type wikirace struct{ links.Rules }

var (
	_ family.Importer  = wikirace{}
	_ family.Described = set{}
)

func (wikirace) Name() string { return name }

func (f wikirace) Open(r *open.Release, o family.Options) (family.Set, error) {
	list, err := splits(r)
	if err != nil {
		return nil, err
	}
	of, err := links.Of(r, o)
	if err != nil {
		return nil, err
	}
	return newSet(of, list, func() (map[string]difficulty, error) { return described(r) }), nil
}

func (wikirace) Imports() []family.Import {
	return importer.Imports(importer.NodePaths, importer.SnapPaths, importer.Titles, importer.WikiGame,
		importer.Format{Name: "wikirace-arena", Says: "sessions of the arena of that name", Read: importer.ReadArena},
		importer.Format{Name: "wikirace-llms", Says: "logs of the harness of that name", Read: importer.ReadLLMs})
}

func (wikirace) Columns() []family.Column {
	return []family.Column{
		{Heading: "SR", Metric: judge.MetricSuccess, Better: 1},
		{Heading: "path length", Metric: judge.MetricLength, Better: -1, Detail: true},
		{Heading: "suboptimal", Metric: judge.MetricSuboptimal, Better: -1},
		{Heading: "without back clicks", Metric: judge.MetricEffective, Better: -1, Detail: true},
		{Heading: "loops", Metric: judge.MetricLoops, Better: -1},
		{Heading: "recovery", Metric: judge.MetricRecovery, Better: 1},
		{Heading: "max visits", Metric: judge.MetricVisitation, Better: -1, Detail: true},
		{Heading: "invalid", Metric: judge.MetricInvalid, Better: -1, Detail: true},
		{Heading: "step accuracy", Metric: judge.MetricMicro, Better: 1},
		{Heading: "tokens/step", Metric: judge.MetricTokens},
		{Heading: "cost/step", Metric: judge.MetricCostPerStep, Better: -1},
	}
}

// set is the games of a release with what makes them hard.
type set struct {
	*links.Set
	described func() (map[string]difficulty, error)
}

// difficulty is what makes an instance hard.
type difficulty struct {
	distance int
	features schemas.WikiraceFeatures
}

func newSet(of replay.Release, list []split, described func() (map[string]difficulty, error)) set {
	of.Family, of.Defaults = name, game.Defaults()
	// What instances say of max_steps and max_links is what their features were computed with, and
	// no rules.
	var limits [][2]int // of all tasks, in their order
	for _, in := range list {
		limits = append(limits, in.limits...)
		of.Splits = append(of.Splits, replay.Split{Split: in.Split, Tasks: in.tasks})
	}
	return set{links.New(of, func(t game.Task, split string) links.Info {
		now := limits[0]
		limits = limits[1:]
		return links.InfoOf(t, split, now[0], now[1])
	}), sync.OnceValues(described)}
}

// Drawing draws a pair with the pages that are on every path.
func (s set) Drawing(t family.Task) (dag.Drawing, error) {
	all, err := s.described()
	if err != nil {
		return dag.Drawing{}, err
	}
	return s.Draw(t, all[t.Instance].features.Dominators)
}

// Difficulty returns an instance's features that are numbers, and shares of optimal first moves.
func (s set) Difficulty(id string) (family.Difficulty, bool) {
	all, err := s.described()
	inst, ok := all[id]
	if err != nil || !ok {
		return family.Difficulty{}, false
	}
	n := links.NumbersOf(inst.features)
	n.Share("opt_first_share", "opt_first", "out_degree")
	n.Share("opt_first_menu_share", "opt_first_menu", "menu_size")
	return family.Difficulty{Length: inst.distance, Called: "distance", Features: n.Features()}, true
}
