package main

import (
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/release"
)

// TestLevel3FindsThePagesThatAWorldLacks proves a release whose graph links two pages that its world
// does not have: level 2 finds nothing, because what is there agrees with itself.
func TestLevel3FindsThePagesThatAWorldLacks(t *testing.T) {
	dir := raceRelease(t)
	found := func(level int) (n int) {
		report, err := release.Verify(t.Context(), dir, artifacts.All, release.VerifyOptions{Level: level, Document: release.Document})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Failed {
			if f.Path == "aar/texts.arrow" && f.Check == "page_id" {
				n++
			}
		}
		return n
	}
	if n := found(release.LevelMeaning - 1); n != 0 {
		t.Errorf("level 2 finds %d pages", n)
	}
	if n := found(release.LevelMeaning); n != 2 {
		t.Errorf("level 3 finds %d pages that the world lacks, want 2", n)
	}
}
