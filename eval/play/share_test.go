package play_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/tiny"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// counting notes how often each episode was started. Its first start of one may fail it.
type counting struct {
	mu     sync.Mutex
	starts map[string]int
	fails  func(seat family.Seat, start int) error
}

// watch puts a counting player in the place of c's.
func watch(c *play.Config, fails func(seat family.Seat, start int) error) *counting {
	w, inner := &counting{starts: map[string]int{}, fails: fails}, c.Player.Start
	c.Player.Start = func(e family.Episode, seat family.Seat, schema json.RawMessage) play.Agent {
		w.mu.Lock()
		defer w.mu.Unlock()
		key := fmt.Sprintf("%s-a%d", seat.Task.ID, seat.Attempt)
		w.starts[key]++
		if w.fails != nil {
			if err := w.fails(seat, w.starts[key]); err != nil {
				return play.Agent{Reply: func(context.Context) (family.Reply, error) { return family.Reply{}, err }}
			}
		}
		return inner(e, seat, schema)
	}
	return w
}

func TestRunsThatShareADirectoryPlayEachGameOnceAndLeaveTheFilesOfOne(t *testing.T) {
	whole := config(t, "random", 1)
	mustPlay(t, whole)
	shared := config(t, "random", 3)
	player := watch(&shared, nil)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if n, err := play.Run(t.Context(), shared); err != nil || n != len(whole.Tasks)*2 {
				t.Errorf("%d items, %v", n, err)
			}
		})
	}
	group.Wait()
	for key, n := range player.starts {
		if n != 1 {
			t.Errorf("%s was played %d times", key, n)
		}
	}
	if len(player.starts) != len(whole.Tasks)*2 {
		t.Errorf("%d games were played, want %d", len(player.starts), len(whole.Tasks)*2)
	}
	if timeless(t, shared) != timeless(t, whole) {
		t.Error("four runs on one directory left other files than one run")
	}
}

// TestWhatAnotherLeavesIsTakenOver interrupts the holder of a game while a second run waits for it.
func TestWhatAnotherLeavesIsTakenOver(t *testing.T) {
	c := config(t, "random", 1)
	ctx, cancel := context.WithCancel(t.Context())
	held, waiting := make(chan struct{}), make(chan struct{})
	holder := c
	watch(&holder, func(family.Seat, int) error {
		close(held)
		<-waiting
		cancel()
		return ctx.Err()
	})
	done := make(chan error, 1)
	go func() {
		_, err := play.Run(ctx, holder)
		done <- err
	}()
	<-held
	total := len(c.Tasks) * 2
	c.Progress = func(n, _ int) {
		if n == total-1 { // all but the one that is held
			close(waiting)
		}
	}
	mustPlay(t, c)
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("the holder ended with %v", err)
	}
	c.Progress = nil
	whole := config(t, "random", 1)
	mustPlay(t, whole)
	if timeless(t, c) != timeless(t, whole) {
		t.Error("other files than those of one run")
	}
}

func TestGamesThatFailedArePlayedOnceMoreOnDemandAndSaySo(t *testing.T) {
	for _, turns := range []int{1, 4} {
		c := of(t, turns, play.Setup{}, "random", 2)
		victim := c.Tasks[3].ID
		watch(&c, func(seat family.Seat, start int) error {
			if seat.Task.ID == victim && start == 1 {
				return &play.Unreachable{Reason: "gone", Retries: 4}
			}
			return nil
		})
		mustPlay(t, c)
		mustPlay(t, c) // infra games stay as they are
		failed := 0
		games, _ := read(t, c)
		for _, g := range games {
			if g.Outcome == schemas.OutcomeInfra {
				failed++
				if g.Instance != victim || g.Reason == nil || *g.Reason != "gone" || !g.Retried || g.Turns != 0 {
					t.Errorf("got %+v", g)
				}
			}
		}
		if failed != 2 {
			t.Fatalf("%d games failed, want both attempts at %s", failed, victim)
		}
		c.Again = true
		mustPlay(t, c)
		games, _ = read(t, c)
		for _, g := range games {
			if g.Outcome == schemas.OutcomeInfra || g.Retried != (g.Instance == victim) {
				t.Errorf("%s: %s, retried %v", g.Item, g.Outcome, g.Retried)
			}
		}
		if kept := string(load(t, c.Dir, trace.InfraFile)); strings.Count(kept, `"outcome":"infra"`) != 2 {
			t.Errorf("infra.jsonl holds %q", kept)
		}
	}
}

func TestALimitPlaysTheFirstGamesAndARunGoesOnWithoutIt(t *testing.T) {
	whole := config(t, "random", 2)
	mustPlay(t, whole)
	c := config(t, "random", 3)
	c.Limit = 5
	if n, err := play.Run(t.Context(), c); n != 5 || err != nil {
		t.Fatalf("%d items, %v", n, err)
	}
	var names []string
	games, _ := read(t, c)
	for _, g := range games {
		names = append(names, g.Item)
	}
	if !slices.IsSorted(names) || names[4] != c.Tasks[2].ID+"-a1" {
		t.Errorf("played %q", names)
	}
	c.Limit = 0
	mustPlay(t, c)
	if timeless(t, c) != timeless(t, whole) {
		t.Error("other files than those of a run in one piece")
	}
}

// TestStepsThatStandInTheMiddleWithoutAGameAreDropped is what an older version could leave.
func TestStepsThatStandInTheMiddleWithoutAGameAreDropped(t *testing.T) {
	whole := config(t, "random", 1)
	mustPlay(t, whole)
	want := timeless(t, whole)
	games := load(t, whole.Dir, trace.GamesFile)
	first := strings.Index(string(games), "\n") + 1
	if err := os.WriteFile(filepath.Join(whole.Dir, trace.GamesFile), games[first:], 0o644); err != nil {
		t.Fatal(err)
	}
	mustPlay(t, whole)
	if timeless(t, whole) != want {
		t.Error("the resumed run differs")
	}
}

// TestWhatAnotherLeftInTheMiddleOfAnAppendIsRemovedWhileARunGoesOn writes, after the first game, what a
// process that dies then leaves of the last one: a whole step and a torn one, and in another run a torn
// game.
func TestWhatAnotherLeftInTheMiddleOfAnAppendIsRemovedWhileARunGoesOn(t *testing.T) {
	whole := config(t, "best", 1)
	mustPlay(t, whole)
	want, steps := timeless(t, whole), string(load(t, whole.Dir, trace.StepsFile))
	last := steps[strings.LastIndex(steps[:strings.Index(steps, whole.Tasks[19].ID+"-a2")], "\n")+1:]
	first := strings.Index(last, "\n") + 1
	for name, left := range map[string]string{trace.StepsFile: last[:first+40], trace.GamesFile: `{"attempt":2,`} {
		c := config(t, "best", 1)
		c.Progress = func(done, _ int) {
			if done == 1 {
				f, err := os.OpenFile(filepath.Join(c.Dir, name), os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if _, err := f.WriteString(left); err != nil {
					t.Fatal(err)
				}
			}
		}
		mustPlay(t, c)
		if timeless(t, c) != want {
			t.Errorf("%s: the run ends with other files", name)
		}
	}
}

// TestSeveralServersKeepEveryGameInOneDirectory has two of them add games of the same instance, which
// both take for the first.
func TestSeveralServersKeepEveryGameInOneDirectory(t *testing.T) {
	c := config(t, "random", 1)
	c.Run.Attempts = 30
	const each = 15
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			dir, err := play.OpenDir(c.Dir, c.Run, nil, c.Family.Layout(), c.Now)
			if err != nil {
				t.Error(err)
				return
			}
			for attempt := range each {
				f := &play.Finished{Task: "easy-0001", Record: func(attempt int) (string, family.Record) {
					g := tiny.Game{Item: fmt.Sprintf("easy-0001-a%d", attempt), Instance: "easy-0001", Attempt: attempt, Outcome: "stuck"}
					return g.Item, family.Record{Main: g, Side: []any{tiny.Step{Item: g.Item, Step: 1}}}
				}}
				f.Write(attempt + 1)
				if left, err := dir.Add(f); err != nil || len(left) > 0 {
					t.Errorf("%d left, %v", len(left), err)
				}
			}
			if err := dir.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	games, steps := read(t, c)
	attempts := map[int]bool{}
	for _, g := range games {
		attempts[g.Attempt] = true
	}
	if len(games) != 2*each || len(steps) != 2*each || len(attempts) != 2*each {
		t.Errorf("%d games of %d attempts, %d steps, want %d", len(games), len(attempts), len(steps), 2*each)
	}
	dir, err := play.OpenDir(c.Dir, c.Run, nil, c.Family.Layout(), c.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if held, err := dir.Holds("easy-0001-a30"); !held || err != nil {
		t.Errorf("the last game is not there: %v", err)
	}
	f := &play.Finished{Task: "easy-0001", Record: func(int) (string, family.Record) { return "x", family.Record{} }}
	if left, err := dir.Add(f); len(left) != 1 || err != nil {
		t.Errorf("a run that is full took a game, %v", err)
	}
}
