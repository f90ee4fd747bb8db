package release

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// form is how the lines of a kind of record say which version they are.
type form[T any] struct {
	schema string
	of     func(*T) string
}

var (
	wikiraceForm    = form[schemas.WikiraceInstance]{schemas.WikiraceInstanceSchema, func(r *schemas.WikiraceInstance) string { return r.Schema }}
	probeForm       = form[schemas.ProbeInstance]{schemas.ProbeInstanceSchema, func(r *schemas.ProbeInstance) string { return r.Schema }}
	constrainedForm = form[schemas.ConstrainedInstance]{schemas.ConstrainedInstanceSchema, func(r *schemas.ConstrainedInstance) string { return r.Schema }}
	infeasibleForm  = form[schemas.ConstrainedInfeasible]{schemas.ConstrainedInfeasibleSchema, func(r *schemas.ConstrainedInfeasible) string { return r.Schema }}
	oneStepForm     = form[schemas.OneStepInstance]{schemas.OneStepInstanceSchema, func(r *schemas.OneStepInstance) string { return r.Schema }}
)

// DecodeInstances reads the JSON lines of a split: one canonical object a line, the last line ended, too. file is the name for
// messages; a bad line is fault.Malformed with its number.
func DecodeInstances(data []byte, file string) ([]schemas.WikiraceInstance, error) {
	return decodeAll(data, file, wikiraceForm)
}

// DecodeProbe is DecodeInstances for the knowledge probe.
func DecodeProbe(data []byte, file string) ([]schemas.ProbeInstance, error) {
	return decodeAll(data, file, probeForm)
}

// DecodeOneStep is DecodeInstances for a one-step set.
func DecodeOneStep(data []byte, file string) ([]schemas.OneStepInstance, error) {
	return decodeAll(data, file, oneStepForm)
}

// DecodeConstrained is DecodeInstances for the instances under a ban.
func DecodeConstrained(data []byte, file string) ([]schemas.ConstrainedInstance, error) {
	return decodeAll(data, file, constrainedForm)
}

// DecodeInfeasible is DecodeInstances for the pairs that a ban leaves without a path.
func DecodeInfeasible(data []byte, file string) ([]schemas.ConstrainedInfeasible, error) {
	return decodeAll(data, file, infeasibleForm)
}

func decodeAll[T any](data []byte, file string, f form[T]) ([]T, error) {
	list, bad := decodeLines(data, file, f)
	if len(bad) > 0 {
		return nil, bad[0]
	}
	return list, nil
}

// decodeLines reads all lines; those that hold no instance are among bad, the others in list.
func decodeLines[T any](data []byte, file string, f form[T]) (list []T, bad []error) {
	for n := 1; len(data) > 0; n++ {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		record, err := f.decode(line)
		if err == nil && !ended {
			err = errors.New("the line does not end")
		}
		if err != nil {
			bad = append(bad, fault.New(fault.Malformed, "%w", err).At(file, lineOf(n)))
		} else {
			list = append(list, record)
		}
		data = rest
	}
	return list, bad
}

func lineOf(n int) string { return fmt.Sprintf("line %d", n) }

func (f form[T]) decode(line []byte) (record T, err error) {
	if err := canon.Decode(line, canon.MaxLine, &record); err != nil {
		return record, err
	}
	if got := f.of(&record); got != f.schema {
		return record, fmt.Errorf("record version %s is not supported, only %s is", fault.Quote(got), f.schema)
	}
	if !bytes.Equal(line, canon.MustMarshal(record)) {
		return record, errors.New("not the canonical form of its content, or a field is missing")
	}
	return record, nil
}
