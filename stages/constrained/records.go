package constrained

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
)

// instances makes the records of the accepted pairs. Workers take them as they come; which has which shows nowhere.
func (s stage) instances(ctx context.Context, env stages.Env, in *inputs, f *found) ([]schemas.ConstrainedInstance, error) {
	out := make([]schemas.ConstrainedInstance, len(f.accepted))
	meter := env.Meter("features", "instances", int64(len(out)))
	defer meter.Done()
	var taken atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range min(max(1, env.Workers()), len(out)) {
		group.Go(func() error {
			kit := bans.NewKit(in.Graph, in.masks)
			for i := taken.Add(1) - 1; i < int64(len(out)); i = taken.Add(1) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				c := f.accepted[i]
				out[i] = s.instance(env, in, c, int(i)+1)
				if err := kit.Fill(&out[i], c.target.Column); err != nil {
					return fmt.Errorf("instance %s: %w", out[i].ID, err)
				}
				meter.Add(1)
			}
			return nil
		})
	}
	return out, group.Wait()
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
