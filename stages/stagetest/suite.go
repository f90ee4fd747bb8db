package stagetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/stages"
)

// Run holds a stage to the contract. env has the inputs with which the stage succeeds and writes
// all its outputs; choose them small, because the stage runs some ten times.
func Run(t *testing.T, s stages.Stage, env *Env) {
	t.Helper()
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			if err := rule.check(s, env); err != nil {
				t.Error(err)
			}
		})
	}
}

// rules are the clauses of the contract. A check returns what is wrong, so that the suite itself
// can be tested.
var rules = []struct {
	name  string
	check func(stages.Stage, *Env) error
}{
	{"spec is well-formed", checkSpec},
	{"writes every declared artifact and nothing else", checkOutputs},
	{"does not depend on workers", checkWorkers},
	{"a missing input is an error", checkMissingInput},
	{"an ended context is an error and leaves whole files", checkCancel},
	{"a failing write is passed on", checkFailingWrite},
}

func checkSpec(s stages.Stage, _ *Env) error {
	spec := s.Spec()
	if !schemas.ValidPath(spec.Name) || strings.ToLower(spec.Name) != spec.Name {
		return fmt.Errorf("name %q", spec.Name)
	}
	if spec.Version < 1 {
		return fmt.Errorf("version %d, want 1 or more", spec.Version)
	}
	if len(spec.Outputs) == 0 {
		return errors.New("no outputs")
	}
	if err := checkArtifacts(spec.Inputs); err != nil {
		return fmt.Errorf("inputs: %w", err)
	}
	if err := checkArtifacts(spec.Outputs); err != nil {
		return fmt.Errorf("outputs: %w", err)
	}
	return checkParams(s)
}

func checkArtifacts(artifacts []schemas.Artifact) error {
	seen := map[string]bool{}
	for _, a := range artifacts {
		if a.Name == "" || a.Version < 1 || len(a.Files) == 0 || seen[a.Name] {
			return fmt.Errorf("artifact %q, version %d, of %d files, is there twice or has no name, version or files", a.Name, a.Version, len(a.Files))
		}
		seen[a.Name] = true
	}
	return nil
}

// checkParams wants an object that is the same every time: it goes into the stage's key.
func checkParams(s stages.Stage) error {
	first, err := canon.Marshal(s.Spec().Params)
	if err != nil {
		return fmt.Errorf("params: %w", err)
	}
	second, err := canon.Marshal(s.Spec().Params)
	if err != nil || !bytes.Equal(first, second) {
		return fmt.Errorf("params: %s, then %s, %v", first, second, err)
	}
	if !bytes.HasPrefix(first, []byte("{")) {
		return fmt.Errorf("params: %s is no object", first)
	}
	return nil
}

// checkOutputs relies on Env.Write, which refuses what is not declared.
func checkOutputs(s stages.Stage, env *Env) error {
	run := env.fresh(1)
	if err := run.Run(context.Background(), s); err != nil {
		return err
	}
	for _, a := range s.Spec().Outputs {
		if !slices.ContainsFunc(run.OutputNames(), a.Holds) {
			return fmt.Errorf("artifact %s has no file among %v", a.Name, run.OutputNames())
		}
	}
	return nil
}

// again runs s in an Env with the same inputs.
func (e *Env) again(s stages.Stage, workers int, t traps) (*Env, error) {
	run := e.fresh(workers)
	run.traps = t
	return run, run.Run(context.Background(), s)
}

func checkWorkers(s stages.Stage, env *Env) error {
	one, err := env.again(s, 1, traps{})
	if err != nil {
		return fmt.Errorf("1 worker: %w", err)
	}
	four := env.fresh(4)
	four.MemoryBytes = 2 * one.MemoryBytes
	if err := four.Run(context.Background(), s); err != nil {
		return fmt.Errorf("4 workers: %w", err)
	}
	for _, c := range []struct {
		what      string
		one, four any
	}{{"outputs", one.Outputs, four.Outputs}, {"counters", one.Counters, four.Counters}, {"warnings", one.Warnings, four.Warnings}} {
		if !reflect.DeepEqual(c.one, c.four) {
			return fmt.Errorf("%s with 1 worker %v, with 4 workers %v", c.what, c.one, c.four)
		}
	}
	return nil
}

func checkMissingInput(s stages.Stage, env *Env) error {
	for _, a := range s.Spec().Inputs {
		run := env.fresh(1)
		run.inputs = maps.Clone(env.inputs)
		delete(run.inputs, a.Name)
		if err := run.Run(context.Background(), s); err == nil {
			return fmt.Errorf("no error without input %s", a.Name)
		}
	}
	return nil
}

// checkCancel ends the context before the run, and at each Write of it.
func checkCancel(s stages.Stage, env *Env) error {
	whole, err := env.again(s, 2, traps{})
	if err != nil {
		return err
	}
	for at := range 1 + min(whole.traps.writes, maxWritesTried) {
		ctx, cancel := context.WithCancel(context.Background())
		run := env.fresh(2)
		run.traps.cancel, run.traps.cancelAt = cancel, at
		if at == 0 {
			cancel()
		}
		err := run.Run(ctx, s)
		cancel()
		if err == nil && at == 0 {
			return errors.New("no error although the context had ended")
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("context ended at write %d: error %w does not say so", at, err)
		}
		for name, got := range run.Outputs { // the first that is found
			if got != whole.Outputs[name] {
				return fmt.Errorf("context ended at write %d: committed %s is %v, in the whole run %v", at, name, got, whole.Outputs[name])
			}
		}
	}
	return nil
}

// maxWritesTried bounds at how many of a stage's writes it is disturbed.
const maxWritesTried = 8

func checkFailingWrite(s stages.Stage, env *Env) error {
	whole, err := env.again(s, 1, traps{})
	if err != nil {
		return err
	}
	for n := range min(whole.traps.writes, maxWritesTried) {
		for _, inWriter := range []bool{false, true} {
			if _, err := env.again(s, 1, traps{failWrite: n + 1, inWriter: inWriter}); !errors.Is(err, ErrDisk) {
				return fmt.Errorf("write %d failed, and the stage returned %w", n+1, cmp.Or(err, errors.New("no error")))
			}
		}
	}
	return nil
}
