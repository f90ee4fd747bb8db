package pipeline

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages"
)

// env is the stages.Env of one run of a stage, or of one of its shards.
type env struct {
	ctx      context.Context
	p        *Pipeline
	spec     stages.Spec
	inputs   map[string][]stages.File
	result   *store.Result
	key      string
	params   []byte
	root     *os.Root // of the result, once something is read back
	outputs  []schemas.ReceiptOutput
	counters map[string]int64
	warnings []schemas.Warning
}

func newEnv(ctx context.Context, p *Pipeline, t *task) *env {
	return &env{
		ctx: ctx, p: p, spec: t.spec, inputs: t.inputs, result: t.result, key: t.key,
		params: canon.MustMarshal(t.spec.Params), counters: map[string]int64{}, warnings: []schemas.Warning{},
	}
}

func (e *env) Input(a schemas.Artifact) ([]stages.File, error) {
	files, ok := e.inputs[a.Name]
	if !ok {
		return nil, fmt.Errorf("stage %s does not declare the input %s", e.spec.Name, a.Name)
	}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b stages.File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

func (e *env) Write(name string, write stages.WriteFunc) error {
	if _, ok := holder(e.spec.Outputs, name); !ok {
		return fmt.Errorf("stage %s does not declare an output for the file %s", e.spec.Name, name)
	}
	if err := e.ctx.Err(); err != nil {
		return err
	}
	out, err := e.result.Write(name, func(w io.Writer) (int64, string, error) {
		sum, err := write(&cancelWriter{e.ctx, w})
		return sum.Rows, sum.Logical, err
	})
	if err != nil {
		return err
	}
	e.outputs = append(e.outputs, out)
	return nil
}

func (e *env) Shard(number int, run func(stages.Env) error) error {
	if !e.spec.Sharded {
		return fmt.Errorf("stage %s does not declare that it has shards", e.spec.Name)
	}
	key := shardKey(e.key, number)
	if r, err := e.result.FreshShard(e.ctx, number, key); err == nil {
		e.adopt(*r)
		return nil
	}
	inner := *e
	inner.outputs, inner.counters, inner.warnings = nil, map[string]int64{}, []schemas.Warning{}
	if err := run(&inner); err != nil {
		return err
	}
	r := inner.receipt(key)
	if err := e.result.CommitShard(number, r); err != nil {
		return err
	}
	e.adopt(r)
	return nil
}

// adopt takes a shard's outputs and counters into the stage's own.
func (e *env) adopt(r schemas.Receipt) {
	e.outputs = append(e.outputs, r.Outputs...)
	for _, name := range sortedKeys(r.Counters) {
		e.counters[name] += r.Counters[name]
	}
	e.warnings = append(e.warnings, r.Warnings...)
}

func (e *env) Written(name string) (stages.File, error) {
	for _, out := range e.outputs {
		if out.Path != name {
			continue
		}
		if e.root == nil {
			root, err := e.result.Root()
			if err != nil {
				return stages.File{}, err
			}
			e.root = root
			e.p.roots = append(e.p.roots, root)
		}
		return stages.File{Name: name, Root: e.root, Digest: store.DigestOf(out)}, nil
	}
	return stages.File{}, fmt.Errorf("stage %s has not written %s", e.spec.Name, name)
}

func (e *env) Count(name string, n int64) { e.counters[name] += n }

func (e *env) Warn(w schemas.Warning) { e.warnings = append(e.warnings, w) }

func (e *env) Meter(phase, unit string, total int64) stages.Meter {
	return e.p.opts.Reporter.Meter(e.spec.Name, phase, unit, total)
}

func (e *env) Temp() (*os.File, error) { return e.result.Temp() }

func (e *env) TempPath(name string) string { return e.result.TempPath(name) }

func (e *env) ParamsSHA256() string { return digest.SHA256(e.params) }

func (e *env) Workers() int { return max(1, e.p.opts.Workers) }

func (e *env) Memory() int64 { return e.p.opts.Memory }

// receipt closes the books of a run.
func (e *env) receipt(key string) schemas.Receipt {
	slices.SortFunc(e.outputs, func(a, b schemas.ReceiptOutput) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(e.warnings, func(a, b schemas.Warning) int { return strings.Compare(a.Code, b.Code) })
	return schemas.Receipt{
		Schema: schemas.ReceiptSchema, Stage: e.spec.Name, StageVersion: e.spec.Version, Key: key, Code: e.p.opts.Code,
		Params: e.params, Inputs: receiptInputs(e.inputs), Outputs: e.outputs,
		Counters: e.counters, Warnings: e.warnings,
	}
}

// cancelWriter stops a long write soon after its context ends.
type cancelWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c *cancelWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}
