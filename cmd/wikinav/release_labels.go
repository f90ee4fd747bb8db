package main

import (
	"strings"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages/labels"
)

// licenceOfBuilder is that of labels by hand: who made them says it, not we.
const licenceOfBuilder = "LicenseRef-builder"

// typesLicences gives the licence of each role of a file of types.
var typesLicences = map[string]string{
	labels.RoleTypes: release.DBpediaSPDX, labels.RoleOntology: release.DBpediaSPDX,
	labels.RoleEntityTypes: licenceOfBuilder, labels.RoleManual: licenceOfBuilder,
}

// roleOf takes the number off a role of which there may be several files.
func roleOf(role string) string {
	name := strings.TrimRight(role, "0123456789")
	if name == role {
		return role
	}
	return strings.TrimSuffix(name, "-")
}

func isTypes(role string) bool { return typesLicences[roleOf(role)] != "" }

// addLabels names the labels, and what they were made from.
func (v *view) addLabels(in *release.Input) error {
	if v.build.Stages["labels"] == "" {
		return nil
	}
	table, err := v.releaseFile("labels", "labels.arrow")
	if err != nil {
		return err
	}
	report, err := v.releaseFile("labels", "labels.json")
	if err != nil {
		return err
	}
	in.Labels = &release.LabelsInput{Table: table, Report: report}
	version, err := v.ontologyVersion()
	if err != nil {
		return err
	}
	for _, src := range v.build.Source {
		if !isTypes(src.Role) {
			continue
		}
		side := release.SideInput{Role: roleOf(src.Role), Name: src.Name, Bytes: src.Bytes, SHA256: src.SHA256, Licence: typesLicences[roleOf(src.Role)]}
		if side.Role == labels.RoleOntology {
			side.Version = version
		}
		in.SideInputs = append(in.SideInputs, side)
	}
	return nil
}

// ontologyVersion is what the ontology calls itself, "" where none was given.
func (v *view) ontologyVersion() (string, error) {
	f, err := v.file("labels", "labels.json")
	if err != nil {
		return "", err
	}
	data, err := f.Read()
	if err != nil {
		return "", err
	}
	var r schemas.LabelReport
	if err := canon.Decode(data, canon.MaxManifest, &r); err != nil {
		return "", fault.New(fault.Mismatch, "%w", err).At(f.Name, "")
	}
	if r.Ontology == nil {
		return "", nil
	}
	return r.Ontology.Version, nil
}
