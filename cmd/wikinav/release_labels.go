package main

import (
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/artifacts/release"
	types "github.com/wikinav/wikinav/stages/labels"
)

// licenceOfBuilder is that of labels by hand: who made them says it, not we.
const licenceOfBuilder = "LicenseRef-builder"

// typesLicences gives the licence of each role of a file of types.
var typesLicences = map[string]string{
	types.RoleTypes: labels.SPDX, types.RoleOntology: labels.SPDX,
	types.RoleEntityTypes: licenceOfBuilder, types.RoleManual: licenceOfBuilder,
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

// addSideInputs names the files that the labels were made from.
func (v *view) addSideInputs(in *release.Input) error {
	at := slices.IndexFunc(in.Parts, func(b release.Built) bool { return b.Part.Source().Name == labels.Part.Source().Name })
	if at < 0 {
		return nil
	}
	report, err := labels.Report(in.Parts[at].Files)
	if err != nil {
		return err
	}
	for _, src := range v.build.Source {
		if !isTypes(src.Role) {
			continue
		}
		side := release.SideInput{Role: roleOf(src.Role), Name: src.Name, Bytes: src.Bytes, SHA256: src.SHA256, Licence: typesLicences[roleOf(src.Role)]}
		if side.Role == types.RoleOntology && report.Ontology != nil {
			side.Version = report.Ontology.Version
		}
		in.SideInputs = append(in.SideInputs, side)
	}
	return nil
}
