package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/releases"
)

// A release follows the one before, bump by bump; each time the index and the list have it, the
// ones before lie as they were, and verify agrees.
func TestAReleaseFollowsTheOneBefore(t *testing.T) {
	t.Chdir(t.TempDir())
	putFile(t, "g9.tsv", []byte(g9))
	putFile(t, "corrections.md", []byte("- `splits/tiny.jsonl` was never wrong.\n"))
	build := func(splits ...string) {
		args := []string{"build", "--edges", "g9.tsv", "--work", "work", "--progress", "none"}
		for _, s := range splits {
			args = append(args, "--split", s)
		}
		must(t, args...)
	}
	run := func(args ...string) (int, string) {
		t.Helper()
		args = append([]string{"release", "--work", "work", "--licence", "CC0-1.0", "--allow-short", "--all-targets"},
			args...)
		code, out, errs := wikinav(t, args...)
		return code, out + errs
	}
	at := func(version string) string { return filepath.Join(releases.Folder, "edges-00000000-strict-v"+version) }
	refused := func(code int, says string, args ...string) {
		t.Helper()
		before := sums(t, releases.Folder)
		if got, text := run(args...); got != code || !strings.Contains(text, says) {
			t.Errorf("%v: exit %d, want %d and %q\n%s", args, got, code, says, text)
		}
		if sums(t, releases.Folder) != before {
			t.Errorf("%v changed the folder of releases", args)
		}
	}
	var made []string
	follows := func(version string, args ...string) {
		t.Helper()
		older := map[string]string{}
		for _, v := range made {
			older[v] = sums(t, at(v))
		}
		if len(made) > 0 {
			args = append(args, "--previous", at(made[len(made)-1]))
		}
		if code, text := run(args...); code != 0 || !strings.Contains(text, at(version)) {
			t.Fatalf("%s: exit %d\n%s", version, code, text)
		}
		made = append(made, version)
		must(t, "verify", at(version))
		for v, before := range older {
			if sums(t, at(v)) != before {
				t.Errorf("release %s changed", v)
			}
		}
		areListed(t, made, at)
	}
	build("tiny:4:2,3")
	follows("1.0.0")
	refused(1, "nothing differs", "--previous", at("1.0.0"))
	refused(2, "at least 1.0.1 (PATCH)", "--previous", at("1.0.0"), "--errata", "corrections.md", "--version", "0.9.0")
	follows("1.0.1", "--errata", "corrections.md")
	refused(1, "nothing differs", "--previous", at("1.0.1"), "--errata", "corrections.md")
	build("tiny:4:2,3", "more:2:4")
	// A split more changes what onestep says of its overlap with the splits.
	refused(2, "at least 2.0.0 (MAJOR)", "--previous", at("1.0.1"), "--version", "1.1.0")
	follows("2.0.0")
	build("tiny:5:2,3", "more:2:4")
	follows("3.0.0")
	refused(1, "nothing differs", "--previous", at("3.0.0"))
	follows("3.0.7", "--version", "3.0.7") // nothing differs, and yet it is wanted
}

// areListed compares the index, and what releases prints, with the releases that were made.
func areListed(t *testing.T, made []string, at func(version string) string) {
	t.Helper()
	var list struct{ Releases []releases.Entry }
	if err := json.Unmarshal([]byte(must(t, "releases", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	index := strings.Count(string(contentOf(t, filepath.Join(releases.Folder, releases.Index))), "\n")
	lines := strings.Split(strings.TrimSpace(must(t, "releases")), "\n")
	if len(list.Releases) != len(made) || index != len(made) || len(lines) != len(made) {
		t.Fatalf("%d lines in the index, %d printed, %+v; want %v", index, len(lines), list, made)
	}
	for i, e := range list.Releases {
		last := i == len(made)-1
		if e.Version != made[i] || filepath.Join(releases.Folder, e.Directory) != at(made[i]) ||
			(e.SupersededBy == nil) != last {
			t.Errorf("%+v, want %s", e, made[i])
		}
		if !last && (*e.SupersededBy != list.Releases[i+1].ID ||
			!strings.Contains(lines[i], "superseded by "+*e.SupersededBy)) {
			t.Errorf("%s is superseded by %s: %s", e.ID, *e.SupersededBy, lines[i])
		}
	}
	entries, err := os.ReadDir(releases.Folder)
	if err != nil {
		t.Fatal(err)
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	if len(entries) != len(made)+1 {
		t.Errorf("%v lie in the folder", entries)
	}
}
