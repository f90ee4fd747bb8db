package stagetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// traps are what the suite puts in a stage's way.
type traps struct {
	failWrite int  // the number, from 1, of the Write that fails; 0 for none
	inWriter  bool // it fails while the file is written, and not before
	cancelAt  int  // the Write at which cancel is called
	cancel    func()
	writes    int // made so far
}

// ErrDisk is what a Write that the suite lets fail returns.
var ErrDisk = errors.New("the disk of the test is full")

// Write commits a declared output.
func (e *Env) Write(name string, write stages.WriteFunc) error {
	if err := e.admit(name); err != nil {
		return err
	}
	e.traps.writes++
	if e.traps.writes == e.traps.cancelAt {
		e.traps.cancel()
	}
	var data bytes.Buffer
	var out io.Writer = &data
	fail := e.traps.writes == e.traps.failWrite
	if fail {
		if !e.traps.inWriter {
			return ErrDisk
		}
		out = brokenWriter{}
	}
	summary, err := write(out)
	if err == nil && fail {
		err = ErrDisk // of an empty file nothing reached the writer
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(e.path(name)), 0o755)
	}
	if err == nil {
		err = os.WriteFile(e.path(name), data.Bytes(), 0o644)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	e.Outputs[name] = Output{Digest: digest.Bytes(data.Bytes()), Rows: summary.Rows, Logical: summary.Logical}
	return nil
}

// admit refuses what a pipeline refuses: names that are not declared or not portable, and files
// written twice.
func (e *Env) admit(name string) error {
	if !schemas.ValidPath(name) {
		return fault.New(fault.Failure, "output %q is no portable name", name)
	}
	if _, twice := e.Outputs[name]; twice {
		return fault.New(fault.Failure, "output %s is written twice", name)
	}
	if e.spec != nil && !slices.ContainsFunc(e.spec.Outputs, func(a schemas.Artifact) bool { return a.Holds(name) }) {
		return fault.New(fault.Failure, "output %s is not declared by stage %s", name, e.spec.Name)
	}
	return nil
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, ErrDisk }
