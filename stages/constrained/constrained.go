// Package constrained is the stage that makes the instances of Constrained WikiGame: pairs of pages, each with a banned class
// of pages and the shortest path that enters none of it (constrained specification, 3 and 4).
//
// It reads the snapshot's name, the graph, what is known of its nodes, the distance columns and the labels. It writes
// instances.jsonl and instances.parquet, the pairs in the order of their slots with ids that count from 0001; infeasible.jsonl, the first pairs found whose ban
// leaves no path; quotas.json; and funnel.json, which says what became of every attempt, how many pages pass each filter, and how many pages of the
// paths have a label.
//
// It promises that
//   - distances without a ban are read from the target's column, and those with one come from one search each, so that lengths and
//     paths are exact (package bans); the published procedure of at most 20 searches is information beside them;
//   - each attempt has a random stream of its own, named by slot and attempt. Whether it is accepted depends on the attempts before it,
//     through used pairs and the share of each class, so attempts are settled one after another; only the searches run at
//     once, ahead of the attempt that is settled, and those that a verdict makes useless are thrown away;
//   - a pair, once accepted or found infeasible, is not drawn again: the two files share none;
//   - nothing is scaled to the graph, and nothing is short in silence.
//
// Two readings of the specification are ours. A banned page is everywhere one that a path must not enter, so that under
// unlabelled = forbid a page without label counts as banned in binding, shares and counts. And path_mode = paper20 draws as the paper did, from
// pairs on which the published procedure succeeds; lengths stay exact, because PE measures by them.
//
// Memory: the distance columns and the graph mapped, 4 bytes per node for labels, and 7 per node and worker; 8 bytes per pair that
// was accepted or infeasible. Time: an attempt that fails before its search costs a microsecond and a look at the target's
// predecessors; a searched one O(n + m), on English Wikipedia (7 M nodes, 160 M edges) some seconds; an instance two to 21 searches
// more for its features. Attempts are at most max_attempts, and at most so many are searched.
package constrained

import (
	"context"

	"github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

const name = "constrained"

type stage struct{ params Params }

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	p.FixedSet = append([]string{}, p.FixedSet...) // [] where p has nil: one key however the caller made it
	return stage{p}
}

func (s stage) Spec() stages.Spec {
	return stages.Spec{
		Name:    name,
		Version: 3,
		Inputs:  append(pairs.Artifacts(), schemas.Labels),
		Outputs: []schemas.Artifact{schemas.Constrained},
		Params:  s.params,
	}
}

func (s stage) Run(ctx context.Context, env stages.Env) error {
	if err := s.params.Validate(); err != nil {
		return err
	}
	in, err := open(ctx, env, s.params.Multi)
	if err != nil {
		return err
	}
	defer in.Close()
	found, err := s.draw(ctx, env, in)
	if err != nil {
		return err
	}
	list, err := s.instances(ctx, env, in, found)
	if err != nil {
		return err
	}
	funnel := s.funnel(in, found, list)
	if s.params.OnShortage == pairs.OnShortageFail && funnel.Status == schemas.StatusShort {
		return shortage(funnel)
	}
	return s.write(ctx, env, list, s.infeasible(env, in, found), funnel)
}

func shortage(f schemas.ConstrainedFunnel) error {
	return fault.New(fault.Shortage, "constrained: got %d of %d; %s; %s", f.Accepted, f.Requested, constrained.Why(&f), constrained.Attempts(&f)).
		Hint("take preset small, allow more attempts, or keep what there is with on_shortage=short")
}
