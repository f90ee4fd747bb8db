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
		ProfileStrict:   "e2887e0939a55db4",
		ProfileReleased: "b519d720075302c2",
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
