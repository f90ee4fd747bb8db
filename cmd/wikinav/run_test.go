package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/dumps/demo"
	"github.com/wikinav/wikinav/pipeline"
)

// asProgram makes the test binary be the program, so that tests can kill it.
const asProgram = "WIKINAV_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// wikinav runs the program in this process.
func wikinav(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// must runs the program and fails the test unless it ends well.
func must(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := wikinav(t, args...)
	if code != 0 {
		t.Fatalf("wikinav %s: exit %d: %s", strings.Join(args, " "), code, errs)
	}
	return out
}

// smallDump writes a demo wiki of about 700 pages as a multistream dump with its index.
func smallDump(t *testing.T) string {
	t.Helper()
	base := filepath.Join(t.TempDir(), "smallwiki-20260101-pages-articles-multistream")
	dump, err := os.Create(base + ".xml.bz2")
	if err != nil {
		t.Fatal(err)
	}
	defer dump.Close()
	index, err := os.Create(base + "-index.txt.bz2")
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	if _, err := demo.Write(context.Background(), dump, index, demo.Options{Seed: 1, Pages: 300}); err != nil {
		t.Fatal(err)
	}
	return base + ".xml.bz2"
}

// shared returns the path of a sample file, or skips the test.
func shared(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("WIKINAV_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(root, "data", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("sample data are not there: %v", err)
	}
	return path
}

func TestUsageErrorsExitWith2AndSayTheCommand(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work")
	for _, args := range [][]string{
		{"bogus"},
		{"build", "--bogus"},
		{"build", "extra"},
		{"build", "--recipe", "no-such-recipe"},
		{"build", "--split", "tiny"},
		{"build", "--split", "easy:5:2,3"},
		{"build", "--targets", "random:x"},
		{"build", "--set", "targets.max_store=12 parsecs"},
		{"build", "--set", "graph.link_parts=footnotes"},
		{"build", "--workers", "0"},
		{"build", "--memory", "much"},
		{"build", "--progress", "loud"},
		{"build", "--verify-text", "maybe"},
		{"build", "--date", "2026"},
		{"build", "--index", "x"},
		{"build", "--build", "../x"},
		{"build", "--only", "nonsense"},
		{"verify"},
		{"verify", ".", "--level", "5"},
		{"links"},
		{"links", "nowhere.xml", "--page-text", "65MiB"},
		{"inspect"},
	} {
		if args[0] == "build" {
			args = append(args, "--work", work)
		}
		code, out, errs := wikinav(t, args...)
		if code != 2 || out != "" || !strings.HasPrefix(errs, "wikinav: ") || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: exit %d, stdout %q, stderr %q", args, code, out, errs)
		}
	}
}

func TestWhatIsNotThereExitsWith10(t *testing.T) {
	empty := t.TempDir()
	for _, args := range [][]string{
		{"build", "--dump", "nowhere.xml.bz2", "--work", filepath.Join(empty, "w")},
		{"build", "--targets", "nowhere.txt", "--work", filepath.Join(empty, "w")},
		{"status", "--work", filepath.Join(empty, "nowhere")},
		{"status", "--work", empty},
		{"inspect", "graph", "--work", empty},
		{"release", "--work", empty},
		{"prune", "--work", filepath.Join(empty, "nowhere")},
		{"links", "nowhere.xml"},
		{"verify", filepath.Join(empty, "nowhere")},
	} {
		if code, _, errs := wikinav(t, args...); code != 10 {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(empty, "w")); err == nil {
		t.Error("a build of a missing dump made its work directory")
	}
}

func TestErrorsAsJSONHoldTheSameParts(t *testing.T) {
	code, _, errs := wikinav(t, "links", "nowhere.xml", "--json-errors")
	var got cli.Failure
	if err := json.Unmarshal([]byte(errs), &got); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	if want := (cli.Failure{Code: 10, Stage: "links", File: "nowhere.xml", What: "no such file (the current folder has no file of a name like it)"}); code != 10 || got != want {
		t.Errorf("exit %d: got %+v, want %+v", code, got, want)
	}
}

func TestEveryVerbHasHelpWithAnExample(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		if cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		if out := must(t, cmd.Name(), "--help"); !strings.Contains(out, "Examples:") || !strings.Contains(out, "wikinav "+cmd.Name()) {
			t.Errorf("%s --help has no example:\n%s", cmd.Name(), out)
		}
	}
}

func TestASecondBuildSaysThatThereIsNothingToDo(t *testing.T) {
	dump, work := smallDump(t), t.TempDir()
	build := []string{"build", "--dump", dump, "--work", work, "--split", "tiny:20:2,3"}
	if out := must(t, build...); !strings.Contains(out, "ran 14 of 14 stages") {
		t.Errorf("first build:\n%s", out)
	}
	if out := must(t, build...); !strings.Contains(out, "nothing to do") {
		t.Errorf("second build:\n%s", out)
	}
	if out := must(t, append(build, "--check")...); !strings.Contains(out, "every file and receipt is the same") {
		t.Errorf("check:\n%s", out)
	}
	if out := must(t, "plan", "--dump", dump, "--work", work, "--split", "tiny:20:2,3", "--seed", "7"); !strings.Contains(out, "seed 7, was 42") {
		t.Errorf("plan:\n%s", out)
	}
	if out := must(t, "plan", "--dump", dump, "--work", filepath.Join(work, "not-yet")); !strings.Contains(out, "not built yet") {
		t.Errorf("plan of a new directory:\n%s", out)
	}
}

func TestALockedDirectoryExitsWith11(t *testing.T) {
	dump, work := smallDump(t), t.TempDir()
	must(t, "build", "--dump", dump, "--work", work)
	unlock := lock(t, work)
	defer unlock()
	for _, args := range [][]string{
		{"build", "--dump", dump, "--work", work},
		{"prune", "--work", work},
		{"plan", "--dump", dump, "--work", work},
		{"inspect", "graph", "--work", work},
		{"release", "--work", work, "--out", filepath.Join(work, "r")},
	} {
		if code, _, errs := wikinav(t, args...); code != 11 {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
	out := must(t, "status", "--work", work)
	if !strings.Contains(out, "another wikinav is at work") || !strings.Contains(out, "whole") {
		t.Errorf("status beside a writer: %s", out)
	}
}

func TestReleaseAndVerifyGuardEveryByte(t *testing.T) {
	t.Parallel()
	dump, work := smallDump(t), t.TempDir()
	must(t, "build", "--dump", dump, "--work", work, "--split", "tiny:20:2,3", "--split", "far:50:29,30")
	out := filepath.Join(t.TempDir(), "release")
	if code, _, errs := wikinav(t, "release", "--work", work, "--out", out); code != 15 || !strings.Contains(errs, "far") {
		t.Fatalf("a short split: exit %d: %s", code, errs)
	}
	if _, err := os.Stat(out); err == nil {
		t.Fatal("a refused release left a directory")
	}
	must(t, "release", "--work", work, "--out", out, "--allow-short")
	must(t, "verify", out)
	attributesLeads(t, out)
	name := filepath.Join("graph", "graph.arrow")
	data, err := os.ReadFile(filepath.Join(out, name))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/3] ^= 4
	if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"1", "2"} {
		if code, stdout, _ := wikinav(t, "verify", out, "--level", level); code != 3 || !strings.Contains(stdout, "graph/graph.arrow") {
			t.Errorf("level %s: exit %d:\n%s", level, code, stdout)
		}
	}
}

// attributesLeads looks for the leads of pages in the texts of a release: its attribution must say of each folder that has some.
func attributesLeads(t *testing.T, dir string) {
	t.Helper()
	r, err := release.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	leads, err := r.Leads()
	if err != nil {
		t.Fatal(err)
	}
	credit, err := os.ReadFile(filepath.Join(dir, "ATTRIBUTION.md"))
	if want := fmt.Sprintf("beginning of %d pages", len(leads)); err != nil || !strings.Contains(string(credit), want) {
		t.Errorf("no %q in the attribution (%v):\n%s", want, err, credit)
	}
	found := 0
	for _, f := range r.Manifest().Files {
		folder, _, _ := strings.Cut(f.Path, "/")
		if !strings.HasSuffix(f.Path, ".jsonl") || !holdsOne(t, filepath.Join(dir, f.Path), leads) {
			continue
		}
		found++
		_, line, _ := strings.Cut(string(credit), "| `"+folder+"/*` |")
		if line, _, _ = strings.Cut(line, "\n"); !strings.Contains(line, "leads") {
			t.Errorf("%s holds leads, and the attribution says of its folder: %s", f.Path, line)
		}
	}
	if found == 0 {
		t.Error("no file of a family holds a lead: nothing was tried")
	}
}

// holdsOne reports whether a file has one of the leads in it, as far as they are long enough to be told apart.
func holdsOne(t *testing.T, path string, leads map[uint32]string) bool {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, lead := range leads {
		if len(lead) >= 60 && bytes.Contains(data, []byte(lead[:60])) {
			return true
		}
	}
	return false
}

func TestEveryPresetBuilds(t *testing.T) {
	t.Parallel()
	dump := smallDump(t)
	for preset, want := range map[string]string{
		"strict": `"name":"strict"`, "sdow-like": `"name":"sdow-like+wikitext"`,
		"llm-wikirace-compat": `"self_loops":"keep"`, "llm-wikirace-compat-rn": `"redirects":"nodes"`,
	} {
		work := t.TempDir()
		must(t, "build", "--dump", dump, "--work", work, "--recipe", preset, "--only", "distances")
		build, err := os.ReadFile(filepath.Join(work, "builds", "default.json"))
		if err != nil || !strings.Contains(string(build), want) {
			t.Errorf("%s: the build does not say %s: %s, %v", preset, want, build, err)
		}
	}
}

func TestARemovedFlagNamesTheValueThatReplacesIt(t *testing.T) {
	work := filepath.Join(t.TempDir(), "none")
	for flag, value := range pipeline.RemovedFlags {
		code, _, errs := wikinav(t, "plan", "--"+flag, "x", "--work", work)
		if code != 2 || !strings.Contains(errs, "--set "+value) {
			t.Errorf("--%s: exit %d, %s; want --set %s", flag, code, errs, value)
		}
		must(t, "plan", "--set", value, "--work", work)
	}
}

func TestHelpListsTheExitStatus(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"build", "--help"}, {"mango", "import", "--help"}} {
		if out := must(t, args...); !strings.Contains(out, "Exit status:") || !strings.Contains(out, "15 shortage") {
			t.Errorf("%v:\n%s", args, out)
		}
	}
}

func TestAnErrorAsJSONKeepsTheRemedyAndItsStage(t *testing.T) {
	code, _, errs := wikinav(t, "mango", "fly", "--json-errors")
	var got cli.Failure
	if err := json.Unmarshal([]byte(errs), &got); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	if want := `unknown command "fly" (choose from import, questions, stats)`; code != 2 || got.What != want {
		t.Errorf("exit %d, %q, want %q", code, got.What, want)
	}
}
