package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/export"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/cmd/internal/cli"
)

var exports = []string{"hf", "csv", "inspect"}

func TestExports(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "release")
	must(t, "release", "--work", buildG9(t), "--out", dir, "--licence", "CC0-1.0", "--allow-short")
	t.Run("whole, and the same twice", func(t *testing.T) { wholeAndTheSameTwice(t, dir) })
	t.Run("force", func(t *testing.T) { forceReplacesNothingButAnExport(t, dir) })
	t.Run("interrupted and damaged", func(t *testing.T) { whatEndsEarlyLeavesNothing(t, dir) })
	t.Run("csv", func(t *testing.T) { csvHasTheRowsOfEveryTable(t, dir) })
	t.Run("harbor", func(t *testing.T) { tasksHoldTheirGamesAlone(t, dir) })
	t.Run("inspect", func(t *testing.T) { samplesHaveWordsTargetsAndIDs(t, dir) })
}

func wholeAndTheSameTwice(t *testing.T, dir string) {
	before := sums(t, dir)
	for _, form := range exports {
		one, two := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "out")
		must(t, "export", form, "--release", dir, "--out", one)
		must(t, "export", form, "--release", dir, "--out", two)
		first := sums(t, one)
		if got := sums(t, two); got != first {
			t.Errorf("%s: two of them are\n%sand\n%s", form, first, got)
		}
		_, stderr := failing(t, 1, "export", form, "--release", dir, "--out", one)
		if !strings.Contains(stderr, "--force") {
			t.Errorf("%s: %s", form, stderr)
		}
		must(t, "export", form, "--release", dir, "--out", one, "--force")
		if got := sums(t, one); got != first {
			t.Errorf("%s: with --force it is\n%s", form, got)
		}
		if entries, err := os.ReadDir(filepath.Dir(one)); err != nil || len(entries) != 1 {
			t.Errorf("%s: next to the export lies %v, %v", form, entries, err)
		}
		listsItsFiles(t, one, form)
	}
	if sums(t, dir) != before {
		t.Error("an export changed the release")
	}
}

// listsItsFiles compares export.json with the folder.
func listsItsFiles(t *testing.T, dir, form string) {
	t.Helper()
	var about export.About
	data, err := os.ReadFile(filepath.Join(dir, export.AboutFile))
	if err == nil {
		err = json.Unmarshal(data, &about)
	}
	if err != nil || about.Format != form {
		t.Fatalf("got %+v, %v", about, err)
	}
	var listed strings.Builder
	for _, f := range about.Files {
		listed.WriteString("/" + f.Path + " " + f.SHA256 + "\n")
	}
	have := ""
	for line := range strings.Lines(sums(t, dir)) {
		if !strings.HasPrefix(line, "/"+export.AboutFile) {
			have += line
		}
	}
	if sorted(have) != sorted(listed.String()) {
		t.Errorf("%s lists\n%sthe folder has\n%s", export.AboutFile, listed.String(), have)
	}
}

func forceReplacesNothingButAnExport(t *testing.T, dir string) {
	mine := filepath.Join(t.TempDir(), "mine")
	putFile(t, filepath.Join(mine, "thesis.txt"), []byte("years of work"))
	putFile(t, filepath.Join(mine, export.AboutFile), []byte(`{"schema":"of something else"}`))
	for _, form := range exports {
		failing(t, 1, "export", form, "--release", dir, "--out", mine, "--force")
		failing(t, 2, "export", form, "--release", dir, "--out", filepath.Join(dir, "export"), "--force")
	}
	if data, err := os.ReadFile(filepath.Join(mine, "thesis.txt")); err != nil || string(data) != "years of work" {
		t.Errorf("got %q, %v", data, err)
	}
	must(t, "verify", dir, "--level", "1")
}

func whatEndsEarlyLeavesNothing(t *testing.T, dir string) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	damaged := filepath.Join(t.TempDir(), "damaged")
	if err := os.CopyFS(damaged, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(damaged, "graph", "nodes.parquet")
	data, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	putFile(t, table, data)
	lines := filepath.Join(damaged, "splits", "tiny.jsonl")
	putFile(t, lines, append(bytes.TrimSuffix(contentOf(t, lines), []byte("\n")), ' '))
	for _, form := range exports {
		folder := t.TempDir()
		out := filepath.Join(folder, "out")
		var stdout, stderr bytes.Buffer
		args := []string{"export", form, "--release", dir, "--out", out}
		if code := cli.RunContext(ctx, newRoot(), args, strings.NewReader(""), &stdout, &stderr); code != 130 {
			t.Errorf("%s: interrupted, the exit code is %d\n%s", form, code, &stderr)
		}
		failing(t, 3, "export", form, "--release", damaged, "--out", out)
		if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
			t.Errorf("%s: what is left is %v, %v", form, entries, err)
		}
	}
}

func contentOf(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func csvHasTheRowsOfEveryTable(t *testing.T, dir string) {
	out := filepath.Join(t.TempDir(), "out")
	must(t, "export", "csv", "--release", dir, "--out", out, "--distances")
	r, err := release.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tables := 0
	for _, f := range r.Manifest().Files {
		shard := strings.HasPrefix(f.Path, "distances/distances-")
		if f.LogicalSHA256 == nil || shard {
			continue
		}
		name := strings.TrimSuffix(f.Path, filepath.Ext(f.Path)) + ".csv"
		rows, err := csv.NewReader(bytes.NewReader(contentOf(t, filepath.Join(out, name)))).ReadAll()
		if err != nil || int64(len(rows)-1) != *f.Rows {
			t.Errorf("%s: %d lines, %v; want %d and the names", f.Path, len(rows), err, *f.Rows)
		}
		tables++
	}
	if tables < 6 {
		t.Errorf("only %d tables", tables)
	}
	g, err := r.Graph()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(contentOf(t, filepath.Join(out, "graph", "graph.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for u, row := range rows[1:] {
		var successors []uint32
		if err := json.Unmarshal([]byte(row[2]), &successors); err != nil ||
			len(successors) != g.Succ.Degree(uint32(u)) || row[1] != g.Titles.At(u) {
			t.Errorf("node %d: %q, %v", u, row, err)
		}
	}
	set, err := r.Distances()
	if err != nil {
		t.Fatal(err)
	}
	distances := string(contentOf(t, filepath.Join(out, "distances", "distances.csv")))
	if n := strings.Count(distances, "\r\n"); n != 1+len(set.Columns())*set.Nodes() {
		t.Errorf("%d lines of distances, want those of %d columns and %d nodes", n, len(set.Columns()), set.Nodes())
	}
}

func samplesHaveWordsTargetsAndIDs(t *testing.T, dir string) {
	out := filepath.Join(t.TempDir(), "out")
	must(t, "export", "inspect", "--release", dir, "--out", out)
	files, err := filepath.Glob(filepath.Join(out, "*", "*.jsonl"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		ids := map[string]bool{}
		for line := range bytes.Lines(contentOf(t, file)) {
			var s struct {
				ID, Input, Target string
				Choices           []string
				Metadata          struct {
					Source, Target struct{ Title string }
					ManifestID     string `json:"manifest_id"`
				}
			}
			if err := json.Unmarshal(line, &s); err != nil && !strings.Contains(file, "onestep") {
				t.Fatalf("%s: %v", file, err)
			}
			if s.ID == "" || ids[s.ID] || s.Input == "" || s.Target == "" {
				t.Errorf("%s: %s", file, line)
			}
			if filepath.Base(file) == "tiny.jsonl" && (s.Target != s.Metadata.Target.Title ||
				!strings.Contains(s.Input, `you are on the page "`+s.Metadata.Source.Title+`"`)) {
				t.Errorf("%s: %s", file, line)
			}
			ids[s.ID] = true
		}
	}
}

// failing runs the program, which must end with code.
func failing(t *testing.T, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	got, stdout, stderr := wikinav(t, args...)
	if got != code {
		t.Errorf("wikinav %s: exit %d, want %d\n%s", strings.Join(args, " "), got, code, stderr)
	}
	return stdout, stderr
}

func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// tasksHoldTheirGamesAlone looks at tasks of games: their files, what the agent's container gets of
// them, and what is refused before a file is written.
func tasksHoldTheirGamesAlone(t *testing.T, dir string) {
	program := filepath.Join(t.TempDir(), "program")
	putFile(t, program, append([]byte("\x7fELF\x02"), make([]byte, 64)...))
	one, two := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "out")
	args := []string{"export", "harbor", "--release", dir, "--binary", program, "--out"}
	must(t, append(args, one)...)
	must(t, append(args, two)...)
	if sums(t, one) != sums(t, two) {
		t.Error("two exports differ")
	}
	listsItsFiles(t, one, "harbor")
	var index []struct{ Tasks []struct{ Name, Path string } }
	if err := json.Unmarshal(contentOf(t, filepath.Join(one, "registry.json")), &index); err != nil {
		t.Fatal(err)
	}
	if len(index) != 1 || len(index[0].Tasks) < 2 {
		t.Fatalf("the index has %+v", index)
	}
	for _, task := range index[0].Tasks {
		at := filepath.Join(one, task.Path)
		moves := string(contentOf(t, filepath.Join(at, "solution", "solve.sh")))
		if !strings.HasPrefix(moves, "#!/bin/sh\nset -e\ngame choose ") {
			t.Errorf("%s: its solution is %s", task.Name, moves)
		}
		image := string(contentOf(t, filepath.Join(at, "environment", "Dockerfile")))
		if strings.Count(image, "COPY") != 1 || !strings.Contains(image, "\nCOPY game /usr/local/bin/\n") {
			t.Errorf("%s: the agent's container holds %s", task.Name, image)
		}
		sameFile(t, filepath.Join(one, index[0].Tasks[0].Path, "tests", "wikinav-eval"),
			filepath.Join(at, "environment", "wikinav-eval"))
		for _, file := range []string{"manifest.json", "graph/graph.arrow", "splits/tiny.jsonl"} {
			for _, folder := range []string{"environment", "tests"} {
				have := contentOf(t, filepath.Join(at, folder, "release", file))
				if !bytes.Equal(have, contentOf(t, filepath.Join(dir, file))) {
					t.Errorf("%s: %s/release/%s is another file", task.Name, folder, file)
				}
			}
		}
	}
	script := filepath.Join(t.TempDir(), "script")
	putFile(t, script, []byte("#!/bin/sh\n"))
	out := filepath.Join(t.TempDir(), "none")
	for want, wrong := range map[string][]string{
		"not played on links": {"--family", "onestep"}, "no such schema": {"--harbor-schema", "2"},
		"not a program": {"--binary", script}, "--limit": {"--limit", "-1"}, "wr-none": {"--instance", "wr-none"},
	} {
		if _, stderr := failing(t, 2, append(append(args, out), wrong...)...); !strings.Contains(stderr, want) {
			t.Errorf("%v: %s", wrong, stderr)
		}
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("something is written: %v", err)
	}
}

func sameFile(t *testing.T, a, b string) {
	t.Helper()
	one, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	two, err := os.Stat(b)
	if err != nil || !os.SameFile(one, two) || one.Mode().Perm() != 0o755 {
		t.Errorf("%s and %s are two files, or cannot be run: %v", a, b, err)
	}
}
