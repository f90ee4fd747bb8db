package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas/fault"
)

// BenchmarkStart plays one game of each family with the whole program: what it costs before the
// first move. The release is that of WIKINAV_RELEASE, else one of nine pages, which has the first
// family alone.
func BenchmarkStart(b *testing.B) {
	dir := os.Getenv("WIKINAV_RELEASE")
	if dir == "" {
		dir = newRelease(b, gametest.G9(), 1, 5)
	}
	for _, f := range families.All {
		b.Run(f.Name(), func(b *testing.B) {
			r, err := open.Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			o, err := f.Options(nil)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := f.Open(r, o); errors.Is(err, fault.NotFound) {
				b.Skipf("the release has nothing of it: %v", err)
			}
			for b.Loop() {
				out := filepath.Join(b.TempDir(), "run")
				r := eval("play", "--release", dir, "--family", f.Name(), "--player", "random", "--limit", "1", "--out", out)
				if r.code != 0 {
					b.Fatal(r.stderr)
				}
			}
		})
	}
}
