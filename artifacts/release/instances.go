package release

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// DecodeInstances reads the JSON lines of a split: one canonical object a line, the last line ended, too. file is the name for
// messages; a bad line is fault.Malformed with its number.
func DecodeInstances(data []byte, file string) ([]schemas.WikiraceInstance, error) {
	list, bad := decodeLines(data, file)
	if len(bad) > 0 {
		return nil, bad[0]
	}
	return list, nil
}

// decodeLines reads all lines; those that hold no instance are among bad, the others in list.
func decodeLines(data []byte, file string) (list []schemas.WikiraceInstance, bad []error) {
	for n := 1; len(data) > 0; n++ {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		inst, err := decodeInstance(line)
		if err == nil && !ended {
			err = errors.New("the line does not end")
		}
		if err != nil {
			bad = append(bad, fault.New(fault.Malformed, "%w", err).At(file, lineOf(n)))
		} else {
			list = append(list, inst)
		}
		data = rest
	}
	return list, bad
}

func lineOf(n int) string { return fmt.Sprintf("line %d", n) }

func decodeInstance(line []byte) (inst schemas.WikiraceInstance, err error) {
	if err := canon.Decode(line, canon.MaxLine, &inst); err != nil {
		return inst, err
	}
	if inst.Schema != schemas.WikiraceInstanceSchema {
		return inst, fmt.Errorf("record version %s is not supported, only %s is", fault.Quote(inst.Schema), schemas.WikiraceInstanceSchema)
	}
	if !bytes.Equal(line, canon.MustMarshal(inst)) {
		return inst, errors.New("not the canonical form of its content, or a field is missing")
	}
	return inst, nil
}
