//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestToolsNeedNoNetwork calls tools, and plays and scores legs, where there is no network interface but a loopback that is
// down: what a release answers is answered, and what no cassette holds is a miss.
func TestToolsNeedNoNetwork(t *testing.T) {
	if out, err := exec.Command("unshare", "-rn", "true").CombinedOutput(); err != nil {
		t.Skipf("no empty network namespace here: unshare -rn: %v: %s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, tape := raceRelease(t), filepath.Join(t.TempDir(), "tape")
	if err := os.WriteFile(tape, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool, args, want string
		code             int
	}{
		{"fetch_webpage", `{"url":"https://demo.invalid/wiki/Land"}`, "# Land\n", 0},
		{"web_search", `{"query":"a TOWN"}`, `{"organic":[{"title":"Town"`, 0},
		{"maps_directions", `{"origin":"A","destination":"B"}`, `{"error":{"code":"cassette_miss"`, 10},
	} {
		cmd := exec.Command("unshare", "-rn", self, "tools", "call", c.tool, c.args, "--release", dir, "--cassette", tape)
		cmd.Env = append(os.Environ(), asProgram+"=1")
		out, err := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.HasPrefix(string(out), c.want) {
			t.Errorf("%s: exit code %d, %v, %s", c.tool, code, err, out)
		}
	}
	run := filepath.Join(t.TempDir(), "run")
	for _, args := range [][]string{
		race(dir, "golden", run, "--cassette", tape),
		{"score", "--family", "aar", "--release", dir, "--trajectories", run},
		{"verify", dir},
	} {
		cmd := exec.Command("unshare", append([]string{"-rn", self}, args...)...)
		cmd.Env = append(os.Environ(), asProgram+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", args[0], err, out)
		}
	}
}
