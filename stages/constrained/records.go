package constrained

import (
	"context"
	"fmt"

	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
)

// instances makes the records of the accepted pairs. Workers take them as they come; which has which shows nowhere.
func (s stage) instances(ctx context.Context, env stages.Env, in *inputs, f *found) ([]schemas.ConstrainedInstance, error) {
	out := make([]schemas.ConstrainedInstance, len(f.accepted))
	meter := env.Meter("features", "instances", int64(len(out)))
	defer meter.Done()
	kits := make([]*bans.Kit, max(1, env.Workers()))
	return out, graph.Each(ctx, len(kits), len(out), func(worker, i int) error {
		if kits[worker] == nil {
			kits[worker] = bans.NewKit(in.Graph, in.masks)
		}
		defer meter.Add(1)
		out[i] = s.instance(env, in, f.accepted[i], i+1)
		if err := kits[worker].Fill(&out[i], f.accepted[i].target.Column); err != nil {
			return fmt.Errorf("instance %s: %w", out[i].ID, err)
		}
		return nil
	})
}

// instance makes a record without what follows from ends and ban.
func (s stage) instance(env stages.Env, in *inputs, c candidate, number int) schemas.ConstrainedInstance {
	e := s.ends(in, c)
	return schemas.ConstrainedInstance{
		Schema: schemas.ConstrainedInstanceSchema, ID: fmt.Sprintf("cw-%04d", number), Key: e.key,
		Source: e.source, Target: e.target, BannedCategory: e.label, UnlabelledRule: s.params.Unlabelled, BanWitness: e.witness,
		MaxSteps: s.params.MaxSteps, Seed: s.params.Seed,
		ParamsSHA256: env.ParamsSHA256(), LabelsSHA256: in.labelsSHA256, GraphSHA256: in.Graph.SHA256,
	}
}

// infeasible makes the records of the first pairs without a path.
func (s stage) infeasible(env stages.Env, in *inputs, f *found) []schemas.ConstrainedInfeasible {
	out := []schemas.ConstrainedInfeasible{}
	for i, c := range f.infeasible[:min(len(f.infeasible), s.params.InfeasibleKeep)] {
		e := s.ends(in, c)
		out = append(out, schemas.ConstrainedInfeasible{
			Schema: schemas.ConstrainedInfeasibleSchema, ID: fmt.Sprintf("cx-%04d", i+1), Key: e.key, Infeasible: true,
			Source: e.source, Target: e.target, BannedCategory: e.label, UnlabelledRule: s.params.Unlabelled, BanWitness: e.witness,
			BaselineLength: int(c.target.Column[c.source]), Cut: bans.Cut(in.Graph, in.masks, c.pair(s.params)),
			MaxSteps: s.params.MaxSteps, Seed: s.params.Seed,
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

func (s stage) ends(in *inputs, c candidate) ends {
	e := ends{label: schemas.LabelNames[c.bit], source: in.Page(c.source), target: in.Page(c.target.Node)}
	e.key = in.Wiki + ":" + rng.Part(e.source.PageID) + ":" + rng.Part(e.target.PageID) + ":" + e.label
	if c.witness != nil {
		e.witness = &schemas.BanWitness{PageRef: in.Page(*c.witness), InDegree: in.Graph.Pred.Degree(*c.witness)}
	}
	return e
}
