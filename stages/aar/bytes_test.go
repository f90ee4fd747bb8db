package aar

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/wikinav/wikinav/artifacts/aar"
)

// TestLegsKeepTheirBytes holds legs made without a cassette to the bytes that they had before
// cassettes were read: a change of the digest asks for another version of the stage.
func TestLegsKeepTheirBytes(t *testing.T) {
	for profile, want := range map[string]string{
		ProfileStrict:   "a09d11f6760f60d2",
		ProfileReleased: "3a34a79d10dd33ce",
	} {
		sum := sha256.New()
		for _, d := range some(t, params(profile), 3) {
			sum.Write(aar.EncodeLine(d.made.leg))
		}
		if got := fmt.Sprintf("%x", sum.Sum(nil)[:8]); got != want {
			t.Errorf("%s: %s, want %s", profile, got, want)
		}
	}
}
