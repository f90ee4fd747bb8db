package main

import (
	"context"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// addProbe reads the knowledge probe of the build, if it has one.
func (v *view) addProbe(in *release.Input) error {
	if v.build.Stages["probe"] == "" {
		return nil
	}
	data, err := v.read("probe", "probe.jsonl")
	if err != nil {
		return err
	}
	probe := &release.ProbeInput{}
	if probe.Instances, err = release.DecodeProbe(data, "probe.jsonl"); err != nil {
		return err
	}
	in.Probe = probe
	return v.document("probe", "shortage.json", &probe.Shortage)
}

// addOneStep reads the one-step sets of the build, if it has any.
func (v *view) addOneStep(in *release.Input) error {
	if v.build.Stages["onestep"] == "" {
		return nil
	}
	sets := &release.OneStepInput{}
	if err := v.document("onestep", "shortage.json", &sets.Shortage); err != nil {
		return err
	}
	for _, name := range splitNames(sets.Shortage) {
		data, err := v.read("onestep", schemas.OneStepFile(name))
		if err != nil {
			return err
		}
		list, err := release.DecodeOneStep(data, schemas.OneStepFile(name))
		if err != nil {
			return err
		}
		sets.Sets = append(sets.Sets, release.OneStepSet{Name: name, Instances: list})
	}
	in.OneStep = sets
	return v.document("onestep", "overlap.json", &sets.Report)
}

// splitNames lists the splits of a report in its order, each once.
func splitNames(list []schemas.Shortage) []string {
	var names []string
	for _, s := range list {
		if len(names) == 0 || names[len(names)-1] != s.Split {
			names = append(names, s.Split)
		}
	}
	return names
}

// showOneStep prints the instances of all one-step sets, set by set.
func showOneStep(_ context.Context, v *view) error {
	var list []schemas.Shortage
	if err := v.document("onestep", "shortage.json", &list); err != nil {
		return err
	}
	for _, name := range splitNames(list) {
		if err := v.copyLines("onestep", schemas.OneStepFile(name)); err != nil {
			return err
		}
	}
	return nil
}

// read gives the bytes of a small output, checked against its receipt.
func (v *view) read(stage, name string) ([]byte, error) {
	f, err := v.file(stage, name)
	if err != nil {
		return nil, err
	}
	return f.Read()
}

// document reads a JSON output.
func (v *view) document(stage, name string, x any) error {
	data, err := v.read(stage, name)
	if err != nil {
		return err
	}
	return canon.Decode(data, canon.MaxManifest, x)
}
