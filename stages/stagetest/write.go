package stagetest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

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
	fail := e.traps.writes == e.traps.failWrite
	if fail && !e.traps.inWriter {
		return ErrDisk
	}
	out, err := e.commit(name, write, fail)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	e.Outputs[name] = out
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
	if e.spec == nil {
		return nil
	}
	for _, a := range e.spec.Outputs {
		if a.Holds(name) {
			return nil
		}
	}
	return fault.New(fault.Failure, "output %s is not declared by stage %s", name, e.spec.Name)
}

// commit writes the file under a name of its own and renames it when it is whole.
func (e *Env) commit(name string, write stages.WriteFunc, fail bool) (Output, error) {
	if err := os.MkdirAll(filepath.Dir(e.path(name)), 0o755); err != nil {
		return Output{}, err
	}
	temp := e.path(".tmp-" + filepath.Base(name))
	out, err := writeFile(temp, write, fail)
	if err != nil {
		return Output{}, errors.Join(err, os.Remove(temp))
	}
	return out, os.Rename(temp, e.path(name))
}

func writeFile(path string, write stages.WriteFunc, fail bool) (Output, error) {
	f, err := os.Create(path)
	if err != nil {
		return Output{}, err
	}
	hash := digest.NewHash()
	var w io.Writer = io.MultiWriter(f, hash)
	if fail {
		w = brokenWriter{}
	}
	buffered := bufio.NewWriterSize(w, 16)
	summary, err := write(buffered)
	err = errors.Join(err, buffered.Flush(), f.Close())
	if fail && err == nil {
		err = ErrDisk // of an empty file nothing reached the writer
	}
	return Output{Digest: hash.Sum(), Rows: summary.Rows, Logical: summary.Logical}, err
}

// brokenWriter takes nothing.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, ErrDisk }
