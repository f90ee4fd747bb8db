package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// TestMCP speaks to the real program over real pipes, with the official client.
func TestMCP(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "wikinav-eval")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for name, test := range map[string]func(*testing.T, string){
		"games score as those that were played here": gamesThroughMCPScoreTheSame,
		"games with the oracle are marked":           gamesWithTheOracleAreMarked,
		"games under a ban score the same":           gamesUnderABanThroughMCPScoreTheSame,
		"fifty calls at once are one move":           fiftyCallsAtOnceAreOneMove,
		"a signal is a clean end":                    aSignalEndsMCP,
		"games over HTTP score the same":             gamesThroughMCPOverHTTPScoreTheSame,
	} {
		t.Run(name, func(t *testing.T) { test(t, bin) })
	}
}

// mcpClient is a client at the program.
type mcpClient struct {
	*sdk.ClientSession
	t      *testing.T
	stderr *bytes.Buffer
}

func mcpServe(t *testing.T, bin string, args ...string) mcpClient {
	t.Helper()
	cmd, stderr := exec.Command(bin, append([]string{"mcp"}, args...)...), &bytes.Buffer{}
	cmd.Stderr = stderr
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	return mcpClient{s, t, stderr}
}

// end closes the program's input; it must end by itself, without a word on standard error.
func (c mcpClient) end() {
	c.t.Helper()
	if err := c.Close(); err != nil {
		c.t.Errorf("the program ended with %v", err)
	}
	if c.stderr.Len() > 0 {
		c.t.Errorf("on standard error: %s", c.stderr)
	}
}

// mcpResult is what the tests read of a result.
type mcpResult struct {
	Items       []struct{ ID string }
	Observation game.Observation
	Valid, Done bool
	Outcome     string
}

func (c mcpClient) call(tool string, arguments map[string]any) mcpResult {
	c.t.Helper()
	r, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		c.t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	text := r.Content[0].(*sdk.TextContent).Text
	if r.IsError {
		c.t.Fatalf("%s %v: %s", tool, arguments, text)
	}
	var out mcpResult
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		c.t.Fatal(err)
	}
	return out
}

// gamesThroughMCPScoreTheSame makes the moves of the random player through tools.
func gamesThroughMCPScoreTheSame(t *testing.T, bin string) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 5, 3, 4)
	dir := t.TempDir()
	here, logs := filepath.Join(dir, "here"), filepath.Join(dir, "logs")
	eval("play", "--release", rel, "--player", "random", "--option", "max_steps=12", "--out", here).want(t, 0)
	played, err := openGames(here)
	if err != nil {
		t.Fatal(err)
	}
	c := mcpServe(t, bin, "--release", rel, "--log", logs, "--model", "tester", "--option", "max_steps=12")
	for i, item := range c.call("list_instances", map[string]any{"split": "tiny"}).Items {
		if item.ID != played.Games[i].Instance {
			t.Fatalf("instance %d is %s, played was %s", i, item.ID, played.Games[i].Instance)
		}
		c.call("start_game", map[string]any{"instance": item.ID})
		for _, s := range played.Games[i].Steps {
			if r := c.call("click_link", map[string]any{"step": s.Step, "choice": *s.Choice}); !r.Valid {
				t.Errorf("%s, step %d: %+v", item.ID, s.Step, r)
			}
		}
		if o := c.call("observe", nil).Observation; !o.Done || o.Outcome != *played.Games[i].Outcome {
			t.Errorf("%s ended as %q, want %q", item.ID, o.Outcome, *played.Games[i].Outcome)
		}
	}
	c.call("start_game", map[string]any{"instance": played.Games[0].Instance}) // is not finished, and so not logged
	c.end()
	sameScore(t, rel, here, loggedRun(t, logs))
}

// gamesThroughMCPOverHTTPScoreTheSame makes them in sessions side by side, each at the address of its
// instance, and ends the program by a signal while one more session has a game under way.
func gamesThroughMCPOverHTTPScoreTheSame(t *testing.T, bin string) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 5, 3, 4)
	dir := t.TempDir()
	here, logs := filepath.Join(dir, "here"), filepath.Join(dir, "logs")
	eval("play", "--release", rel, "--player", "random", "--option", "max_steps=12", "--out", here).want(t, 0)
	played, err := openGames(here)
	must(t, err)
	cmd := exec.Command(bin, "mcp", "--release", rel, "--log", logs, "--option", "max_steps=12", "--listen", "127.0.0.1:0", "--json")
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadBytes('\n')
	must(t, err)
	var at struct{ URL string }
	must(t, json.Unmarshal(line, &at))
	join := func(instance string) mcpClient {
		s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: at.URL + "/" + instance}, nil)
		must(t, err)
		t.Cleanup(func() { s.Close() })
		return mcpClient{s, t, nil}
	}
	var wait sync.WaitGroup
	for _, g := range played.Games {
		c := join(g.Instance)
		wait.Go(func() {
			c.call("start_game", nil)
			for _, s := range g.Steps {
				c.call("click_link", map[string]any{"step": s.Step, "choice": *s.Choice})
			}
			if o := c.call("observe", nil).Observation; o.Instance != g.Instance || o.Outcome != *g.Outcome {
				t.Errorf("%s ended as %q, want %s as %q", o.Instance, o.Outcome, g.Instance, *g.Outcome)
			}
		})
	}
	wait.Wait()
	join(played.Games[0].Instance).call("start_game", nil) // is not finished, and so not logged
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	sameScore(t, rel, here, loggedRun(t, logs))
}

// loggedRun returns the only run directory of a log.
func loggedRun(t *testing.T, logs string) string {
	t.Helper()
	runs, err := filepath.Glob(filepath.Join(logs, "*", trace.RunFile))
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs in the log (%v)", len(runs), err)
	}
	return filepath.Dir(runs[0])
}

func sameScore(t *testing.T, rel, a, b string) {
	t.Helper()
	score := func(dir string) (family.Row, string) {
		s := scoresOf(t, eval("score", "--release", rel, "--trajectories", dir, "--json").want(t, 0))
		return s.Rows[0], string(s.Rules.Options)
	}
	x, ofX := score(a)
	y, ofY := score(b)
	if x.N != y.N || ofX != ofY || !reflect.DeepEqual(x.Metrics, y.Metrics) {
		t.Errorf("%d games score\n%+v, %d score\n%+v", x.N, x.Metrics, y.N, y.Metrics)
	}
	if n := x.Metrics[judge.MetricSuccess].Num; n == nil || *n == 0 || *n == int64(x.N) {
		t.Errorf("%v of %d games were won: a score of these tells nothing", n, x.N)
	}
}

func gamesWithTheOracleAreMarked(t *testing.T, bin string) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	logs := t.TempDir()
	c := mcpServe(t, bin, "--release", rel, "--log", logs, "--expose-oracle")
	c.call("start_game", map[string]any{"instance": "wr-tiny-0001"})
	c.call("click_link", map[string]any{"step": 1, "title": "T"}) // no link of A: an invalid turn
	c.call("give_up", map[string]any{"step": 2})
	c.end()
	run, err := trace.ReadRun(loggedRun(t, logs))
	if err != nil || run.Model != (schemas.Player{Name: "anonymous", Kind: schemas.KindOracle}) {
		t.Errorf("got %+v, %v", run, err)
	}
	score := eval("score", "--release", rel, "--trajectories", loggedRun(t, logs)).want(t, 0).stdout
	if !strings.Contains(score, "ORACLE") {
		t.Errorf("no ORACLE in\n%s", score)
	}
}

// fiftyCallsAtOnceAreOneMove is the test of package mcp with the transport between.
func fiftyCallsAtOnceAreOneMove(t *testing.T, bin string) {
	rel := newRelease(t, gametest.Random(3, 150, 90, 60), 1, 4)
	c := mcpServe(t, bin, "--release", rel)
	o := c.call("start_game", map[string]any{"instance": "wr-tiny-0001"}).Observation
	var wait sync.WaitGroup
	var mu sync.Mutex
	valid := 0
	for i := range 50 {
		wait.Go(func() {
			r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "click_link", Arguments: map[string]any{"step": 1, "choice": i % len(o.Links)}})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				t.Error(err)
			case !r.IsError && i < len(o.Links): // later ones may repeat the choice that won
				valid++
			}
		})
	}
	wait.Wait()
	if o := c.call("observe", nil).Observation; o.Step != 2 || len(o.Visited) != 2 || valid > 1 {
		t.Errorf("%d moves were made, then %+v", valid, o)
	}
	c.end()
}

// TestAPipeOfRequestsIsAnsweredInOrder writes all requests before it reads an answer, and ends the input behind them.
func TestAPipeOfRequestsIsAnsweredInOrder(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	requests := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"start_game","arguments":{"instance":"wr-tiny-0001"}}}`,
	}
	path := []string{"B", "C", "F", "G", "H", "T"}
	for i, title := range path {
		requests = append(requests, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"click_link","arguments":{"step":%d,"title":%q}}}`, i+3, i+1, title))
	}
	var stdout, stderr bytes.Buffer
	code := run([]string{"mcp", "--release", rel}, strings.NewReader(strings.Join(requests, "\n")+"\n"), &stdout, &stderr)
	answers := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	if code != 0 || stderr.Len() > 0 || len(answers) != len(requests)-1 {
		t.Fatalf("exit %d, %d answers to %d requests, stderr %s\n%s", code, len(answers), len(requests)-1, &stderr, &stdout)
	}
	for i, line := range answers {
		var a struct {
			ID     int
			Result struct {
				StructuredContent mcpResult
				IsError           bool
			}
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.ID != i+1 || a.Result.IsError {
			t.Errorf("line %d: %s (%v)", i+1, line, err)
		}
		if i == len(answers)-1 && a.Result.StructuredContent.Outcome != schemas.OutcomeSuccess {
			t.Errorf("the game ended as %+v", a.Result.StructuredContent)
		}
	}
}

func aSignalEndsMCP(t *testing.T, bin string) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	cmd := exec.Command(bin, "mcp", "--release", rel)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("it ended with %v, stderr %s", err, &stderr)
	}
}

func TestWhatMCPRefusesBeforeItServes(t *testing.T) {
	rel := newRelease(t, gametest.G9(), 1, 5)
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "--release", nil},
		{2, "--model", []string{"--release", rel, "--model", "a/b"}},
		{2, "--expose-oracle", []string{"--release", rel, "--option", "oracle=P", "--option", "renderer=chat"}},
		{2, "speed", []string{"--release", rel, "--option", "speed=1"}},
		{2, "no split", []string{"--release", rel, "--split", "none"}},
		{2, "--attempts", []string{"--release", rel, "--attempts", "0"}},
		{2, "context=lead", []string{"--release", rel, "--option", "context=lead"}},
		{10, "", []string{"--release", filepath.Join(rel, "nowhere")}},
	} {
		got := eval(append([]string{"mcp"}, c.args...)...).want(t, c.code)
		if !strings.Contains(got.stderr, c.want) || got.stdout != "" {
			t.Errorf("%v: stdout %q, stderr %q, want %q there", c.args, got.stdout, got.stderr, c.want)
		}
	}
	var stdout, stderr bytes.Buffer
	code := runContext(context.Background(), []string{"mcp", "--release", rel}, io.MultiReader(strings.NewReader("hello\n")), &stdout, &stderr)
	if code != 0 || !strings.Contains(stdout.String(), `"code":-32700`) {
		t.Errorf("garbage: exit %d, %s", code, &stderr)
	}
}
