package release

import (
	"path"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// HasProbe tells whether the release holds the knowledge probe.
func (r *Release) HasProbe() bool {
	_, ok := r.m.File(probePath)
	return ok
}

// Probe reads the knowledge probe in the order of its ids; fault.NotFound for a release without one.
func (r *Release) Probe() ([]schemas.ProbeInstance, error) {
	if !r.HasProbe() {
		return nil, fault.New(fault.NotFound, "the release has no knowledge probe").At(probePath, "")
	}
	data, err := r.read(probePath)
	if err != nil {
		return nil, err
	}
	return DecodeProbe(data, probePath)
}

// OneStepReport reads what the one-step sets share with the splits; nil for a release that has none.
func (r *Release) OneStepReport() (*schemas.OneStepReport, error) {
	if _, ok := r.m.File(overlapPath); !ok {
		return nil, nil
	}
	data, err := r.read(overlapPath)
	if err != nil {
		return nil, err
	}
	var report schemas.OneStepReport
	if err := canon.Decode(data, canon.MaxManifest, &report); err != nil {
		return nil, fault.New(fault.Mismatch, "%w", err).At(overlapPath, "")
	}
	return &report, nil
}

// OneStepSets gives the names of the one-step sets, in order; none for a release without.
func (r *Release) OneStepSets() []string { return r.m.oneStepSets() }

func (m *Manifest) oneStepSets() []string {
	var names []string
	for _, f := range m.Files {
		if parent(f.Path) == oneStepDir && path.Ext(f.Path) == ".jsonl" {
			names = append(names, strings.TrimSuffix(path.Base(f.Path), ".jsonl"))
		}
	}
	return names
}

// OneStep reads a one-step set in the order of its ids; fault.NotFound for a set that the release has not.
func (r *Release) OneStep(set string) ([]schemas.OneStepInstance, error) {
	name := oneStepPath(set, ".jsonl")
	if _, ok := r.m.File(name); !ok {
		return nil, fault.New(fault.NotFound, "there is no one-step set %s, only %v", fault.Quote(set), r.OneStepSets())
	}
	data, err := r.read(name)
	if err != nil {
		return nil, err
	}
	return DecodeOneStep(data, name)
}
