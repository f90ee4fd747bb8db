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
//   - no class has more instances than an even share until a number of candidates was passed over for that, and then one
//     more at a time: bans are spread over classes as far as the pages allow (spread = false draws as the paper did);
//   - what the share of a class rules out is known before the first attempt;
//   - nothing is scaled to the graph, and nothing is short in silence;
//   - of a build of fresh pairs, every shortest path needs a link or page that the older release
//     lacks, without the ban and with it; pairs without a path under the ban are fresh without it.
//
// Two readings of the specification are ours. A banned page is everywhere one that a path must not enter, so that under
// unlabelled = forbid a page without label counts as banned in binding, shares and counts. And path_mode = paper20 draws as the paper did, from
// pairs on which the published procedure succeeds; lengths stay exact, because PE measures by them.
//
// Memory: the distance columns and the graph mapped, 4 bytes per node for labels, and 10 per node and worker; 8 bytes per pair that
// was accepted or infeasible. Time: an attempt that fails before its search costs a microsecond and a look at the target's
// predecessors; a searched one O(n + m), on English Wikipedia (7 M nodes, 160 M edges) some seconds; an instance two to 21 searches
// more for its features. Attempts are at most max_attempts, and at most so many are searched.
package constrained

import (
	"context"
	"fmt"

	"github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

const name = "constrained"

// New returns the stage. What is wrong with p is an error of Run; p.Validate tells it earlier.
func New(p Params) stages.Stage {
	p.FixedSet = append([]string{}, p.FixedSet...) // [] where p has nil: one key however the caller made it
	return stages.Make(stages.Spec{
		Name: name, Version: 4, Inputs: append(pairs.Artifacts(), schemas.Labels), Outputs: []schemas.Artifact{schemas.Constrained}, Params: p,
	}, p.run)
}

func (p Params) run(ctx context.Context, env *stages.Run) error {
	in, err := open(env, p.Multi)
	if err != nil {
		return err
	}
	found, err := p.draw(ctx, env, in)
	if err != nil {
		return err
	}
	list, err := p.instances(ctx, env, in, found)
	if err != nil {
		return err
	}
	funnel := p.funnel(in, found, list)
	if p.OnShortage == pairs.OnShortageFail && funnel.Status == schemas.StatusShort {
		return shortage(funnel)
	}
	return write(ctx, env, list, p.infeasible(env, in, found), funnel)
}

func shortage(f schemas.ConstrainedFunnel) error {
	return fault.New(fault.Shortage, "constrained: got %d of %d; %s; %s", f.Accepted, f.Requested, constrained.Why(&f), constrained.Attempts(&f)).
		Hint("take preset small, allow more attempts, or keep what there is with on_shortage=short")
}

// instances makes the records of the accepted pairs. Workers take them as they come; which has
// which shows nowhere.
func (p Params) instances(ctx context.Context, env stages.Env, in *inputs, f *attempts) ([]schemas.ConstrainedInstance, error) {
	out := make([]schemas.ConstrainedInstance, len(f.accepted))
	meter := env.Meter("features", "instances", int64(len(out)))
	defer meter.Done()
	kits := make([]*bans.Kit, max(1, env.Workers()))
	return out, graph.Each(ctx, len(kits), len(out), func(worker, i int) error {
		if kits[worker] == nil {
			kits[worker] = bans.NewKit(in.Graph, in.masks)
		}
		defer meter.Add(1)
		out[i] = p.instance(env, in, f.accepted[i], i+1)
		if err := kits[worker].Fill(&out[i], f.accepted[i].target.Distances); err != nil {
			return fmt.Errorf("instance %s: %w", out[i].ID, err)
		}
		return nil
	})
}

// instance makes a record without what follows from ends and ban.
func (p Params) instance(env stages.Env, in *inputs, c candidate, number int) schemas.ConstrainedInstance {
	e := p.ends(in, c)
	return schemas.ConstrainedInstance{
		Schema: schemas.ConstrainedInstanceSchema, ID: fmt.Sprintf("cw-%04d", number), Key: e.key,
		Source: e.source, Target: e.target, BannedCategory: e.label, UnlabelledRule: p.Unlabelled, BanWitness: e.witness,
		MaxSteps: p.MaxSteps, Seed: p.Seed,
		ParamsSHA256: env.ParamsSHA256(), LabelsSHA256: in.labelsSHA256, GraphSHA256: in.Graph.SHA256,
	}
}

// infeasible makes the records of the first pairs without a path.
func (p Params) infeasible(env stages.Env, in *inputs, f *attempts) []schemas.ConstrainedInfeasible {
	out := []schemas.ConstrainedInfeasible{}
	for i, c := range f.infeasible[:min(len(f.infeasible), p.InfeasibleKeep)] {
		e := p.ends(in, c)
		out = append(out, schemas.ConstrainedInfeasible{
			Schema: schemas.ConstrainedInfeasibleSchema, ID: fmt.Sprintf("cx-%04d", i+1), Key: e.key, Infeasible: true,
			Source: e.source, Target: e.target, BannedCategory: e.label, UnlabelledRule: p.Unlabelled, BanWitness: e.witness,
			BaselineLength: int(c.target.Distances[c.source]), Cut: bans.Cut(in.Graph, in.masks, c.pair(p)),
			MaxSteps: p.MaxSteps, Seed: p.Seed,
			ParamsSHA256: env.ParamsSHA256(), LabelsSHA256: in.labelsSHA256, GraphSHA256: in.Graph.SHA256,
		})
	}
	return out
}

// ends is what both kinds of records say of a pair.
type ends struct {
	key, label     string
	source, target schemas.PageRef
	witness        *schemas.BanWitness
}

func (p Params) ends(in *inputs, c candidate) ends {
	e := ends{label: schemas.LabelNames[c.bit], source: in.Page(c.source), target: in.Page(c.target.Node)}
	e.key = in.Wiki + ":" + rng.Part(e.source.PageID) + ":" + rng.Part(e.target.PageID) + ":" + e.label
	if c.witness != nil {
		e.witness = &schemas.BanWitness{PageRef: in.Page(*c.witness), InDegree: in.Graph.Pred.Degree(*c.witness)}
	}
	return e
}

// funnel makes the report on the draw.
func (p Params) funnel(in *inputs, f *attempts, list []schemas.ConstrainedInstance) schemas.ConstrainedFunnel {
	out := schemas.ConstrainedFunnel{
		Schema: schemas.ConstrainedFunnelSchema, Label: p.Label(), Params: canon.MustMarshal(p),
		Requested: p.N, Accepted: len(list), Status: schemas.StatusOK, Attempts: f.made,
		Rejects: map[string]int{}, Pages: f.field.pages, Sources: f.field.bySteps[0], Targets: f.field.bySteps[1], Empty: f.field.empty,
		Spread:  f.spread(),
		ByLabel: map[string]int{}, ByBinding: map[string]int{},
		OnPaths: bans.Coverage(list, in.masks),
		Kept:    min(len(f.infeasible), p.InfeasibleKeep),
	}
	if out.Accepted < out.Requested {
		out.Status = schemas.StatusShort
	}
	for _, reason := range schemas.ConstrainedRejects {
		out.Rejects[reason] = f.rejects[reason]
	}
	if in.Common != nil {
		out.Rejects[schemas.RejectKnown] = f.rejects[schemas.RejectKnown]
	}
	for _, binding := range schemas.Bindings {
		out.ByBinding[binding] = 0
	}
	for _, x := range list {
		out.ByLabel[x.BannedCategory]++
		out.ByBinding[x.Binding]++
	}
	return out
}

// spread says how far the bans are spread.
func (a *attempts) spread() schemas.BanSpread {
	out := schemas.BanSpread{Classes: []string{}, AtMost: a.field.offer.most, Limit: a.limit()}
	for _, bit := range a.field.offer.bits {
		out.Classes = append(out.Classes, schemas.LabelNames[bit])
	}
	if a.params.Spread {
		out.Even = a.field.offer.even
	}
	return out
}

func write(ctx context.Context, env stages.Env, list []schemas.ConstrainedInstance, infeasible []schemas.ConstrainedInfeasible, f schemas.ConstrainedFunnel) error {
	counts := constrained.Counts(&f)
	stages.Counts(env, counts)
	stages.Counts(env, map[string]int64{
		"accepted": int64(f.Accepted), "requested": int64(f.Requested),
		"pages_on_paths": int64(f.OnPaths.Any[1]), "labelled_on_paths": int64(f.OnPaths.Any[0]),
	})
	for _, file := range []struct {
		name  string
		write stages.WriteFunc
	}{
		{constrained.Set + ".jsonl", stages.JSONLines(list)},
		{constrained.Set + ".parquet", stages.Parquet(constrained.Table, list)},
		{"infeasible.jsonl", stages.JSONLines(infeasible)},
		{constrained.FunnelFile, stages.Canonical(f)},
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := env.Write(file.name, file.write); err != nil {
			return err
		}
	}
	return stages.WriteQuotas(env, []schemas.Quota{schemas.NewQuota(constrained.Set, f.Requested, f.Accepted, constrained.Why(&f), counts)})
}
