package trace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// TestALogThatGoesOnAfterTheEndCostsNoMemory writes 200,000 steps of two games that can have 6 each.
func TestALogThatGoesOnAfterTheEndCostsNoMemory(t *testing.T) {
	const n = 100_000
	dir := runWith(t, "", line(game("a", 1))+line(game("b", 2)))
	run := schemas.GameRun{Schema: schemas.GameRunSchema, Run: "r", Attempts: 1, Options: schemas.GameOptions{MaxSteps: 5, MaxInvalid: 1}}
	write(t, dir, trace.RunFile, line(run))
	f, err := os.Create(filepath.Join(dir, trace.StepsFile))
	if err != nil {
		t.Fatal(err)
	}
	both := []byte(strings.Repeat(line(step("a", 1))+line(step("b", 1)), 1000))
	for range n / 1000 {
		if _, err := f.Write(both); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	log, err := trace.OpenGames(dir)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	for _, g := range log.Games {
		if len(g.Steps) != 6 || g.Excess != n-6 {
			t.Errorf("game %s: %d steps kept, %d counted; want 6 and %d", g.Name(), len(g.Steps), g.Excess, n-6)
		}
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<20 {
		t.Errorf("%d bytes are kept", grown)
	}
}

func TestTheNumberOfStepsThatAreKeptFollowsTheRules(t *testing.T) {
	for _, c := range []struct{ maxSteps, maxInvalid, want int }{{3, 2, 7}, {1, 1, 2}, {0, 0, 12}, {1 << 40, 1 << 40, 12}} {
		dir := runWith(t, strings.Repeat(line(step("a", 1)), 12), line(game("a", 1)))
		run := schemas.GameRun{Schema: schemas.GameRunSchema, Run: "r", Attempts: 1, Options: schemas.GameOptions{MaxSteps: c.maxSteps, MaxInvalid: c.maxInvalid}}
		write(t, dir, trace.RunFile, line(run))
		log, err := trace.OpenGames(dir)
		if err != nil {
			t.Fatal(err)
		}
		if g := log.Games[0]; len(g.Steps) != c.want || g.Excess != 12-c.want {
			t.Errorf("%+v: %d kept, %d counted", c, len(g.Steps), g.Excess)
		}
	}
}

func TestRepliesAreReadStrictly(t *testing.T) {
	good := `{"id":"a","reply":"1","usage":{"prompt":1,"output":2,"reasoning":0}}` + "\n" + `{"id":"b","reply":""}`
	replies, err := trace.OpenReplies(write(t, t.TempDir(), "r.jsonl", good))
	if err != nil || len(replies) != 2 || replies["a"].Usage.Output != 2 {
		t.Errorf("got %+v, %v", replies, err)
	}
	for i, bad := range []string{`{"reply":"1"}`, `{"id":"a","reply":"1","score":1}`, `{"id":"a","reply":"1"}` + "\n" + `{"id":"a","reply":"2"}`, `{"id":"a","usage":{"prompt":-1,"output":0,"reasoning":0}}`, "x"} {
		path := write(t, t.TempDir(), "r.jsonl", bad)
		_, err := trace.OpenReplies(path)
		checkPlace(t, fmt.Sprint("line ", i), err, path, "")
	}
}
