package stages

import (
	"context"
	"io"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Make makes a stage of what it is and what it does. Run refuses an ended context, and Params that a Validate of theirs refuses.
func Make(spec Spec, run func(ctx context.Context, env *Run) error) Stage { return made{spec, run} }

type made struct {
	spec Spec
	run  func(ctx context.Context, env *Run) error
}

func (m made) Spec() Spec { return m.spec }

func (m made) Run(ctx context.Context, env Env) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p, ok := m.spec.Params.(interface{ Validate() error }); ok {
		if err := p.Validate(); err != nil {
			return err
		}
	}
	r := &Run{Env: env}
	defer func() {
		for _, file := range r.open {
			file.Close()
		}
	}()
	return m.run(ctx, r)
}

// Run is the Env of a stage that Make made. What it opens is closed when the stage ends.
type Run struct {
	Env
	open []io.Closer
}

// Keep has a file closed when the stage ends, if it could be opened.
func Keep[F io.Closer](r *Run, file F, err error) (F, error) {
	if err == nil {
		r.open = append(r.open, file)
	}
	return file, err
}

// Reads reports whether the artifact is among the inputs of this stage: some builds have it, and
// others do without.
func (r *Run) Reads(a schemas.Artifact) bool {
	_, err := r.Input(a)
	return err == nil
}

// Reading returns the stage with more inputs, which change its key.
func Reading(s Stage, more ...schemas.Artifact) Stage { return reading{s, more} }

type reading struct {
	Stage
	more []schemas.Artifact
}

func (r reading) Spec() Spec {
	spec := r.Stage.Spec()
	spec.Inputs = slices.Concat(spec.Inputs, r.more)
	return spec
}

func (r *Run) Table(a schemas.Artifact, name string, t schemas.Table) (*arrowio.File, error) {
	file, err := OpenTable(r.Env, a, name, t)
	return Keep(r, file, err)
}

func (r *Run) Graph() (*graph.Graph, error) {
	g, err := OpenGraph(r.Env)
	return Keep(r, g, err)
}

// PerNode is Table for one that has a row for each node of g, row u for node u.
func (r *Run) PerNode(a schemas.Artifact, name string, t schemas.Table, g *graph.Graph) (*arrowio.File, error) {
	table, err := r.Table(a, name, t)
	if err != nil {
		return nil, err
	}
	if got, want := table.Rows(), int64(g.Len()); got != want {
		return nil, fault.New(fault.Mismatch, "%d rows for a graph of %d nodes", got, want).At(name, "")
	}
	return table, nil
}
