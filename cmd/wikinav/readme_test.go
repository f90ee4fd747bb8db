package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The commands of the README's first steps, run as a reader would run them, and the example of docs/evaluator/mcp.md on what they made.
func TestTheCommandsOfTheReadmeWork(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the demo snapshot")
	}
	bin, home := t.TempDir(), t.TempDir()
	shell := newShell(t, bin, home)
	shell("wikinav build") // what make demo does
	shell("wikinav plan --fast --recipe strict | grep '^0 of '")
	made, err := filepath.Glob(filepath.Join(home, "*", "stages", "catalog", "*", catalogFile))
	if err != nil || len(made) != 1 {
		t.Fatalf("catalogues %v, %v", made, err)
	}
	refersToWhatItHas(t, made[0])
	for _, block := range blocksOf(t, "README.md") {
		shell(block)
	}
	playTheMCPExample(t, bin, home)
	playTwins(t, filepath.Join(home, "demo-release"))
	picture, err := filepath.Abs("../../docs/pictures/wr-hard-0011.svg") // which make pictures makes
	if err != nil {
		t.Fatal(err)
	}
	shell("wikinav audit demo-release --draw wr-hard-0011 | cmp - " + picture)
}

// playTwins plays a thousand games of a release under invented names, as a test of the evaluator,
// which has no release of this size of its own.
func playTwins(t *testing.T, release string) {
	t.Helper()
	cmd := exec.Command("go", "test", "../wikinav-eval", "-count=1", "-run", "^TestTwinsTellNoTitle$")
	cmd.Env = append(os.Environ(), "WIKINAV_TWINS_RELEASES="+release)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The commands of docs/publishing.md, as a publisher would type them, besides those that want a
// program whose source can be named: a program under test has none.
func TestTheCommandsOfThePublishingPageWork(t *testing.T) {
	dump, home := shared(t, "dumps/ltgwiki-20170901-pages-articles-multistream.xml.bz2"), t.TempDir()
	dump, err := filepath.Abs(dump)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dump, filepath.Join(home, filepath.Base(dump))); err != nil {
		t.Fatal(err)
	}
	shell := newShell(t, t.TempDir(), home)
	published := regexp.MustCompile(` --published \S+`)
	for _, block := range blocksOf(t, "docs/publishing.md") {
		shell(published.ReplaceAllString(block, ""))
	}
}

// newShell builds the programs into bin, and returns what runs a script in home.
func newShell(t *testing.T, bin, home string) func(script string) {
	t.Helper()
	for _, program := range []string{"wikinav", "wikinav-eval"} {
		build := exec.Command("go", "build", "-o", filepath.Join(bin, program), "../"+program)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", program, err, out)
		}
	}
	return func(script string) {
		t.Helper()
		cmd := exec.Command("sh", "-ec", script)
		cmd.Dir = home
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s\n%s", err, script, out)
		}
	}
}

// blocksOf lists the sh blocks of a page.
func blocksOf(t *testing.T, page string) []string {
	t.Helper()
	data, err := os.ReadFile("../../" + page)
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
	if len(blocks) == 0 {
		t.Fatal(page + " has no sh block")
	}
	return blocks
}
