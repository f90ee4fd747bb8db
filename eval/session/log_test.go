package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/tiny"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

func logged(t *testing.T, dir string, attempts int) (*session.Host, *session.Runs) {
	t.Helper()
	h := hosted(true)
	runs := session.NewRuns(dir, h, schemas.Run{
		ReleaseID: "r", Splits: []string{"tiny"}, Attempts: attempts, Model: schemas.Player{Kind: schemas.KindHTTP}, Tool: "test",
	}, time.Now)
	h.Log = runs
	return h, runs
}

// logOf is a run with its games and steps.
type logOf struct {
	*trace.Log
	scores *family.Scores
	games  []schemas.Game
	steps  []schemas.Step
}

// scored replays every run below dir, which must be right in every field, and returns them by directory.
func scored(t *testing.T, dir string, h *session.Host) map[string]logOf {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	logs := map[string]logOf{}
	for _, e := range entries {
		log, err := trace.Open(filepath.Join(dir, e.Name()), h.Family.Layout())
		if err != nil {
			t.Fatal(err)
		}
		s, err := h.Set.Score(log, family.Request{})
		if err != nil || len(s.Disagreements) > 0 {
			t.Fatalf("%s: %v, %+v", e.Name(), err, s)
		}
		l := logOf{Log: log, scores: s}
		read(t, log.Main, &l.games)
		read(t, log.Side, &l.steps)
		logs[e.Name()] = l
	}
	return logs
}

func read[T any](t *testing.T, scan func(func(int, []byte) error) error, into *[]T) {
	t.Helper()
	if err := scan(func(_ int, line []byte) error {
		var v T
		err := json.Unmarshal(line, &v)
		*into = append(*into, v)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func win(t *testing.T, h *session.Host, client, options string) {
	t.Helper()
	s, err := h.Start(session.Request{Instance: "wr-tiny-0001", Client: client, Options: json.RawMessage(options)})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"B", "E", "G", "H", "T"} {
		mustMove(t, s, i+1, title(name))
	}
}

func TestLoggedGamesAreScoredWithoutADisagreement(t *testing.T) {
	dir := t.TempDir()
	h, runs := logged(t, dir, 2)
	win(t, h, "alice", "")
	win(t, h, "alice", "")
	win(t, h, "alice", `{"max_links":40,"back":"on"}`)
	win(t, h, "bob", "")
	s := start(t, h, "")
	mustMove(t, s, 1, reply("no idea"))
	mustMove(t, s, 2, reply("0"))
	mustMove(t, s, 3, choice(0)) // so the choices count, and not what the parser makes of them
	_, _ = s.GiveUp(4)
	s = start(t, h, `{"invalid":"retry","back":"on"}`)
	mustMove(t, s, 1, reply("no idea"))
	mustMove(t, s, 1, reply("back"))
	mustMove(t, s, 1, reply("0"))
	mustMove(t, s, 2, reply("<answer>back</answer>"))
	_, _ = s.GiveUp(3)
	if err := runs.Close(); err != nil {
		t.Fatal(err)
	}
	games := 0
	logs := scored(t, dir, hosted(true))
	for _, log := range logs {
		games += len(log.games)
	}
	if len(logs) != 5 || games != 6 {
		t.Errorf("%d runs with %d games, want 5 with 6", len(logs), games)
	}
}

// A client that plays an instance again fills another run, also over a restart, so that nothing is replaced and every run is scored alone.
func TestSurplusGamesBeginAnotherRun(t *testing.T) {
	dir := t.TempDir()
	for range 3 {
		h, runs := logged(t, dir, 2)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { win(t, h, "alice", "") })
		}
		wg.Wait()
		if err := runs.Close(); err != nil {
			t.Fatal(err)
		}
	}
	sizes := map[int]int{}
	for _, log := range scored(t, dir, hosted(true)) {
		sizes[len(log.games)]++
	}
	if len(sizes) != 2 || sizes[2] != 4 || sizes[1] != 1 {
		t.Errorf("runs by size: %v, want four of 2 and one of 1", sizes)
	}
}

func TestManyClientsAreLoggedWithFewOpenFiles(t *testing.T) {
	dir := t.TempDir()
	h, runs := logged(t, dir, 2)
	for range 2 {
		for i := range 180 {
			win(t, h, fmt.Sprintf("client-%d", i), "")
		}
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err == nil && len(open) > 3*128+50 {
		t.Errorf("%d open files", len(open))
	}
	if err := runs.Close(); err != nil {
		t.Fatal(err)
	}
	logs := scored(t, dir, hosted(true))
	for name, log := range logs {
		if len(log.games) != 2 {
			t.Errorf("%s holds %d games, want 2", name, len(log.games))
		}
	}
	if len(logs) != 180 {
		t.Errorf("%d runs, want 180", len(logs))
	}
}

// A game that cannot be logged is not acknowledged; the same move again tries it again.
func TestAGameThatCannotBeLoggedIsNotAcknowledged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(dir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	h, runs := logged(t, dir, 1)
	s := start(t, h, "")
	for i, name := range []string{"B", "E", "G", "H"} {
		mustMove(t, s, i+1, title(name))
	}
	for range 2 {
		if got, err := s.Move(5, title("T")); err == nil {
			t.Fatalf("got %+v with nowhere to log it", got)
		}
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := mustMove(t, s, 5, title("T")); got.Outcome != schemas.OutcomeSuccess {
			t.Errorf("got %+v", got)
		}
	}
	if err := runs.Close(); err != nil {
		t.Fatal(err)
	}
	logs := scored(t, dir, hosted(true))
	for _, log := range logs {
		if len(logs) != 1 || len(log.games) != 1 || len(log.steps) != 5 {
			t.Errorf("got %+v, want one run of one game of 5 steps", logs)
		}
	}
}

// A server may have written a game, and have failed before it knew.
func TestAGameThatIsThereIsNotLoggedTwice(t *testing.T) {
	dir := t.TempDir()
	var last family.Episode
	for range 2 {
		h, runs := logged(t, dir, 1)
		tasks, _ := h.Tasks("tiny")
		if last == nil {
			var err error
			if last, err = h.Set.Start(tasks[0], h.Options, h.Manner); err != nil {
				t.Fatal(err)
			}
			last.Stop(schemas.OutcomeGaveUp)
		}
		g := session.Finished{Episode: last, Task: tasks[0], Options: h.Options, Game: "g-1", Client: "alice"}
		if err := errors.Join(runs.Keep(g), runs.Close()); err != nil {
			t.Fatal(err)
		}
	}
	logs := scored(t, dir, hosted(true))
	for name, log := range logs {
		if len(logs) != 1 || len(log.games) != 1 {
			t.Errorf("%s of %d runs holds %d games, want one run of 1", name, len(logs), len(log.games))
		}
	}
}

// TestLogsOfOneDirectoryKeepEveryGame has three logs, as of three processes, that know nothing of each other.
func TestLogsOfOneDirectoryKeepEveryGame(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	const each = 7
	for range 3 {
		h, runs := logged(t, dir, 4)
		for range each {
			wg.Go(func() { win(t, h, "alice", "") })
		}
		defer func() {
			if err := runs.Close(); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	games, full := 0, 0
	for name, log := range scored(t, dir, hosted(true)) {
		attempts := map[int]bool{}
		for _, g := range log.games {
			attempts[g.Attempt] = true
		}
		if len(attempts) != len(log.games) {
			t.Errorf("%s: an attempt stands twice among %d games", name, len(log.games))
		}
		games += len(log.games)
		if len(log.games) == 4 {
			full++
		}
	}
	if games != 3*each || full != 5 {
		t.Errorf("%d games in the log, %d full runs; want %d and 5", games, full, 3*each)
	}
}

// TestAFamilyWhoseTasksArePlayedOnceFillsARunEach has attempts that have no names of their own.
func TestAFamilyWhoseTasksArePlayedOnceFillsARunEach(t *testing.T) {
	f := once{tiny.Family{Called: "tiny", Turns: 1, Goals: []int{1, 2}}}
	o, err := f.Options(nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := f.Open(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	h := &session.Host{Family: f, Set: set, Options: o, Manner: family.Manner{Interface: schemas.InterfaceHTTP}, Replies: true, Now: time.Now}
	if err := h.Offer([]string{"easy"}, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 { // two processes, one after the other
		runs := session.NewRuns(dir, h, schemas.Run{Splits: h.Splits(), Attempts: 9}, time.Now)
		h.Log = runs
		for _, id := range []string{"easy-0001", "easy-0002"} {
			s, err := h.Start(session.Request{Instance: id, Client: "alice"})
			if err != nil {
				t.Fatal(err)
			}
			mustMove(t, s, 1, reply("1"))
		}
		if err := runs.Close(); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "alice-*", trace.RepliesFile))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v; want two runs", files, err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err != nil || bytes.Count(data, []byte("\n")) != 2 {
			t.Errorf("%s: %v\n%s", file, err, data)
		}
	}
}

// once is a family whose tasks are played once.
type once struct{ tiny.Family }

func (o once) Layout() trace.Layout {
	l := o.Family.Layout()
	l.Once, l.Item, l.Key = true, func(task string, _ int) string { return task }, trace.KeyField("instance")
	return l
}
