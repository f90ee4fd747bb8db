package play_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

const seed = 5

var world = gametest.Random(seed, 200, 90, 60)

func config(t *testing.T, player string, workers int) play.Config {
	t.Helper()
	p, err := play.New(player, seed)
	if err != nil {
		t.Fatal(err)
	}
	run := play.Describe(schemas.GameRun{
		ReleaseID: "r", Family: "wikirace", Splits: []string{"easy"}, Attempts: 2, Options: game.Defaults(),
		Model: schemas.Model{Name: p.Name(), Kind: p.Kind()}, Tool: "test", Seed: seed,
	})
	return play.Config{
		Dir: t.TempDir(), Run: run, World: world, Player: p, Instances: world.Instances(seed, 20, 3), Workers: workers, Now: clock(),
	}
}

// clock gives another time at each call, so that a clock field cannot be equal by chance. It is safe for concurrent use.
func clock() func() time.Time {
	ticks := make(chan time.Time)
	go func() {
		for now := time.Unix(1_700_000_000, 0); ; now = now.Add(1500 * time.Millisecond) {
			ticks <- now
		}
	}()
	return func() time.Time { return <-ticks }
}

func mustPlay(t *testing.T, c play.Config) {
	t.Helper()
	if n, err := play.Run(context.Background(), c); err != nil || n != len(c.Instances)*c.Run.Attempts {
		t.Fatalf("%d games, %v", n, err)
	}
}

var clockFields = regexp.MustCompile(`"(created_at|started|ended)":"[^"]*"|"latency_ms":\d+`)

// timeless gives a run's logs without the clock fields.
func timeless(t *testing.T, dir string) string {
	t.Helper()
	var all []byte
	for _, name := range []string{trace.RunFile, trace.StepsFile, trace.GamesFile} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, clockFields.ReplaceAll(data, nil)...)
	}
	return string(all)
}

func TestShortestSolvesEveryInstanceInItsDistance(t *testing.T) {
	c := config(t, "shortest", 2)
	mustPlay(t, c)
	for i, g := range read(t, c.Dir).Games {
		if want := c.Instances[i/2].Distance; g.Record.Outcome != schemas.OutcomeSuccess || g.Record.Turns != want {
			t.Errorf("%s: %s in %d turns, want success in %d", g.Name(), g.Record.Outcome, g.Record.Turns, want)
		}
	}
}

func TestOnlyAnOracleGetsTheOracle(t *testing.T) {
	for player, want := range map[string]bool{schemas.KindLocal: false, schemas.KindOracle: true} {
		spy := &spy{kind: player}
		c := config(t, "random", 1)
		c.Player = spy
		mustPlay(t, c)
		if spy.oracle != want {
			t.Errorf("kind %s: oracle %v, want %v", player, spy.oracle, want)
		}
	}
}

// spy always takes the first link and remembers whether it was given the oracle.
type spy struct {
	kind   string
	oracle bool
}

func (s *spy) Name() string { return "spy" }
func (s *spy) Kind() string { return s.kind }
func (s *spy) Start(seat play.Seat) play.Agent {
	s.oracle = seat.Best != nil
	return s
}

func (s *spy) Act(context.Context, game.Observation) (play.Answer, error) {
	return play.Answer{Move: game.Pick(0)}, nil
}

func TestFilesDoNotDependOnWorkers(t *testing.T) {
	one, four := config(t, "random", 1), config(t, "random", 4)
	mustPlay(t, one)
	mustPlay(t, four)
	if a, b := timeless(t, one.Dir), timeless(t, four.Dir); a != b {
		t.Error("1 and 4 workers wrote different logs")
	}
}

func TestAttemptsAndSeedsDiffer(t *testing.T) {
	c := config(t, "random", 1)
	mustPlay(t, c)
	same := 0
	games := read(t, c.Dir).Games
	for i := 0; i < len(games); i += 2 {
		if slices.Equal(games[i].Record.Path, games[i+1].Record.Path) {
			same++
		}
	}
	if same > len(games)/4 {
		t.Errorf("%d of %d instances have the same path in both attempts", same, len(games)/2)
	}
	other := c.Run
	other.Seed++
	if play.Describe(other).Run == c.Run.Run {
		t.Error("another seed has the same run id")
	}
}

func TestInterruptedRunsEndWithTheSameFiles(t *testing.T) {
	whole := config(t, "random", 1)
	mustPlay(t, whole)
	for _, stop := range []int{0, 1, 7, 39} {
		c := config(t, "random", 3)
		ctx, cancel := context.WithCancel(context.Background())
		c.Progress = func(done, _ int) {
			if done >= stop {
				cancel()
			}
		}
		if stop == 0 {
			cancel()
		}
		n, err := play.Run(ctx, c)
		if fault.KindOf(err) != fault.Interrupted || n < stop {
			t.Fatalf("stop after %d: %d games, %v", stop, n, err)
		}
		c.Progress = nil
		mustPlay(t, c)
		if timeless(t, c.Dir) != timeless(t, whole.Dir) {
			t.Errorf("stop after %d: other files than those of a run in one piece", stop)
		}
		cancel()
	}
}

// TestResumeDropsWhatACrashLeft cuts the logs in many places of the last game, in the order in which they are written.
func TestResumeDropsWhatACrashLeft(t *testing.T) {
	whole := config(t, "shortest", 1)
	whole.Instances = whole.Instances[:3]
	mustPlay(t, whole)
	want := timeless(t, whole.Dir)
	steps, games := load(t, whole.Dir, trace.StepsFile), load(t, whole.Dir, trace.GamesFile)
	lastGame := bytes.LastIndexByte(games[:len(games)-1], '\n') + 1
	lastSteps := bytes.Index(steps, fmt.Appendf(nil, `"game":"%s-a2"`, whole.Instances[2].ID))
	for cut := lastSteps + 1; cut < len(steps); cut += 211 {
		checkRecovery(t, whole, steps[:cut], games[:lastGame], want)
	}
	for cut := lastGame; cut < len(games); cut += 17 {
		checkRecovery(t, whole, steps, games[:cut], want)
	}
}

func checkRecovery(t *testing.T, whole play.Config, steps, games []byte, want string) {
	t.Helper()
	c := whole
	c.Dir = t.TempDir()
	for name, data := range map[string][]byte{
		trace.RunFile: load(t, whole.Dir, trace.RunFile), trace.StepsFile: steps, trace.GamesFile: games,
	} {
		if err := os.WriteFile(filepath.Join(c.Dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mustPlay(t, c)
	if timeless(t, c.Dir) != want {
		t.Fatalf("%d bytes of steps and %d of games: the resumed run differs", len(steps), len(games))
	}
}

func TestADirectoryHoldsOneRun(t *testing.T) {
	c := config(t, "random", 1)
	mustPlay(t, c)
	other := config(t, "shortest", 1)
	other.Dir = c.Dir
	if _, err := play.Run(context.Background(), other); !errors.Is(err, fault.Usage) {
		t.Errorf("another run: %v, want a usage fault", err)
	}
	if err := os.Remove(filepath.Join(c.Dir, trace.RunFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := play.Run(context.Background(), c); !errors.Is(err, fault.Usage) {
		t.Errorf("logs without run.json: %v, want a usage fault", err)
	}
}

func TestUnknownPlayersAreRefusedWithTheNames(t *testing.T) {
	if _, err := play.New("best", 1); !errors.Is(err, fault.Usage) || !regexp.MustCompile("human, lines, openai, random, shortest").MatchString(err.Error()) {
		t.Errorf("got %v", err)
	}
}

func read(t *testing.T, dir string) *trace.GameLog {
	t.Helper()
	log, err := trace.OpenGames(dir)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func load(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
