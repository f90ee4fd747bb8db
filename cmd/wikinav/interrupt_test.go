package main

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/store"
)

func lock(t *testing.T, work string) (unlock func()) {
	t.Helper()
	d, err := store.Open(work, store.OS{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := d.Lock()
	if err != nil {
		t.Fatal(err)
	}
	return l.Release
}

// process starts the program as a process of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// sums lists the digests of a work directory's files, but for logs and lock.
func sums(t *testing.T, work string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".lock" || filepath.Base(filepath.Dir(path)) == "logs" {
			return err
		}
		sum, err := digest.SHA256File(t.Context(), path)
		b.WriteString(strings.TrimPrefix(path, work) + " " + sum + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestABuildKilledAtRandomMomentsEndsWithTheSameBytes(t *testing.T) {
	t.Parallel()
	dump := smallDump(t)
	quiet := t.TempDir()
	start := time.Now()
	must(t, "build", "--dump", dump, "--work", quiet)
	took, want := time.Since(start), sums(t, quiet)

	work := t.TempDir()
	killed := 0
	for range 10 {
		cmd := process(t, "build", "--dump", dump, "--work", work)
		time.Sleep(rand.N(took))
		cmd.Process.Kill()
		if cmd.Wait() != nil {
			killed++
		}
	}
	must(t, "build", "--dump", dump, "--work", work)
	if got := sums(t, work); got != want {
		t.Errorf("after %d kills:\n%s\nwant\n%s", killed, got, want)
	}
	if killed == 0 {
		t.Log("every build ended before its kill")
	}
}

func TestAnInterruptedBuildExitsWith130AndGoesOn(t *testing.T) {
	work := t.TempDir()
	cmd := process(t, "build", "--work", work) // the demo: long enough to be interrupted
	waitFor(t, filepath.Join(work, "stages", "demo"))
	sent := time.Now()
	cmd.Process.Signal(syscall.SIGINT)
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Fatalf("got %v, want exit 130", err)
	}
	if took := time.Since(sent); took > 2*time.Second {
		t.Errorf("it took %s to stop", took)
	}
	if temps, _ := filepath.Glob(filepath.Join(work, "stages", "*", "*", ".tmp-*")); len(temps) > 0 {
		t.Errorf("left behind: %v", temps)
	}
	lock(t, work)()
}

func waitFor(t *testing.T, path string) {
	t.Helper()
	for range 1000 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not come into being", path)
}
