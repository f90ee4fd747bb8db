package aar

import (
	"maps"
	"slices"

	"github.com/wikinav/wikinav/artifacts/release"
)

// Audits has the levels of each variant side by side.
func (part) Audits() []release.Audit {
	return []release.Audit{{
		Tables: LegsTable, By: []string{"variant", "level"}, Hardness: "stops", Skip: []string{"attempts"},
		Suspect: func(at func(string) float64) (reasons []string) {
			if at("cone_stops") == 0 {
				reasons = append(reasons, "no stop can change the passcode")
			}
			if at("dep_cone_pages") == 0 {
				reasons = append(reasons, "the passcode depends on no page")
			}
			return reasons
		},
	}}
}

// Facts says which defects legs have.
func (part) Facts(f release.Files) ([]release.Facts, error) {
	if !f.Has(ReportFile) {
		return nil, nil
	}
	var r Report
	if err := f.Document(ReportFile, &r); err != nil {
		return nil, err
	}
	made := int64(0)
	for _, g := range r.Groups {
		made += int64(g.Made)
	}
	flags := release.Facts{Title: "legs with a flag of the audit", Rows: []release.Fact{}}
	for _, name := range slices.Sorted(maps.Keys(r.Flags)) {
		flags.Rows = append(flags.Rows, release.Fact{Name: name, N: int64(r.Flags[name]), Of: made})
	}
	return []release.Facts{flags}, nil
}
