// Package pipeline runs the stages: it knows their order, decides from content digests what would run and why,
// runs it, and leaves a receipt behind each.
//
// A stage's key is a hash of its name, version and Params, of the layout versions that it reads and writes, and
// of the content of its inputs. So if new code writes the same bytes, nothing below reruns; going back to an
// old parameter finds the old results; and what a build gives depends on nothing but its inputs and its recipe.
// The package prints nothing: progress goes to a Reporter, clocks and hosts to the run log.
package pipeline

import (
	"cmp"
	"errors"
	"os"
	"slices"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// Options say how to run, and never what comes out.
type Options struct {
	Build    string // name of the build
	Only     string // a stage: it and what it needs; "" for all
	Workers  int
	Memory   int64 // bytes
	Fast     bool  // trust xxhash64 in place of SHA-256 for results that are there
	Code     schemas.Code
	Reporter Reporter
	Log      func(event any) // the run log; nil for none
}

// Reporter hears of progress. Stage is called by one goroutine, a Meter by many.
type Reporter interface {
	Stage(Event)
	Meter(stage, phase, unit string, total int64) stages.Meter
}

// Event tells that a stage starts, or how it ended.
type Event struct {
	Stage    string
	Number   int // 1-based, of Total
	Total    int
	State    State
	Why      string // "" for what runs because it was not built yet
	Estimate stages.Estimate
	Receipt  *schemas.Receipt // when it ended well
}

type State string

// The states. Unknown stands in plans only: the inputs are not there yet.
const (
	Fresh   State = "fresh"
	Stale   State = "run"
	Unknown State = "unknown"
	Running State = "running"
	Done    State = "done"
)

// Pipeline is the stages of one recipe over one source, in a work directory. The caller holds the directory's lock.
type Pipeline struct {
	dir    *store.Dir
	recipe Recipe
	source Source
	stages []stages.Stage
	opts   Options
	roots  []*os.Root
}

// New prepares a pipeline. Close it after use.
func New(dir *store.Dir, r Recipe, src Source, opts Options) (*Pipeline, error) {
	opts.Build = cmp.Or(opts.Build, store.DefaultBuild)
	if !store.ValidBuildName(opts.Build) {
		return nil, fault.New(fault.Usage, "build name %s: use lower-case letters, digits, '.', '_' and '-'", fault.Quote(opts.Build))
	}
	p := &Pipeline{dir: dir, recipe: r, source: src, stages: Registry(r, src), opts: opts}
	return p, p.narrow()
}

func (p *Pipeline) Close() error {
	var errs []error
	for _, r := range p.roots {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}

// narrow keeps the stage of Options.Only and those that it needs.
func (p *Pipeline) narrow() error {
	if p.opts.Only == "" {
		return nil
	}
	at := slices.IndexFunc(p.stages, func(s stages.Stage) bool { return s.Spec().Name == p.opts.Only })
	if at < 0 {
		return fault.New(fault.Usage, "--only %s: this build has no such stage", fault.Quote(p.opts.Only)).
			Choose(p.opts.Only, p.Names())
	}
	needed := map[string]bool{}
	var kept []stages.Stage
	for i := at; i >= 0; i-- {
		spec := p.stages[i].Spec()
		if i != at && !slices.ContainsFunc(spec.Outputs, func(a schemas.Artifact) bool { return needed[a.Name] }) {
			continue
		}
		for _, in := range spec.Inputs {
			needed[in.Name] = true
		}
		kept = append(kept, p.stages[i])
	}
	slices.Reverse(kept)
	p.stages = kept
	return nil
}

func (p *Pipeline) Names() []string {
	var names []string
	for _, s := range p.stages {
		names = append(names, s.Spec().Name)
	}
	return names
}
