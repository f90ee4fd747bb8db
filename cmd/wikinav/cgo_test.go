package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithoutCAProgramRefusesAtOnceAndSaysWhy(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "wikinav")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(program, "build", "--work", filepath.Join(dir, "work")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "CGO_ENABLED=1") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "work")); err == nil {
		t.Error("it made a work directory before it refused")
	}
}
