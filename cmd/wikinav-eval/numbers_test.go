package main

import (
	"testing"

	"github.com/wikinav/wikinav/artifacts"
	"github.com/wikinav/wikinav/artifacts/release/releasetest"
)

func TestTheNumbersOfAReleaseOfEveryFamilyAreTraced(t *testing.T) {
	releasetest.Trace(t, wholeRelease(t), artifacts.All)
}
