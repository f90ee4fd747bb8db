package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAReleaseFollowsTheOneBefore(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	putFile(t, "g9.tsv", []byte(g9))
	build := func(splits ...string) {
		args := []string{"build", "--edges", "g9.tsv", "--work", "work", "--progress", "none"}
		for _, s := range splits {
			args = append(args, "--split", s)
		}
		must(t, args...)
	}
	licence := []string{"--work", "work", "--licence", "CC0-1.0", "--allow-short"}
	run := func(args ...string) (int, string) {
		code, out, errs := wikinav(t, append(append([]string{"release"}, args...), licence...)...)
		return code, out + errs
	}
	build("tiny:4:2,3")
	if code, text := run(); code != 0 {
		t.Fatal(text)
	}
	first := filepath.Join("releases", "edges-00000000-strict-v1.0.0")
	if code, text := run("--previous", first); code != 1 || !strings.Contains(text, "nothing differs") {
		t.Errorf("the same again: exit %d, %s", code, text)
	}
	build("tiny:5:2,3")
	if code, text := run("--previous", first, "--version", "1.0.1"); code != 2 || !strings.Contains(text, "at least 2.0.0 (MAJOR)") {
		t.Errorf("too small: exit %d, %s", code, text)
	}
	if code, text := run("--previous", first); code != 0 || !strings.Contains(text, "v2.0.0") {
		t.Errorf("exit %d, %s", code, text)
	}
	must(t, "verify", filepath.Join("releases", "edges-00000000-strict-v2.0.0"))
	list := strings.Split(strings.TrimSpace(must(t, "releases")), "\n")
	if len(list) != 2 || !strings.Contains(list[0], "superseded by "+list[1][:16]) {
		t.Errorf("%q", list)
	}
	if names, err := filepath.Glob("releases/[^.]*"); err != nil || len(names) != 3 {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := os.Stat("releases/index.jsonl"); err != nil {
		t.Error(err)
	}
}
