package release

import (
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	constrainedPath = "constrained/instances.jsonl"
	infeasiblePath  = "constrained/infeasible.jsonl"
)

func (m *Manifest) banned() string {
	for _, name := range slices.Sorted(maps.Keys(m.Splits)) {
		if name == "constrained" || strings.HasPrefix(name, "constrained_") {
			return name
		}
	}
	return ""
}

// HasConstrained tells whether the release holds instances under a ban.
func (r *Release) HasConstrained() bool { return r.m.banned() != "" }

// ConstrainedSplit gives the entry of the instances under a ban among the splits and its name, "" where there are none.
func (r *Release) ConstrainedSplit() (string, SplitEntry) {
	name := r.m.banned()
	return name, r.m.Splits[name]
}

// Constrained reads the instances under a ban in the order of their ids; fault.NotFound for a release without.
func (r *Release) Constrained() ([]schemas.ConstrainedInstance, error) {
	return bannedLines[schemas.ConstrainedInstance](r, constrainedPath)
}

// Infeasible reads the pairs that their ban leaves without a path; fault.NotFound for a release without.
func (r *Release) Infeasible() ([]schemas.ConstrainedInfeasible, error) {
	return bannedLines[schemas.ConstrainedInfeasible](r, infeasiblePath)
}

func bannedLines[T any](r *Release, name string) (list []T, err error) {
	if !r.HasConstrained() {
		return nil, fault.New(fault.NotFound, "the release has no constrained set").At(name, "").Hint("build it with --types")
	}
	data, err := r.read(name)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		var v T
		if err := canon.Decode([]byte(strings.TrimSuffix(line, "\n")), canon.MaxLine, &v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}
