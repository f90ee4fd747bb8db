package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// playTheMCPExample starts the server as docs/evaluator/mcp.md tells clients to, makes the calls of its transcript, and compares the answers.
func playTheMCPExample(t *testing.T, bin, home string) {
	data, err := os.ReadFile("../../docs/evaluator/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	calls, answers := transcript(t, fenced(t, string(data), "text"))
	cmd := exec.Command(filepath.Join(bin, "wikinav-eval"), configured(t, fenced(t, string(data), "json"))...)
	cmd.Dir, cmd.Stdin = home, strings.NewReader(strings.Join(calls, "\n")+"\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")[1:] // the first answers the handshake
	if len(lines) != len(answers) {
		t.Fatalf("%d answers to %d calls", len(lines), len(answers))
	}
	for i, line := range lines {
		if got := toolText(t, line); !matches(got, answers[i]) {
			t.Errorf("docs/evaluator/mcp.md, call %d: got\n%s\nwant\n%s", i+1, got, answers[i])
		}
	}
}

// fenced returns the first block of a kind.
func fenced(t *testing.T, text, kind string) string {
	t.Helper()
	parts := strings.Split(text, "```"+kind+"\n")
	if len(parts) < 2 {
		t.Fatalf("no block of %s", kind)
	}
	block, _, _ := strings.Cut(parts[1], "```")
	return block
}

// configured gives the arguments with which a client starts the program.
func configured(t *testing.T, config string) []string {
	t.Helper()
	var c struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	if err := json.Unmarshal([]byte(config), &c); err != nil {
		t.Fatal(err)
	}
	server := c.MCPServers["wikinav"]
	if server.Command != "wikinav-eval" {
		t.Fatalf("the program is %q", server.Command)
	}
	return server.Args
}

// transcript gives the requests, a handshake first, and what the answers to the calls must be.
func transcript(t *testing.T, text string) (requests, answers []string) {
	t.Helper()
	requests = []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"docs","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if call, ok := strings.CutPrefix(line, "> "); ok {
			tool, arguments, _ := strings.Cut(call, " ")
			requests = append(requests, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, len(requests), tool, arguments))
		} else if answer, ok := strings.CutPrefix(line, "< "); ok {
			answers = append(answers, answer)
		}
	}
	if len(answers) == 0 || len(answers) != len(requests)-2 {
		t.Fatalf("%d calls, %d answers", len(requests)-2, len(answers))
	}
	return requests, answers
}

func toolText(t *testing.T, line string) string {
	t.Helper()
	var a struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(line), &a); err != nil || len(a.Result.Content) != 1 {
		t.Fatalf("%s (%v)", line, err)
	}
	return a.Result.Content[0].Text
}

// matches compares a text with one in which … stands for anything.
func matches(got, want string) bool {
	parts := strings.Split(want, "…")
	rest, ok := strings.CutPrefix(got, parts[0])
	for i, p := range parts[1:] {
		if !ok {
			return false
		}
		if i == len(parts)-2 {
			return strings.HasSuffix(rest, p)
		}
		_, rest, ok = strings.Cut(rest, p)
	}
	return ok && rest == ""
}
