// Package stagetest is the suite that every stage must pass, and the world in which stages are tested.
//
// Env is a stages.Env over a temporary directory: a test gives it the files of the inputs, runs a
// stage in it, and looks at outputs, counters and warnings. Run is the suite: it runs a stage again
// and again over the same inputs and holds it to the contract of package stages. GiveGraph and its
// kin write the artifacts that most stages read, from a line of text such as "A->B,C  B->A".
//
// It promises what a pipeline promises a stage, so that a stage that passes here may rely on it:
// only declared inputs are there, only declared outputs are taken, whole or not at all. It keeps no
// store, computes no keys, and skips no shard. It is imported by tests only.
package stagetest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// Env is the world of one stage. Give it inputs, then Run a stage; what the run leaves is in the
// exported fields.
type Env struct {
	t       testing.TB
	inputs  map[string]input // by the artifact's name
	dir     string           // of the outputs
	scratch string           // of the files that go with the run
	traps   traps
	state

	// NumWorkers and MemoryBytes are what the stage is told. New sets 2 and 1 GiB.
	NumWorkers  int
	MemoryBytes int64
}

// state is what one run leaves. A shard's Env shares it with the stage's.
type state struct {
	Outputs  map[string]Output // by file name
	Counters map[string]int64
	Warnings []schemas.Warning

	spec   *stages.Spec
	params string // digest
}

type Output struct {
	Digest  digest.Digest
	Rows    int64
	Logical string
}

type input struct {
	root  *os.Root
	files map[string]digest.Digest
	roles map[string]string // of files from outside
}

func New(t testing.TB) *Env {
	t.Helper()
	return &Env{
		t: t, inputs: map[string]input{}, dir: t.TempDir(), scratch: t.TempDir(), state: newState(),
		NumWorkers: 2, MemoryBytes: 1 << 30,
	}
}

func newState() state { return state{Outputs: map[string]Output{}, Counters: map[string]int64{}} }

// fresh gives an Env with the same inputs and no outputs.
func (e *Env) fresh(workers int) *Env {
	out := New(e.t)
	out.inputs, out.NumWorkers, out.MemoryBytes = e.inputs, workers, e.MemoryBytes
	return out
}

// Run runs s in this Env, from which outputs of an earlier run are gone.
func (e *Env) Run(ctx context.Context, s stages.Stage) error {
	e.dir, e.scratch, e.state = e.t.TempDir(), e.t.TempDir(), newState()
	spec := s.Spec()
	params, err := canon.Marshal(spec.Params)
	if err != nil {
		return fmt.Errorf("stage %s: params: %w", spec.Name, err)
	}
	e.spec, e.params = &spec, digest.SHA256(params)
	return s.Run(ctx, e)
}

func (e *Env) MustRun(s stages.Stage) {
	e.t.Helper()
	if err := e.Run(context.Background(), s); err != nil {
		e.t.Fatalf("stage %s: %v", s.Spec().Name, err)
	}
}

func (e *Env) Read(name string) []byte {
	e.t.Helper()
	data, err := os.ReadFile(e.path(name))
	if err != nil {
		e.t.Fatal(err)
	}
	return data
}

// OutputNames lists the committed files, sorted.
func (e *Env) OutputNames() []string { return slices.Sorted(maps.Keys(e.Outputs)) }

func (e *Env) path(name string) string { return filepath.Join(e.dir, filepath.FromSlash(name)) }

// Input lists the files that were given for a.
func (e *Env) Input(a schemas.Artifact) ([]stages.File, error) {
	same := func(b schemas.Artifact) bool { return a.Name == b.Name && a.Version == b.Version }
	if e.spec != nil && !slices.ContainsFunc(e.spec.Inputs, same) {
		return nil, fault.New(fault.Failure, "input %s/%d is not declared by stage %s", a.Name, a.Version, e.spec.Name)
	}
	in, ok := e.inputs[a.Name]
	if !ok {
		return nil, fault.New(fault.NotFound, "no artifact %s", a.Name)
	}
	var files []stages.File
	for _, name := range slices.Sorted(maps.Keys(in.files)) {
		files = append(files, stages.File{Name: name, Role: in.roles[name], Root: in.root, Digest: in.files[name]})
	}
	return files, nil
}

func (e *Env) Shard(number int, run func(stages.Env) error) error {
	if err := run(e); err != nil {
		return fmt.Errorf("shard %d: %w", number, err)
	}
	return nil
}

// Written gives a file that this run has committed.
func (e *Env) Written(name string) (stages.File, error) {
	out, ok := e.Outputs[name]
	if !ok {
		return stages.File{}, fault.New(fault.NotFound, "no output %s was written", name)
	}
	root, err := os.OpenRoot(e.dir)
	if err != nil {
		return stages.File{}, err
	}
	e.t.Cleanup(func() { root.Close() })
	return stages.File{Name: name, Root: root, Digest: out.Digest}, nil
}

func (e *Env) Count(name string, n int64) {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_.-") != "" {
		e.t.Errorf("counter %q: a name has lower-case letters, digits and _ . - only", name)
	}
	e.Counters[name] += n
}

func (e *Env) Warn(w schemas.Warning) { e.Warnings = append(e.Warnings, w) }

func (e *Env) Meter(_, _ string, _ int64) stages.Meter { return meter{} }

type meter struct{}

func (meter) Add(int64) {}
func (meter) Done()     {}

// Temp opens a scratch file that has no name any more.
func (e *Env) Temp() (*os.File, error) {
	f, err := os.CreateTemp(e.scratch, "unnamed-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// TempPath names a file in a folder of the run's own.
func (e *Env) TempPath(name string) string { return filepath.Join(e.scratch, name) }

// ParamsSHA256 is the digest of the canonical params of the stage under test.
func (e *Env) ParamsSHA256() string { return e.params }

func (e *Env) Workers() int { return e.NumWorkers }

func (e *Env) Memory() int64 { return e.MemoryBytes }
