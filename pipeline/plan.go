package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

type Step struct {
	Stage string `json:"stage"`
	Key   string `json:"key"` // "" while the inputs are not known
	State State  `json:"state"`
	Why   string `json:"why"`
}

// Plan says what Build would run, and why. It writes nothing.
func (p *Pipeline) Plan(ctx context.Context) ([]Step, error) {
	have := p.source.artifacts()
	var steps []Step
	for _, s := range p.stages {
		t, err := p.task(ctx, s, have)
		if err != nil {
			return nil, err
		}
		if t.state == Fresh {
			if err := p.offer(have, t); err != nil {
				return nil, err
			}
		}
		steps = append(steps, Step{t.spec.Name, t.key, t.state, t.why})
	}
	return steps, nil
}

// available holds the files of every artifact that is there, by artifact name.
type available map[string][]stages.File

type task struct {
	stage   stages.Stage
	spec    stages.Spec
	inputs  map[string][]stages.File
	key     string
	result  *store.Result
	state   State
	why     string
	receipt *schemas.Receipt // when fresh
}

func (p *Pipeline) task(ctx context.Context, s stages.Stage, have available) (*task, error) {
	t := &task{stage: s, spec: s.Spec(), inputs: map[string][]stages.File{}}
	for _, in := range t.spec.Inputs {
		files, ok := have[in.Name]
		if !ok {
			t.state, t.why = Unknown, "waits for "+p.maker(in)
			return t, nil
		}
		t.inputs[in.Name] = files
	}
	key, err := Key(t.spec, t.inputs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.spec.Name, err)
	}
	t.key, t.result = key, p.dir.Result(t.spec.Name, key)
	t.receipt, err = t.result.Fresh(ctx, p.opts.Fast)
	switch {
	case ctx.Err() != nil:
		return t, ctx.Err()
	case err == nil:
		t.state, t.why = Fresh, "the result is there"
	default:
		t.state, t.why = Stale, p.reason(t, err)
	}
	return t, nil
}

// keyParts is everything that a key depends on. Its canonical JSON is hashed.
type keyParts struct {
	Stage        string            `json:"stage"`
	StageVersion int               `json:"stage_version"`
	Params       any               `json:"params"`
	Reads        map[string]int    `json:"reads"`  // artifact -> layout version
	Writes       map[string]int    `json:"writes"` // artifact -> layout version
	Inputs       map[string]string `json:"inputs"` // artifact/file -> SHA-256
}

// Key gives the key of a stage over its inputs: 64 hex digits.
func Key(spec stages.Spec, inputs map[string][]stages.File) (string, error) {
	parts := keyParts{
		Stage: spec.Name, StageVersion: spec.Version, Params: spec.Params,
		Reads: versions(spec.Inputs), Writes: versions(spec.Outputs), Inputs: map[string]string{},
	}
	for _, in := range receiptInputs(inputs) {
		parts.Inputs[in.Name] = in.SHA256
	}
	data, err := canon.Marshal(parts)
	if err != nil {
		return "", err
	}
	return digest.SHA256(data), nil
}

// shardKey is the sub-key of a shard.
func shardKey(key string, number int) string {
	return digest.SHA256(canon.MustMarshal(map[string]any{"key": key, "shard": number}))
}

func versions(list []schemas.Artifact) map[string]int {
	out := map[string]int{}
	for _, a := range list {
		out[a.Name] = a.Version
	}
	return out
}

func (p *Pipeline) maker(a schemas.Artifact) string {
	for _, s := range p.stages {
		if slices.ContainsFunc(s.Spec().Outputs, func(o schemas.Artifact) bool { return o.Name == a.Name }) {
			return s.Spec().Name
		}
	}
	return a.Name
}

// offer adds the outputs of a finished task to what later stages can read.
func (p *Pipeline) offer(have available, t *task) error {
	root, err := t.result.Root()
	if err != nil {
		return err
	}
	p.roots = append(p.roots, root)
	for _, out := range t.receipt.Outputs {
		artifact, ok := holder(t.spec.Outputs, out.Path)
		if !ok {
			return fault.New(fault.Mismatch, "the receipt lists %s, which is no output of %s", out.Path, t.spec.Name)
		}
		have[artifact] = append(have[artifact], stages.File{Name: out.Path, Root: root, Digest: store.DigestOf(out)})
	}
	return nil
}

// holder gives the artifact that a file belongs to.
func holder(outputs []schemas.Artifact, file string) (string, bool) {
	for _, a := range outputs {
		if a.Holds(file) {
			return a.Name, true
		}
	}
	return "", false
}

const notBuilt = "not built yet"

// reason compares a task that has to run with the newest build of the same name.
func (p *Pipeline) reason(t *task, notFresh error) string {
	if !errors.Is(notFresh, fs.ErrNotExist) {
		return "the result is damaged: " + notFresh.Error()
	}
	build, err := p.dir.Build(p.opts.Build)
	if err != nil || build.Stages[t.spec.Name] == "" {
		return notBuilt
	}
	if build.Stages[t.spec.Name] == t.key {
		return "the result is incomplete: " + notFresh.Error()
	}
	old, err := p.dir.Result(t.spec.Name, build.Stages[t.spec.Name]).Receipt()
	if err != nil {
		return "the result before it is gone"
	}
	return strings.Join(differences(t, old), "; ")
}

// changedParams names the parameters that differ, each with its value now and then.
func changedParams(now, then json.RawMessage) []string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(now, &a) != nil || json.Unmarshal(then, &b) != nil {
		return []string{"parameters " + string(now) + ", were " + string(then)}
	}
	var out []string
	for _, name := range sortedKeys(a) {
		if !bytes.Equal(a[name], b[name]) {
			out = append(out, fmt.Sprintf("%s %s, was %s", name, a[name], cmp.Or(string(b[name]), "nothing")))
		}
		delete(b, name)
	}
	for _, name := range sortedKeys(b) {
		out = append(out, fmt.Sprintf("no %s, was %s", name, b[name]))
	}
	return out
}

func differences(t *task, old *schemas.Receipt) []string {
	var out []string
	if old.StageVersion != t.spec.Version {
		out = append(out, fmt.Sprintf("stage version %d, was %d", t.spec.Version, old.StageVersion))
	}
	out = append(out, changedParams(canon.MustMarshal(t.spec.Params), old.Params)...)
	was := map[string]string{}
	for _, in := range old.Inputs {
		was[in.Name] = in.SHA256
	}
	for _, in := range receiptInputs(t.inputs) {
		if was[in.Name] != in.SHA256 {
			out = append(out, in.Name+" changed")
		}
		delete(was, in.Name)
	}
	for _, gone := range sortedKeys(was) {
		out = append(out, gone+" is no input any more")
	}
	if len(out) == 0 {
		out = append(out, "the layout of a file changed")
	}
	return out
}
