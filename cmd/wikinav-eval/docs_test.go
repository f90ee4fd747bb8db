package main

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	ep "github.com/wikinav/wikinav/eval/endpoint/endpointtest"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/schemas"
)

// page is a page of docs/evaluator, whose examples are run in a folder of their own with the program on the path and a release in demo-release.
type page struct {
	t      *testing.T
	text   string
	folder string
	path   string
}

func openPage(t *testing.T, name, rel string) page {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "evaluator", name))
	if err != nil {
		t.Fatal(err)
	}
	p := page{t, string(data), t.TempDir(), t.TempDir()}
	program, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\n" + asProgram + "=1 exec '" + program + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(p.path, "wikinav-eval"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(rel, filepath.Join(p.folder, "demo-release")); err != nil {
		t.Fatal(err)
	}
	return p
}

// block returns the page's only block in a language.
func (p page) block(language string) string {
	p.t.Helper()
	_, rest, ok := strings.Cut(p.text, "```"+language+"\n")
	text, after, closed := strings.Cut(rest, "```")
	if !ok || !closed || strings.Contains(after, "```"+language+"\n") {
		p.t.Fatalf("want one block of %s in\n%s", language, p.text)
	}
	return text
}

func (p page) shell(script string) string {
	p.t.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), "PATH="+p.path+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

func TestTheExampleOfTheEndpointPlayerWorks(t *testing.T) {
	p := openPage(t, "openai.md", newRelease(t, gametest.G9(), 1, 5))
	e := &ep.Endpoint{Say: best}
	server := httptest.NewServer(e)
	defer server.Close()
	const address = "http://localhost:8000"
	if !strings.Contains(p.block("sh"), address) {
		t.Fatalf("the example does not ask %s", address)
	}
	out := p.shell(strings.ReplaceAll(p.block("sh"), address, server.URL))
	for _, want := range []string{"1 of 1 games in runs/my-model", "infra 0, not played 0, moves 5", "cost 0.0", "tiny   all       1  1.0000"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if b := e.Books(); b.Keys["Bearer my-key"] != b.Requests || b.Completions != 5 {
		t.Errorf("the endpoint counts %+v", b)
	}
}

func TestTheExampleOfAProgramThatPlaysWorks(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skipf("the example is a Python program: %v", err)
	}
	p := openPage(t, "lines.md", newRelease(t, gametest.G9(), 3, 4, 5))
	if err := os.WriteFile(filepath.Join(p.folder, "player.py"), []byte(p.block("python")), 0o644); err != nil {
		t.Fatal(err)
	}
	out := p.shell(p.block("sh"))
	if strings.Count(out, schemas.OutcomeSuccess) < 4 || !strings.Contains(out, "player lines (pipe)") {
		t.Errorf("got\n%s", out)
	}
}
