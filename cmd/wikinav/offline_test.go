//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// withoutNetwork returns what runs the program where there is no network interface but a loopback
// that is down. It skips the test where the system does not permit that.
func withoutNetwork(t *testing.T) func(args ...string) string {
	t.Helper()
	interfaces, err := exec.Command("unshare", "-rn", "cat", "/proc/net/dev").CombinedOutput()
	if err != nil {
		t.Skipf("no empty network namespace here: unshare -rn: %v: %s", err, interfaces)
	}
	if n := strings.Count(string(interfaces), ":"); n > 1 {
		t.Fatalf("the namespace has %d interfaces: %s", n, interfaces)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return func(args ...string) string {
		t.Helper()
		cmd := exec.Command("unshare", append([]string{"-rn", self}, args...)...)
		cmd.Env = append(os.Environ(), asProgram+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("wikinav %s: %v: %s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
}

// TestTextsAndLegsNeedNoNetwork makes the world of the demo, takes a small wiki with its texts from
// the dump to a verified release, and the sample legs through their verbs.
func TestTextsAndLegsNeedNoNetwork(t *testing.T) {
	run, dir, dump := withoutNetwork(t), t.TempDir(), smallDump(t)
	work, out := filepath.Join(dir, "work"), filepath.Join(dir, "release")
	run("build", "--work", filepath.Join(dir, "demo"), "--only", "aar", "--texts", "on",
		"--set", "aar.legs=2", "--progress", "none")
	run("build", "--dump", dump, "--work", work, "--texts", "on", "--set", "aar.legs=0", "--progress", "none")
	run("release", "--work", work, "--out", out, "--allow-short")
	run("verify", out, "--level", "2")
	if text := run("page", "2025", "--work", work); !strings.HasPrefix(text, "# 2025\n") {
		t.Errorf("page: %.100s", text)
	}
	if texts := run("inspect", "texts", "--work", work, "--limit", "3"); strings.Count(texts, "\n") != 3 {
		t.Errorf("inspect: %.100s", texts)
	}
	if _, err := os.Stat(legSamples); err != nil {
		t.Skip("the folder ../shared/data/aar is absent")
	}
	for _, verb := range []string{"roundtrip", "validate", "audit"} {
		run("aar", verb, legSamples)
	}
}
