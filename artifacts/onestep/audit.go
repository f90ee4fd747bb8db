package onestep

import (
	"maps"
	"slices"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Audits has the first moves at each distance side by side.
func (part) Audits() []release.Audit {
	return []release.Audit{{Tables: "*.parquet", By: []string{"distance"}}}
}

// Facts says what the sets share with the instances that models are scored on.
func (part) Facts(f release.Files) ([]release.Facts, error) {
	var report schemas.OneStepReport
	if err := f.Document(OverlapFile, &report); err != nil {
		return nil, err
	}
	facts := release.Facts{
		Title: "overlap with what models are scored on, policy " + report.Policy,
		Rows:  []release.Fact{},
	}
	for _, kind := range slices.Sorted(maps.Keys(report.Kinds)) {
		facts.Rows = append(facts.Rows, release.Fact{Name: kind, N: int64(report.Kinds[kind].Count)})
	}
	return []release.Facts{facts}, nil
}
