package play_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// counting is a player that notes how often each game was started. Its first start of a game may fail it.
type counting struct {
	play.Player
	mu     sync.Mutex
	starts map[string]int
	fails  func(seat play.Seat, start int) error
}

func (c *counting) Start(seat play.Seat) play.Agent {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := seat.Instance + "-a" + string(rune('0'+seat.Attempt))
	c.starts[key]++
	if c.fails != nil {
		if err := c.fails(seat, c.starts[key]); err != nil {
			return failing{err}
		}
	}
	return c.Player.Start(seat)
}

type failing struct{ err error }

func (f failing) Act(context.Context, game.Observation) (play.Answer, error) {
	return play.Answer{}, f.err
}

func TestRunsThatShareADirectoryPlayEachGameOnceAndLeaveTheFilesOfOne(t *testing.T) {
	whole := config(t, "random", 1)
	mustPlay(t, whole)
	shared := config(t, "random", 3)
	player := &counting{Player: shared.Player, starts: map[string]int{}}
	shared.Player = player
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if n, err := play.Run(t.Context(), shared); err != nil || n != len(whole.Instances)*2 {
				t.Errorf("%d games, %v", n, err)
			}
		})
	}
	group.Wait()
	for key, n := range player.starts {
		if n != 1 {
			t.Errorf("%s was played %d times", key, n)
		}
	}
	if len(player.starts) != len(whole.Instances)*2 {
		t.Errorf("%d games were played, want %d", len(player.starts), len(whole.Instances)*2)
	}
	if timeless(t, shared.Dir) != timeless(t, whole.Dir) {
		t.Error("four runs on one directory left other files than one run")
	}
}

// TestWhatAnotherLeavesIsTakenOver interrupts the holder of a game while a second run waits for it.
func TestWhatAnotherLeavesIsTakenOver(t *testing.T) {
	c := config(t, "random", 1)
	inner := c.Player
	ctx, cancel := context.WithCancel(t.Context())
	held, waiting := make(chan struct{}), make(chan struct{})
	holder := c
	holder.Player = &counting{Player: inner, starts: map[string]int{}, fails: func(play.Seat, int) error {
		close(held)
		<-waiting
		cancel()
		return ctx.Err()
	}}
	done := make(chan error, 1)
	go func() {
		_, err := play.Run(ctx, holder)
		done <- err
	}()
	<-held
	total := len(c.Instances) * 2
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
	if timeless(t, c.Dir) != timeless(t, whole.Dir) {
		t.Error("other files than those of one run")
	}
}

func TestGamesThatFailedArePlayedOnceMoreOnDemandAndSaySo(t *testing.T) {
	c := config(t, "random", 2)
	victim := c.Instances[3].ID
	player := &counting{Player: c.Player, starts: map[string]int{}, fails: func(seat play.Seat, start int) error {
		if seat.Instance == victim && start == 1 {
			return &play.Unreachable{Reason: "gone", Retries: 4}
		}
		return nil
	}}
	c.Player = player
	mustPlay(t, c)
	mustPlay(t, c) // infra games stay as they are
	failed := 0
	for _, g := range read(t, c.Dir).Games {
		if g.Record.Outcome == schemas.OutcomeInfra {
			failed++
			if g.Instance != victim || g.Record.Reason == nil || *g.Record.Reason != "gone" || !g.Record.Retried || g.Record.Turns != 0 {
				t.Errorf("got %+v", g.Record)
			}
		}
	}
	if failed != 2 {
		t.Fatalf("%d games failed, want both attempts at %s", failed, victim)
	}
	c.Again = true
	mustPlay(t, c)
	for _, g := range read(t, c.Dir).Games {
		if g.Record.Outcome == schemas.OutcomeInfra || g.Record.Retried != (g.Instance == victim) {
			t.Errorf("%s: %s, retried %v", g.Name(), g.Record.Outcome, g.Record.Retried)
		}
	}
	if kept := string(load(t, c.Dir, trace.InfraFile)); strings.Count(kept, `"outcome":"infra"`) != 2 {
		t.Errorf("infra.jsonl holds %q", kept)
	}
}

func TestALimitPlaysTheFirstGamesAndARunGoesOnWithoutIt(t *testing.T) {
	whole := config(t, "random", 2)
	mustPlay(t, whole)
	c := config(t, "random", 3)
	c.Limit = 5
	if n, err := play.Run(t.Context(), c); n != 5 || err != nil {
		t.Fatalf("%d games, %v", n, err)
	}
	var names []string
	for _, g := range read(t, c.Dir).Games {
		names = append(names, g.Name())
	}
	if !slices.IsSorted(names) || names[4] != c.Instances[2].ID+"-a1" {
		t.Errorf("played %q", names)
	}
	c.Limit = 0
	mustPlay(t, c)
	if timeless(t, c.Dir) != timeless(t, whole.Dir) {
		t.Error("other files than those of a run in one piece")
	}
}

// TestStepsThatStandInTheMiddleWithoutAGameAreDropped is what an older version could leave.
func TestStepsThatStandInTheMiddleWithoutAGameAreDropped(t *testing.T) {
	whole := config(t, "random", 1)
	mustPlay(t, whole)
	want := timeless(t, whole.Dir)
	games := load(t, whole.Dir, trace.GamesFile)
	first := strings.Index(string(games), "\n") + 1
	if err := os.WriteFile(filepath.Join(whole.Dir, trace.GamesFile), games[first:], 0o644); err != nil {
		t.Fatal(err)
	}
	mustPlay(t, whole)
	if timeless(t, whole.Dir) != want {
		t.Error("the resumed run differs")
	}
}

// parrot is a model that says the same to every question, and fails on one of them.
type parrot struct{ fails string }

func (p parrot) Say(_ context.Context, m []schemas.Message) (play.Said, error) {
	if m[0].Content == p.fails {
		return play.Said{}, &play.Unreachable{Reason: "gone", Retries: 4}
	}
	return play.Said{Text: "<answer>1</answer>", Usage: &schemas.Usage{Prompt: 3, Output: 2}}, nil
}

func TestAModelAnswersOneStepQuestionsWithTheirOwnWording(t *testing.T) {
	var set []schemas.OneStepInstance
	for _, id := range []string{"os-1", "os-2", "os-3"} {
		set = append(set, schemas.OneStepInstance{ID: id, Messages: []schemas.Message{{Role: schemas.RoleUser, Content: "question " + id}}})
	}
	player, err := play.Setup{Model: play.Model{Name: "m", Speak: func(int) play.Speaker { return parrot{"question os-2"} }}}.ProbePlayer("openai")
	if err != nil {
		t.Fatal(err)
	}
	c := play.ProbeConfig{
		Dir: t.TempDir(), Player: player, Questions: play.OneStepQuestions(set), Workers: 3, Now: clock(),
		Run: play.Describe(schemas.GameRun{Family: "onestep", Splits: []string{}, Attempts: 1, Model: play.ModelOf(player), Price: &schemas.Price{PromptPerMTok: "1", OutputPerMTok: "1"}}),
	}
	if n, err := play.RunProbe(t.Context(), c); n != 3 || err != nil {
		t.Fatalf("%d replies, %v", n, err)
	}
	replies, err := trace.OpenReplies(c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range set {
		r := replies[q.ID]
		if failed := i == 1; failed != (r.Infra != nil) || failed != (r.Cost == nil) || *r.PromptSHA256 != c.Questions[i].PromptSHA256 {
			t.Errorf("%s: %+v", q.ID, r)
		}
	}
	if got := c.Plan(); !slices.Equal(got, []string{"os-1", "os-2", "os-3"}) {
		t.Errorf("the plan is %q", got)
	}
	count, err := play.Count(c.Dir, c.Run.Price)
	if err != nil || count.Usage != (schemas.Usage{Prompt: 6, Output: 4}) || count.Moves != 2 || len(count.Infra) != 1 || count.Infra[0] != (play.Unanswered{Game: "os-2", Reason: "gone"}) {
		t.Errorf("%+v, %v", count, err)
	}
}

// TestWhatAnotherLeftInTheMiddleOfAnAppendIsRemovedWhileARunGoesOn writes, after the first game, what a process that dies then leaves of the
// last one: a whole step and a torn one, and in another run a torn game.
func TestWhatAnotherLeftInTheMiddleOfAnAppendIsRemovedWhileARunGoesOn(t *testing.T) {
	whole := config(t, "random", 1)
	mustPlay(t, whole)
	want, steps := timeless(t, whole.Dir), string(load(t, whole.Dir, trace.StepsFile))
	last := steps[strings.Index(steps, `{"choice"`):]
	last = last[strings.LastIndex(last[:strings.Index(last, whole.Instances[19].ID+"-a2")], "\n")+1:]
	first := strings.Index(last, "\n") + 1
	for name, left := range map[string]string{trace.StepsFile: last[:first+40], trace.GamesFile: `{"attempt":2,`} {
		c := config(t, "random", 1)
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
		if timeless(t, c.Dir) != want {
			t.Errorf("%s: the run ends with other files", name)
		}
	}
}
