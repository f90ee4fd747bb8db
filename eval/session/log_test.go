package session_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

func logged(t *testing.T, dir string, attempts int) (*session.Host, *session.Runs) {
	t.Helper()
	h := hosted(session.Harness)
	runs := session.NewRuns(dir, schemas.GameRun{
		ReleaseID: "r", Family: "wikirace", Splits: []string{"tiny"}, Attempts: attempts, Model: schemas.Model{Kind: schemas.KindHTTP}, Tool: "test",
	}, time.Now)
	h.Log = runs
	return h, runs
}

// scored replays every run below dir, which must be right in every field, and gives their games by directory.
func scored(t *testing.T, dir string) map[string]*trace.GameLog {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := gametest.G9()
	a, _ := w.Node("A")
	to, _ := w.Node("T")
	rel := judge.Release{ID: "r", World: w, Resolve: w.Node, Splits: []judge.Split{{Name: "tiny", Instances: []schemas.WikiraceInstance{w.Instance("wr-tiny-0001", a, to)}}}}
	logs := map[string]*trace.GameLog{}
	for _, e := range entries {
		log, err := trace.OpenGames(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if s, err := judge.Score(rel, log, judge.Request{}); err != nil || len(s.Disagreements) > 0 {
			t.Errorf("%s: %v, %+v", e.Name(), err, s)
		}
		logs[e.Name()] = log
	}
	return logs
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
	logs := scored(t, dir)
	for _, log := range logs {
		games += len(log.Games)
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
	for _, log := range scored(t, dir) {
		sizes[len(log.Games)]++
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
	logs := scored(t, dir)
	for name, log := range logs {
		if len(log.Games) != 2 {
			t.Errorf("%s holds %d games, want 2", name, len(log.Games))
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
	logs := scored(t, dir)
	for _, log := range logs {
		if len(logs) != 1 || len(log.Games) != 1 || len(log.Games[0].Steps) != 5 {
			t.Errorf("got %+v, want one run of one game of 5 steps", logs)
		}
	}
}

// A server may have written a game, and have failed before it knew.
func TestAGameThatIsThereIsNotLoggedTwice(t *testing.T) {
	dir := t.TempDir()
	var last session.Game
	for range 2 {
		h, runs := logged(t, dir, 2)
		if last == nil {
			var err error
			if last, err = h.Family.Start("wr-tiny-0001", nil); err != nil {
				t.Fatal(err)
			}
			last.Stop(schemas.OutcomeGaveUp)
		}
		if err := errors.Join(runs.Keep(last, session.Particulars{Game: "g-1", Client: "alice"}), runs.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for name, log := range scored(t, dir) {
		if len(log.Games) != 1 {
			t.Errorf("%s holds %d games, want 1", name, len(log.Games))
		}
	}
}
