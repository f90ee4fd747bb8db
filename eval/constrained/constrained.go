// Package constrained is the link game with a ban as a family: its instances, the pairs that a ban
// leaves without a path, what makes them hard, and the columns of its tables. The game is package
// links'.
package constrained

import (
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/importer"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

const name = "constrained"

// Splits. The infeasible pairs have a protocol of their own and are never part of a success rate.
const (
	Instances  = "instances"
	Infeasible = "infeasible"
)

var Family family.Family = constrained{links.Rules{Defaults: game.BanDefaults, Temperature: "0"}}

type constrained struct{ links.Rules }

var (
	_ family.Importer  = constrained{}
	_ family.Described = set{}
	_ family.Reasoned  = set{}
)

func (constrained) Name() string { return name }

func (f constrained) Open(r *open.Release, o family.Options) (family.Set, error) {
	r.Ahead(true)
	p, err := read(r)
	if err != nil {
		return nil, err
	}
	of, err := links.Of(r, o)
	if err != nil {
		return nil, err
	}
	if _, err := of.World(game.BanDefaults()); err != nil {
		return nil, err // no label, no ban
	}
	s := newSet(of, p, o)
	s.lead = func(u uint32) (string, bool) { return lead(r, u) }
	s.open, s.single = r, p.single
	return s, nil
}

// lead returns the beginning of a page's text, if the release has it.
func lead(r *open.Release, u uint32) (string, bool) {
	w, err := r.World()
	if err != nil || !r.HasLeads() {
		return "", false
	}
	leads, err := r.Leads()
	if err != nil {
		return "", false
	}
	text, known := leads[w.PageID(u)]
	return text, known
}

// Imports lists the one format that tells games with a ban.
func (constrained) Imports() []family.Import { return importer.Imports(importer.Titles) }

// Columns lists the metrics of the tables: of feasible games, then of pairs without a path.
func (constrained) Columns() []family.Column {
	return []family.Column{
		{Heading: "SR", Metric: replay.MetricSR, Better: 1},
		{Heading: "CR", Metric: replay.MetricCR, Better: 1},
		{Heading: "CVR", Metric: replay.MetricCVR, Better: -1},
		{Heading: "CVR reach", Metric: replay.MetricCVRReach, Better: -1},
		{Heading: "PE", Metric: replay.MetricPE, Better: 1},
		{Heading: "PE cr", Metric: replay.MetricPEReach, Better: 1},
		{Heading: "violations/step", Metric: replay.MetricPerStep, Better: -1},
		{Heading: "first violation", Metric: replay.MetricFirst},
		{Heading: "recovery", Metric: replay.MetricRecoverBan, Better: 1},
		{Heading: "correct refusal", Metric: replay.MetricRefusal, Better: 1},
		{Heading: "invalid", Metric: replay.MetricInvalidEnd, Better: -1, Detail: true},
		{Heading: "revisit", Metric: replay.MetricRevisitEnd, Better: -1, Detail: true},
		{Heading: "step limit", Metric: replay.MetricLimitEnd, Better: -1, Detail: true},
		{Heading: "step accuracy", Metric: judge.MetricMicro, Better: 1},
		{Heading: "tokens/step", Metric: judge.MetricTokens},
		{Heading: "cost/step", Metric: judge.MetricCostPerStep, Better: -1, Detail: true},
	}
}

// set is the games of a release with what makes them hard.
type set struct {
	*links.Set
	instances map[string]schemas.ConstrainedInstance
	lead      func(node uint32) (text string, known bool)
	open      *open.Release
	single    bool // a page counts by its primary label alone
}

func newSet(of replay.Release, p published, o family.Options) set {
	of.Family, of.Defaults = name, game.BanDefaults()
	s := set{instances: map[string]schemas.ConstrainedInstance{}}
	feasible := replay.Split{
		Split:  family.Split{Name: Instances, SHA256: p.sha256[Instances], Requested: p.requested, Got: len(p.instances)},
		Groups: groups(p.instances),
	}
	for _, i := range p.instances {
		s.instances[i.ID] = i
		feasible.Tasks = append(feasible.Tasks, p.task(i))
	}
	of.Splits = []replay.Split{feasible}
	if n := len(p.infeasible); n > 0 {
		// Its name tells the answer.
		none := replay.Split{Pathless: true}
		none.Split = family.Split{Name: Infeasible, SHA256: p.sha256[Infeasible], Requested: n, Got: n, Closed: true}
		for _, i := range p.infeasible {
			none.Tasks = append(none.Tasks, p.task(i))
		}
		of.Splits = append(of.Splits, none)
	}
	opts, ok := o.Value.(schemas.GameOptions)
	if !ok {
		opts = game.BanDefaults()
	}
	s.Set = links.New(of, func(t game.Task, split string) links.Info {
		return links.InfoOf(t, split, opts.MaxSteps, opts.MaxLinks)
	})
	return s
}

func (p published) task(i schemas.ConstrainedInstance) game.Task {
	ban := &game.Ban{Category: i.BannedCategory, Single: p.single, Unlabelled: i.UnlabelledRule == schemas.UnlabelledForbid}
	return game.Task{ID: i.ID, Source: i.Source, Target: i.Target, Seed: i.Seed, Length: i.ConstrainedLength, Ban: ban}
}

// groups groups the instances by banned category, in label order, then by what the ban changes.
func groups(instances []schemas.ConstrainedInstance) []replay.Group {
	var out []replay.Group
	add := func(kind string, values []string, of func(schemas.ConstrainedInstance) string) {
		for _, value := range values {
			g := replay.Group{Group: family.Group{Name: kind, Value: value}, Tasks: map[string]bool{}}
			for _, inst := range instances {
				if of(inst) == value {
					g.Tasks[inst.ID] = true
				}
			}
			if len(g.Tasks) > 0 {
				out = append(out, g)
			}
		}
	}
	add("ban", schemas.LabelNames, func(i schemas.ConstrainedInstance) string { return i.BannedCategory })
	add("binding", schemas.Bindings, func(i schemas.ConstrainedInstance) string { return i.Binding })
	return out
}

func (s set) Reasons(log *trace.Log, seed int64) (family.Reasons, error) {
	statements, games, err := replay.Reasons(s.Release(), log, seed)
	return family.Reasons{Statements: statements, Games: games, Lead: s.lead}, err
}

// Difficulty returns the numbers that say how hard a ban makes an instance.
func (s set) Difficulty(id string) (family.Difficulty, bool) {
	i, ok := s.instances[id]
	if !ok {
		return family.Difficulty{}, false
	}
	n := links.NumbersOf(map[string]any{
		"baseline_length": i.BaselineLength, "detour": i.Detour, "unlabelled_on_path": i.Unlabelled,
		"successors_banned": i.BannedShare[0],
		"successors":        i.BannedShare[1], "shortest_pages_banned": i.BannedOnShortest[0],
		"shortest_pages": i.BannedOnShortest[1],
		"feasible_first": i.FeasibleFirst[0], "optimal_first": i.FeasibleFirst[1], "compat_found": i.Compat.Found,
	})
	n.Share("successors_banned_share", "successors_banned", "successors")
	n.Share("shortest_pages_banned_share", "shortest_pages_banned", "shortest_pages")
	n.Share("optimal_first_share", "optimal_first", "successors")
	return family.Difficulty{Length: i.ConstrainedLength, Called: "constrained_length", Features: n.Features()}, true
}
