package bans_test

import (
	"testing"

	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/schemas"
)

func TestCoverageCountsAPageOnce(t *testing.T) {
	masks := []uint32{0, 1, 0, 4, 2, 0, 1}
	got := bans.Coverage([]schemas.ConstrainedInstance{
		{BaselinePath: []uint32{0, 1, 4}, ConstrainedPath: []uint32{0, 2, 3, 4}},
		{BaselinePath: []uint32{0, 1, 5}, ConstrainedPath: []uint32{0, 3, 5}},
		{BaselinePath: []uint32{900}, ConstrainedPath: []uint32{900}}, // a damaged record
	}, masks)
	want := schemas.PathCoverage{Any: [2]int{3, 6}, Baseline: [2]int{2, 4}, Constrained: [2]int{2, 5}, Between: [2]int{1, 2}}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := bans.Coverage(nil, masks); got != (schemas.PathCoverage{}) {
		t.Errorf("no instance: got %+v", got)
	}
}
