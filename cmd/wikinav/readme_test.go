package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The commands of the README's first steps, run as a reader would run them, and the example of docs/evaluator/mcp.md on what they made.
func TestTheCommandsOfTheReadmeWork(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the demo snapshot")
	}
	bin, home := t.TempDir(), t.TempDir()
	for _, program := range []string{"wikinav", "wikinav-eval"} {
		build := exec.Command("go", "build", "-o", filepath.Join(bin, program), "../"+program)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", program, err, out)
		}
	}
	shell := func(script string) {
		t.Helper()
		cmd := exec.Command("sh", "-ec", script)
		cmd.Dir = home
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, script, out)
		}
	}
	shell("wikinav build") // what make demo does
	shell("wikinav plan --fast --recipe strict | grep '^0 of '")
	made, err := filepath.Glob(filepath.Join(home, "*", "stages", "catalog", "*", catalogFile))
	if err != nil || len(made) != 1 {
		t.Fatalf("catalogues %v, %v", made, err)
	}
	refersToWhatItHas(t, made[0])
	blocks := readmeBlocks(t)
	if len(blocks) == 0 {
		t.Fatal("README.md has no sh block")
	}
	for _, block := range blocks {
		shell(block)
	}
	playTheMCPExample(t, bin, home)
}

func readmeBlocks(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	parts := strings.Split(string(data), "```")
	for i := 1; i < len(parts); i += 2 {
		if script, ok := strings.CutPrefix(parts[i], "sh\n"); ok {
			blocks = append(blocks, script)
		}
	}
	return blocks
}
