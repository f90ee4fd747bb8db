package constrained

import (
	"context"

	"github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages"
)

// funnel makes the report on the draw.
func (s stage) funnel(in *inputs, f *found, list []schemas.ConstrainedInstance) schemas.ConstrainedFunnel {
	out := schemas.ConstrainedFunnel{
		Schema: schemas.ConstrainedFunnelSchema, Label: s.params.Label(), Params: canon.MustMarshal(s.params),
		Requested: s.params.N, Accepted: len(list), Status: schemas.StatusOK, Attempts: f.made,
		Rejects: map[string]int{}, Pages: f.field.pages, Sources: f.field.bySteps[0], Targets: f.field.bySteps[1], Empty: f.field.empty,
		ByLabel: map[string]int{}, ByBinding: map[string]int{},
		OnPaths: bans.Coverage(list, in.masks),
		Kept:    min(len(f.infeasible), s.params.InfeasibleKeep),
	}
	if out.Accepted < out.Requested {
		out.Status = schemas.StatusShort
	}
	for _, reason := range schemas.ConstrainedRejects {
		out.Rejects[reason] = f.rejects[reason]
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

func (s stage) write(ctx context.Context, env stages.Env, list []schemas.ConstrainedInstance, infeasible []schemas.ConstrainedInfeasible, f schemas.ConstrainedFunnel) error {
	env.Count("attempts", int64(f.Attempts))
	env.Count("accepted", int64(f.Accepted))
	env.Count("requested", int64(f.Requested))
	env.Count("pages_on_paths", int64(f.OnPaths.Any[1]))
	env.Count("labelled_on_paths", int64(f.OnPaths.Any[0]))
	for _, reason := range schemas.ConstrainedRejects {
		env.Count("rejected_"+reason, int64(f.Rejects[reason]))
	}
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
	counts := map[string]int64{"attempts": int64(f.Attempts)}
	for _, reason := range schemas.ConstrainedRejects {
		counts["rejected_"+reason] = int64(f.Rejects[reason])
	}
	return stages.WriteQuotas(env, []schemas.Quota{schemas.NewQuota(constrained.Set, f.Requested, f.Accepted, constrained.Why(&f), counts)})
}
