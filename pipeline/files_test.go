package pipeline_test

import (
	"os"
	"testing"

	"github.com/wikinav/wikinav/artifacts/digest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// flip changes one bit in the middle of a file.
func flip(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)/2] ^= 1
	must(t, os.WriteFile(path, data, 0o644))
}

func mustDigest(t *testing.T, path string) digest.Digest {
	t.Helper()
	d, err := digest.File(t.Context(), path)
	must(t, err)
	return d
}
