package main

import (
	"errors"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/lumina"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas/fault"
)

// familyLumina is the family of the three worlds. It needs of a release nothing but its files.
const familyLumina = "lumina"

// openLumina reads all instances under the rules of o.
func openLumina(dir string, o family.Options) (*open.Release, *lumina.Set, error) {
	if dir == "" {
		return nil, nil, fault.New(fault.Usage, "--release is required")
	}
	r, err := open.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	set, err := lumina.Family{}.Open(r, o)
	if err != nil {
		return nil, nil, errors.Join(err, r.Close())
	}
	return r, set.(*lumina.Set), nil
}

func namesOf(splits []family.Split) []string {
	names := []string{}
	for _, s := range splits {
		names = append(names, s.Name)
	}
	return names
}
