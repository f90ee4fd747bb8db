package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

type Outcome struct {
	Stage   string
	Ran     bool
	Receipt *schemas.Receipt
}

type Result struct {
	Outcomes []Outcome
	Build    schemas.Build
}

type StageError struct {
	Stage string
	Err   error
}

func (e *StageError) Error() string { return e.Stage + ": " + e.Err.Error() }
func (e *StageError) Unwrap() error { return e.Err }

// InStage names the stage, for those that know errors by what they say.
func (e *StageError) InStage() string { return e.Stage }

// Build runs what is not fresh, in order, and then makes the build's name point at the results.
// After any interruption the next call goes on where this one stopped.
func (p *Pipeline) Build(ctx context.Context) (*Result, error) {
	have, res := p.source.artifacts(), &Result{}
	for i, s := range p.stages {
		outcome, err := p.step(ctx, i, s, have)
		if err != nil {
			return nil, &StageError{s.Spec().Name, err}
		}
		res.Outcomes = append(res.Outcomes, outcome)
	}
	var err error
	if res.Build, err = p.record(res.Outcomes); err != nil {
		return nil, err
	}
	return res, nil
}

func (p *Pipeline) step(ctx context.Context, i int, s stages.Stage, have available) (Outcome, error) {
	t, err := p.task(ctx, s, have)
	if err != nil {
		return Outcome{}, err
	}
	event := Event{Stage: t.spec.Name, Number: i + 1, Total: len(p.stages), State: t.state, Why: t.why, Receipt: t.receipt}
	switch t.state {
	case Unknown:
		return Outcome{}, fault.New(fault.NotFound, "%s", t.why)
	case Stale:
		if t.why == notBuilt {
			event.Why = "" // that ends with the event
		}
		if err := p.run(ctx, t, event); err != nil {
			return Outcome{}, err
		}
		event.State, event.Receipt = Done, t.receipt
	}
	p.tell(event)
	return Outcome{t.spec.Name, t.state == Stale, t.receipt}, p.offer(have, t)
}

func (p *Pipeline) run(ctx context.Context, t *task, event Event) error {
	event.State = Running
	if e, ok := t.stage.(stages.Estimator); ok {
		event.Estimate = e.Estimate(flat(t.inputs))
	}
	if err := p.preflight(event.Estimate); err != nil {
		return err
	}
	p.tell(event)
	shardKeys := func(number int) (string, bool) { return shardKey(t.key, number), true }
	if err := t.result.Begin(ctx, shardKeys); err != nil {
		return err
	}
	e := newEnv(ctx, p, t)
	if err := errors.Join(guarded(ctx, t.stage, e), t.result.RemoveTemps()); err != nil {
		return err
	}
	receipt := e.receipt(t.key)
	t.receipt = &receipt
	return t.result.Commit(receipt)
}

// guarded runs a stage: inputs that are cut short while they are mapped are its error.
func guarded(ctx context.Context, s stages.Stage, e stages.Env) error {
	return arrowio.Guard(func() error { return s.Run(ctx, e) })
}

// preflight finds out before hours of work what would stop it.
func (p *Pipeline) preflight(need stages.Estimate) error {
	if err := p.dir.WriteTest(); err != nil {
		return err
	}
	free, err := freeSpace(p.dir.Path())
	if err == nil && need.Disk > free {
		return fault.New(fault.NoSpace, "about %s are needed, %s are free", Bytes(need.Disk), Bytes(free)).
			At(p.dir.Path(), "").Hint("free %s and run again", Bytes(need.Disk-free))
	}
	if p.opts.Memory > 0 && need.Memory > p.opts.Memory {
		return fault.New(fault.Failure, "about %s of memory are needed, --memory allows %s", Bytes(need.Memory), Bytes(p.opts.Memory))
	}
	return nil
}

// freeSpace tells how many bytes an ordinary user can still write below path.
func freeSpace(path string) (int64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(path, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * st.Bsize, nil
}

func (p *Pipeline) tell(e Event) {
	p.opts.Reporter.Stage(e)
	if p.opts.Log != nil {
		key := ""
		if e.Receipt != nil {
			key = e.Receipt.Key
		}
		p.opts.Log(map[string]any{
			"stage": e.Stage, "number": e.Number, "total": e.Total, "state": e.State, "why": e.Why, "key": key,
		})
	}
}

// record writes builds/<name>.json unless it says so already.
func (p *Pipeline) record(outcomes []Outcome) (schemas.Build, error) {
	b := schemas.Build{
		Schema: schemas.BuildSchema, Stages: map[string]string{}, Recipe: p.recipe.Graph,
		Seed: p.recipe.rootSeed(), Source: p.source.meta,
	}
	if b.Source == nil {
		b.Source = []schemas.SourceFile{}
	}
	for _, o := range outcomes {
		b.Stages[o.Stage] = o.Receipt.Key
	}
	old, err := p.dir.Build(p.opts.Build)
	if err != nil && !errors.Is(err, fault.NotFound) && !errors.Is(err, fault.Mismatch) {
		return b, err
	}
	if err == nil && p.opts.Only != "" {
		p.carry(&b, old, outcomes)
	}
	if err == nil && bytes.Equal(canon.MustMarshal(b), canon.MustMarshal(*old)) {
		return b, nil
	}
	return b, p.dir.WriteBuild(p.opts.Build, b)
}

// carry keeps stages outside a partial build, as long as what they read is what it names.
func (p *Pipeline) carry(b *schemas.Build, old *schemas.Build, outcomes []Outcome) {
	current := map[string]string{}
	for _, in := range receiptInputs(p.source.artifacts()) {
		current[in.Name] = in.SHA256
	}
	add := func(spec stages.Spec, r *schemas.Receipt) {
		for _, out := range r.Outputs {
			if artifact, ok := holder(spec.Outputs, out.Path); ok {
				current[artifact+"/"+out.Path] = out.SHA256
			}
		}
	}
	for _, s := range Registry(p.recipe, p.source) {
		spec := s.Spec()
		if at := slices.IndexFunc(outcomes, func(o Outcome) bool { return o.Stage == spec.Name }); at >= 0 {
			add(spec, outcomes[at].Receipt)
			continue
		}
		key := old.Stages[spec.Name]
		if key == "" {
			continue
		}
		r, err := p.dir.Result(spec.Name, key).Receipt()
		if err != nil || !follows(r, current) {
			continue
		}
		b.Stages[spec.Name] = key
		add(spec, r)
	}
}

// follows reports whether all that a result read is current.
func follows(r *schemas.Receipt, current map[string]string) bool {
	return !slices.ContainsFunc(r.Inputs, func(in schemas.ReceiptInput) bool { return current[in.Name] != in.SHA256 })
}

func flat(inputs map[string][]stages.File) []stages.File {
	var out []stages.File
	for _, name := range sortedKeys(inputs) {
		out = append(out, inputs[name]...)
	}
	return out
}

func Bytes(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	div, exp := int64(unit), 0
	for v := n / unit; v >= unit; v /= unit {
		div *= unit
		exp++
	}
	return fmt.Sprintf("%.1f %ciB", float64(n)/float64(div), "KMGTPE"[exp])
}
