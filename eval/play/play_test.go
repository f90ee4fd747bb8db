package play_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/tiny"
	"github.com/wikinav/wikinav/eval/play"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

const seed = 5

var goals = []int{7, 3, 1, 9, 5, 8, 2, 6, 4, 7, 3, 9, 1, 5, 8, 2, 6, 4, 7, 9}

// of returns what says how a player of Setup plays the family whose episodes have so many turns.
func of(t *testing.T, turns int, s play.Setup, player string, attempts int, options ...string) play.Config {
	t.Helper()
	f := tiny.Family{Called: "tiny", Turns: turns, Goals: goals}
	o, err := f.Options(options)
	if err != nil {
		t.Fatal(err)
	}
	set, err := f.Open(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Player(set, player)
	if err != nil {
		t.Fatal(err)
	}
	names, tasks, err := play.Choose(set, nil, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	manner := family.Manner{Interface: p.Interface}
	rules, err := play.RulesOf(f, o, manner, p.Asked)
	if err != nil {
		t.Fatal(err)
	}
	run := play.Describe(schemas.Run{
		ReleaseID: "r", Family: f.Name(), Splits: names, Attempts: attempts, Rules: rules, Model: p.Player, Tool: "test", Seed: seed,
	})
	c := play.Config{
		Dir: t.TempDir(), Run: run, Family: f, Set: set, Tasks: tasks, Options: o, Manner: manner, Player: p, Workers: 4, Now: clock(t),
	}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return c
}

// config plays games of up to 4 turns, each twice.
func config(t *testing.T, player string, workers int) play.Config {
	t.Helper()
	c := of(t, 4, play.Setup{}, player, 2)
	c.Workers = workers
	return c
}

// clock tells another time at each call, so that a clock field cannot be equal by chance.
func clock(t *testing.T) func() time.Time {
	ticks := make(chan time.Time)
	go func() {
		for now := time.Unix(1_700_000_000, 0); ; now = now.Add(1500 * time.Millisecond) {
			select {
			case ticks <- now:
			case <-t.Context().Done():
				close(ticks)
				return
			}
		}
	}()
	return func() time.Time { return <-ticks }
}

func mustPlay(t *testing.T, c play.Config) {
	t.Helper()
	if n, err := play.Run(context.Background(), c); err != nil || n != len(c.Tasks)*c.Run.Attempts {
		t.Fatalf("%d items, %v", n, err)
	}
}

var clockFields = regexp.MustCompile(`"(created_at|started|ended)":"[^"]*"|"latency_ms":\d+`)

// timeless returns a run's logs without the clock fields.
func timeless(t *testing.T, c play.Config) string {
	t.Helper()
	var all []byte
	for _, name := range []string{trace.RunFile, c.Family.Layout().Side, c.Family.Layout().Main} {
		if name != "" {
			all = append(all, clockFields.ReplaceAll(load(t, c.Dir, name), nil)...)
		}
	}
	return string(all)
}

func load(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// read returns the records of a run.
func read(t *testing.T, c play.Config) (games []tiny.Game, steps []tiny.Step) {
	t.Helper()
	log, err := trace.Open(c.Dir, c.Family.Layout())
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		log.Main(func(_ int, line []byte) error { return decode(line, &games) }),
		log.Side(func(_ int, line []byte) error { return decode(line, &steps) }))
	if err != nil {
		t.Fatal(err)
	}
	return games, steps
}

func decode[T any](line []byte, list *[]T) error {
	var v T
	err := json.Unmarshal(line, &v)
	*list = append(*list, v)
	return err
}

func TestTheOracleReachesEveryGoalInTheFewestTurns(t *testing.T) {
	c := config(t, "best", 2)
	mustPlay(t, c)
	games, steps := read(t, c)
	for i, g := range games {
		if want := (goals[i/2] + 2) / 3; g.Outcome != schemas.OutcomeSuccess || g.Turns != want {
			t.Errorf("%s: %s in %d turns, want success in %d", g.Item, g.Outcome, g.Turns, want)
		}
	}
	if len(steps) < len(games) || steps[0].PromptSHA256 != "" || steps[0].LatencyMS == 0 {
		t.Errorf("steps are %+v", steps[:1])
	}
}

func TestFilesDoNotDependOnWorkers(t *testing.T) {
	for _, turns := range []int{1, 4} {
		one, four := of(t, turns, play.Setup{}, "random", 2), of(t, turns, play.Setup{}, "random", 2)
		one.Workers = 1
		mustPlay(t, one)
		mustPlay(t, four)
		if timeless(t, one) != timeless(t, four) {
			t.Errorf("%d turns: 1 and 4 workers wrote different logs", turns)
		}
	}
}

func TestAttemptsAndSeedsDiffer(t *testing.T) {
	c := config(t, "random", 1)
	mustPlay(t, c)
	same := 0
	games, _ := read(t, c)
	for i := 0; i < len(games); i += 2 {
		if slices.Equal(games[i].Adds, games[i+1].Adds) {
			same++
		}
	}
	if same > len(games)/4 {
		t.Errorf("%d of %d instances were played alike in both attempts", same, len(games)/2)
	}
	other := c.Run
	other.Seed++
	if play.Describe(other).Run == c.Run.Run {
		t.Error("another seed has the same run id")
	}
}

func TestWhateverChangesTheRulesChangesTheirHash(t *testing.T) {
	model := func(temperature string) play.Setup {
		return play.Setup{Model: &play.Model{Player: schemas.Player{Name: "m", Kind: schemas.KindOpenAI}, Asked: schemas.Asked{Temperature: &temperature}}}
	}
	seen := map[string]string{}
	for name, c := range map[string]play.Config{
		"random": of(t, 4, play.Setup{}, "random", 1), "max": of(t, 4, play.Setup{}, "random", 1, "max=2"),
		"human": of(t, 4, play.Setup{In: strings.NewReader("")}, "human", 1), "cold": of(t, 4, model("0"), "openai", 1), "hot": of(t, 4, model("1"), "openai", 1),
	} {
		if other, twice := seen[c.Run.RulesSHA256]; twice || len(c.Run.RulesSHA256) != 64 {
			t.Errorf("%s and %s have the rules %s", name, other, c.Run.RulesSHA256)
		}
		seen[c.Run.RulesSHA256] = name
	}
	if a, b := of(t, 4, play.Setup{}, "random", 1), of(t, 4, play.Setup{}, "best", 2); a.Run.RulesSHA256 != b.Run.RulesSHA256 || a.Run.Run == b.Run.Run {
		t.Error("two baselines under the same rules must share their hash and differ in their ids")
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
			t.Fatalf("stop after %d: %d items, %v", stop, n, err)
		}
		c.Progress = nil
		mustPlay(t, c)
		if timeless(t, c) != timeless(t, whole) {
			t.Errorf("stop after %d: other files than those of a run in one piece", stop)
		}
		cancel()
	}
}

// The tasks beyond the limit are asked for only where the directory holds some, and then stand in
// their places.
func TestALimitedRunPutsWhatLiesBeyondItInOrder(t *testing.T) {
	whole := config(t, "best", 1)
	tasks, listed := whole.Tasks, 0
	limited := func() play.Config { // to the first task, of two attempts
		c := whole
		c.Limit, c.Tasks = 2, tasks[:1]
		c.All = func() ([]family.Task, error) { listed++; return tasks, nil }
		return c
	}
	mustPlay(t, limited())
	if listed != 0 {
		t.Errorf("a fresh run lists all tasks %d times", listed)
	}
	whole.Dir = t.TempDir()
	beyond := whole
	beyond.Tasks = []family.Task{tasks[4], tasks[2]} // as an interruption may leave them
	mustPlay(t, beyond)
	if inOrder(t, whole) {
		t.Error("nothing is out of order")
	}
	n, err := play.Run(t.Context(), limited())
	if err != nil || n != 6 || listed != 1 || !inOrder(t, whole) {
		t.Errorf("%d games, %v; all tasks listed %d times, in order: %v", n, err, listed, inOrder(t, whole))
	}
}

// inOrder reports whether the games of a directory are in the order of their tasks.
func inOrder(t *testing.T, c play.Config) bool {
	games, _ := read(t, c)
	return slices.IsSortedFunc(games, func(a, b tiny.Game) int { return strings.Compare(a.Item, b.Item) })
}

// TestResumeDropsWhatACrashLeft cuts the logs in many places of the last game, in the order in which they
// are written.
func TestResumeDropsWhatACrashLeft(t *testing.T) {
	whole := config(t, "best", 1)
	whole.Tasks = whole.Tasks[:3]
	mustPlay(t, whole)
	want := timeless(t, whole)
	steps, games := load(t, whole.Dir, trace.StepsFile), load(t, whole.Dir, trace.GamesFile)
	lastGame := bytes.LastIndexByte(games[:len(games)-1], '\n') + 1
	lastSteps := bytes.Index(steps, fmt.Appendf(nil, `"item":"%s-a2"`, whole.Tasks[2].ID))
	for cut := lastSteps + 1; cut < len(steps); cut += 11 {
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
	if timeless(t, c) != want {
		t.Fatalf("%d bytes of steps and %d of games: the resumed run differs", len(steps), len(games))
	}
}

func TestADirectoryHoldsOneRun(t *testing.T) {
	c := config(t, "random", 1)
	mustPlay(t, c)
	other := config(t, "best", 1)
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
	set := config(t, "random", 1).Set
	if _, err := (play.Setup{}).Player(set, "greedy"); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "human, lines, openai, random, best, one") {
		t.Errorf("got %v", err)
	}
	if _, err := (play.Setup{}).Player(set, play.OpenAI); !errors.Is(err, fault.Usage) {
		t.Errorf("openai without a model: %v", err)
	}
	one := config(t, "random", 1)
	one.Player.Splits = []string{"closed"}
	if err := one.Check(); !errors.Is(err, fault.Usage) || !strings.Contains(err.Error(), "--split closed") {
		t.Errorf("a player on a split that it does not play: %v", err)
	}
}

func TestSplitsAndInstancesAreChosenByName(t *testing.T) {
	set := config(t, "random", 1).Set
	for _, c := range []struct {
		splits, instances []string
		names             string
		tasks             int
	}{
		{nil, nil, "easy", 20},
		{[]string{"closed"}, nil, "closed", 20},
		{[]string{"closed", "easy"}, nil, "easy closed", 40},
		{nil, []string{"easy-0003", "easy-0001"}, "easy", 2},
		{[]string{"closed", "easy"}, []string{"closed-0003"}, "closed", 1},
		{[]string{"hard"}, nil, "", 0},
		{[]string{"eas"}, nil, "", 0},
		{nil, []string{"closed-0001"}, "", 0},
	} {
		names, tasks, err := play.Choose(set, c.splits, c.instances, 0)
		if strings.Join(names, " ") != c.names || len(tasks) != c.tasks || (err != nil) != (c.tasks == 0) || err != nil && !errors.Is(err, fault.Usage) {
			t.Errorf("%q, %q: %q, %d tasks, %v", c.splits, c.instances, names, len(tasks), err)
		}
	}
}

// person answers prompts through pipes: for each prompt it reads, it types what choose says.
func person(t *testing.T, choose func(prompt string) string) (play.Setup, func() string) {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	var all bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		var text strings.Builder
		buf := make([]byte, 4096)
		for {
			n, err := outR.Read(buf)
			all.Write(buf[:n])
			text.Write(buf[:n])
			if strings.HasSuffix(text.String(), "\n> ") {
				if _, err := io.WriteString(inW, choose(text.String())+"\n"); err != nil {
					return
				}
				text.Reset()
			}
			if err != nil {
				return
			}
		}
	}()
	return play.Setup{In: inR, Out: outW}, func() string { outW.Close(); <-done; return all.String() }
}

func TestAPersonPlaysThroughPipes(t *testing.T) {
	replies := []string{"3", " nothing ", "3", "1", "quit"}
	n := 0
	s, output := person(t, func(string) string { n++; return replies[n-1] })
	c := of(t, 4, s, play.Human, 1)
	c.Limit = 2
	if n, err := play.Run(t.Context(), c); n != 2 || err != nil {
		t.Fatalf("%d items, %v", n, err)
	}
	text := output()
	games, steps := read(t, c)
	if games[0].Outcome != schemas.OutcomeSuccess || games[0].Turns != 4 || games[1].Outcome != schemas.OutcomeGaveUp || games[1].Turns != 0 ||
		!strings.Contains(text, "Game over: success after 4 steps.") || !strings.Contains(text, "You are at 6. The goal is 7.") {
		t.Errorf("%+v\n%s", games, text)
	}
	if len(steps) != 4 || steps[1].Reply != "nothing" || len(steps[1].PromptSHA256) != 64 || steps[1].PromptSHA256 == steps[2].PromptSHA256 && steps[0].Add != 0 && steps[1].Add != 0 {
		t.Errorf("%+v", steps)
	}
}

func TestAProgramPlaysOverLines(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	var seen []map[string]any
	done := make(chan error, 1)
	go func() {
		dec := json.NewDecoder(outR)
		for {
			var o map[string]any
			if err := dec.Decode(&o); err != nil {
				done <- err
				return
			}
			if seen = append(seen, o); o["done"] == true {
				done <- nil
				return
			}
			fmt.Fprintln(inW, []string{"2", "back", "x", "2"}[len(seen)-1])
		}
	}()
	c := of(t, 4, play.Setup{In: inR, Out: outW}, play.Lines, 1)
	c.Limit = 1
	if _, err := play.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	_, steps := read(t, c)
	if len(seen) != 5 || len(steps) != 4 || steps[0].Reply != "2" || steps[0].Add != 2 || steps[1].Reply != "back" || steps[2].Reply != "x" ||
		steps[0].PromptSHA256 != "" || seen[4]["outcome"] != schemas.OutcomeStepLimit {
		t.Errorf("%+v, steps %+v", seen, steps)
	}
}

func TestTheEndOfTheInputInterruptsTheRun(t *testing.T) {
	for _, player := range []string{play.Human, play.Lines} {
		c := of(t, 4, play.Setup{In: strings.NewReader("1\n"), Out: io.Discard}, player, 1)
		if n, err := play.Run(context.Background(), c); n != 0 || fault.KindOf(err) != fault.Interrupted {
			t.Errorf("%s: %d items, %v", player, n, err)
		}
	}
}

// parrot is a model that says the same to every question, and fails on one of them.
type parrot struct{ text, fails string }

func (p parrot) Say(_ context.Context, q play.Prompt) (r family.Reply, err error) {
	if p.fails != "" && strings.Contains(q.Messages[0].Content, p.fails) {
		return r, &play.Unreachable{Reason: "gone", Retries: 4}
	}
	r.Text, r.Usage = &p.text, &schemas.Usage{Prompt: 3, Output: 2}
	return r, nil
}

func speaking(p parrot) play.Setup {
	return play.Setup{Model: &play.Model{Player: schemas.Player{Name: "m/1", Kind: schemas.KindOpenAI}, Speak: func(int) play.Speaker { return p }}}
}

func TestAModelAnswersQuestionsAndWhatItCostIsTold(t *testing.T) {
	c := of(t, 1, speaking(parrot{"3", "goal is 8"}), play.OpenAI, 1)
	c.Run.Price = &schemas.Price{PromptPerMTok: "1", OutputPerMTok: "1"}
	mustPlay(t, c)
	games, _ := read(t, c)
	for i, g := range games {
		failed := goals[i] == 8
		if failed != (g.Reason != nil) || failed != (g.Cost == nil) || failed != (g.Outcome == schemas.OutcomeInfra) || failed != g.Retried {
			t.Errorf("%s: %+v", g.Item, g)
		}
	}
	if got := c.Plan(); len(got) != 20 || got[1] != "easy-0002-a1" || !strings.HasPrefix(c.Run.Run, "m-1-") {
		t.Errorf("the plan of %s is %q", c.Run.Run, got)
	}
	count, err := play.Count(c.Dir, c.Family.Layout(), c.Run.Price)
	want := []play.Unanswered{{Item: "easy-0006-a1", Reason: "gone"}, {Item: "easy-0015-a1", Reason: "gone"}}
	if err != nil || count.Usage != (schemas.Usage{Prompt: 54, Output: 36}) || count.Moves != 18 || !slices.Equal(count.Infra, want) || count.Cost == nil {
		t.Errorf("%+v, %v", count, err)
	}
}

func TestRepliesThatNoLineHoldsAreNoFaultOfThePlayer(t *testing.T) {
	long := strings.Repeat("x", 1<<20-1)
	for turns, want := range map[int]string{1: schemas.OutcomeStepLimit, 4: schemas.OutcomeStepLimit} {
		c := of(t, turns, speaking(parrot{text: long}), play.OpenAI, 1)
		c.Limit = 1
		if _, err := play.Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if games, _ := read(t, c); games[0].Outcome != want {
			t.Errorf("%d turns: %+v", turns, games[0])
		}
	}
	c := of(t, 1, speaking(parrot{text: long + "xx"}), play.OpenAI, 1)
	c.Limit = 1
	if _, err := play.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if games, _ := read(t, c); games[0].Outcome != schemas.OutcomeInfra || !strings.Contains(*games[0].Reason, "more than a record holds") {
		t.Errorf("%+v", games[0])
	}
}
