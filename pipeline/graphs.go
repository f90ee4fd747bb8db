package pipeline

import (
	"context"
	"slices"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// Graph makes the graph of a build anew under another policy, from the pages and links that the
// build has read, and returns the receipt of its components. The results lie in scratch; what was
// built stays as it is. Memory as for the stages linkgraph and scc.
func Graph(
	ctx context.Context, built *store.Dir, b *schemas.Build, policy schemas.Recipe, scratch *store.Dir, opts Options,
) (*schemas.Receipt, error) {
	if policy.LinkSource != b.Recipe.LinkSource {
		return nil, fault.New(fault.Usage, "the build has links of %s, not of %s",
			b.Recipe.LinkSource, policy.LinkSource)
	}
	r, err := LoadRecipe(DefaultRecipe, Input{})
	if err != nil {
		return nil, err
	}
	r.Graph = policy
	p := &Pipeline{dir: scratch, recipe: r, opts: opts}
	defer p.Close()
	have, graph := available{}, names(func(e entry) bool { return e.graph })
	for _, s := range Registry(r, Source{}) {
		name := s.Spec().Name
		switch {
		case slices.Contains(graph, name):
			p.stages = append(p.stages, s)
		case len(p.stages) == 0 && b.Stages[name] != "":
			if err := p.take(ctx, have, s, built.Result(name, b.Stages[name])); err != nil {
				return nil, &StageError{name, err}
			}
		}
	}
	var last Outcome
	for i, s := range p.stages {
		if last, err = p.step(ctx, i, s, have); err != nil {
			return nil, &StageError{s.Spec().Name, err}
		}
	}
	return last.Receipt, nil
}

// take offers a result of another work directory.
func (p *Pipeline) take(ctx context.Context, have available, s stages.Stage, result *store.Result) error {
	receipt, err := result.Fresh(ctx, p.opts.Fast)
	if err != nil {
		return err
	}
	return p.offer(have, &task{spec: s.Spec(), result: result, receipt: receipt})
}
