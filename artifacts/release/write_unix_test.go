//go:build unix

package release_test

import (
	"syscall"
	"testing"

	. "github.com/wikinav/wikinav/artifacts/release"
)

// The umask belongs to the process, so this test runs alone.
func TestBuildsInOtherPlacesGiveTheSameBytes(t *testing.T) {
	want := tree(t, newBuild(t).release(WriteOptions{}))
	defer syscall.Umask(syscall.Umask(0))
	for _, c := range []struct {
		umask    int
		zone, lc string
	}{{0o022, "UTC", "C"}, {0o077, "Asia/Tokyo", "tr_TR.UTF-8"}, {0o002, "America/St_Johns", "de_DE"}} {
		syscall.Umask(c.umask)
		t.Setenv("TZ", c.zone)
		t.Setenv("LC_ALL", c.lc)
		sameTree(t, tree(t, newBuild(t).release(WriteOptions{})), want)
	}
}
