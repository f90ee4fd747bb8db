package play_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/oldplay"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// on says how to play G9's A -> T, its longest pair.
func on(t *testing.T, w *gametest.World, inst schemas.WikiraceInstance, s play.Setup, player string, options ...string) play.Config {
	t.Helper()
	p, err := s.Player(player)
	if err != nil {
		t.Fatal(err)
	}
	opts := game.Defaults()
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		if err := game.SetOption(&opts, name, value); err != nil {
			t.Fatal(err)
		}
	}
	run := schemas.GameRun{
		ReleaseID: "r", Family: "wikirace", Splits: []string{"easy"}, Attempts: 1, Options: opts,
		Model: schemas.Model{Name: p.Name(), Kind: p.Kind()}, Tool: "test", Seed: s.Seed,
	}
	if r, ok := p.(play.Reader); ok {
		wording, parser := r.Reads(opts)
		run.Prompt, run.Parser = &wording, &parser
	}
	return play.Config{
		Dir: t.TempDir(), Run: play.Describe(run), World: w, Player: p, Instances: []schemas.WikiraceInstance{inst}, Workers: 4, Now: clock(),
	}
}

func g9() (*gametest.World, schemas.WikiraceInstance) {
	w := gametest.G9()
	return w, w.Instance("wr-easy-0001", 0, 8)
}

// TestTheDegreePlayersWalkTheSpecifiedWays is the worked example of the wikirace specification, 5.7.
func TestTheDegreePlayersWalkTheSpecifiedWays(t *testing.T) {
	for player, want := range map[string]string{"greedy-degree": "ABCEGHT", "greedy-degree-out": "ACEGHT"} {
		w, inst := g9()
		c := on(t, w, inst, play.Setup{}, player)
		mustPlay(t, c)
		got := ""
		for _, u := range read(t, c.Dir).Games[0].Record.Path {
			got += w.Title(u)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", player, got, want)
		}
	}
}

// TestTheRandomPlayerWinsAsOftenAsARandomWalk compares 10,000 games with the exact probability; the bound is 4.5 standard errors.
func TestTheRandomPlayerWinsAsOftenAsARandomWalk(t *testing.T) {
	w, inst := g9()
	if p := walk(w, inst, 30); math.Abs(p-0.846251) > 5e-7 {
		t.Fatalf("p_30 on G9 is %v, want 0.846251", p)
	}
	checkRandom(t, w, inst)
	small := gametest.Random(3, 14, 4, 5)
	for _, inst := range small.Instances(3, 3, 3) {
		checkRandom(t, small, inst)
	}
}

func checkRandom(t *testing.T, w *gametest.World, inst schemas.WikiraceInstance) {
	t.Helper()
	const games = 10_000
	p, err := play.New("random", seed)
	if err != nil {
		t.Fatal(err)
	}
	won := 0
	for attempt := 1; attempt <= games; attempt++ {
		g, err := game.New(w, inst, game.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		agent := p.Start(play.Seat{Instance: inst.ID, Attempt: attempt})
		for !g.Done() {
			answer, err := agent.Act(context.Background(), g.Observe("x"))
			if err != nil {
				t.Fatal(err)
			}
			g.Play(answer.Move)
		}
		if g.Outcome() == schemas.OutcomeSuccess {
			won++
		}
	}
	want, got := walk(w, inst, 30), float64(won)/games
	if math.Abs(got-want) > 4.5*math.Sqrt(want*(1-want)/games)+1e-9 {
		t.Errorf("seed %d, %s to %s: won %v of %d games, a random walk wins %v", seed, inst.Source.Title, inst.Target.Title, got, games, want)
	}
	t.Logf("%s to %s: won %v, exact %v", inst.Source.Title, inst.Target.Title, got, want)
}

// walk is the probability that a uniform walk from source reaches target within k links.
func walk(w *gametest.World, inst schemas.WikiraceInstance, k int) float64 {
	p := make([]float64, w.Len())
	p[inst.Target.Node] = 1
	for range k {
		next := make([]float64, w.Len())
		for u := range next {
			for _, v := range w.Links[u] {
				next[u] += p[v] / float64(len(w.Links[u]))
			}
		}
		next[inst.Target.Node] = 1
		p = next
	}
	return p[inst.Source.Node]
}

// person answers prompts through pipes: for each prompt it reads, it types what choose says of the links in it.
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

// linkTo finds the number of a title in the last list of a prompt.
func linkTo(title string) func(string) string {
	return func(prompt string) string {
		for line := range strings.Lines(prompt) {
			if n, rest, ok := strings.Cut(strings.TrimSpace(line), ". "); ok && rest == title {
				return n
			}
		}
		return "?"
	}
}

func TestAPersonPlaysThroughPipesAndIsReplayedWordForWord(t *testing.T) {
	for _, options := range [][]string{{}, {"renderer=chat", "oracle=SP"}, {"oracle=SPH", "context=lead"}, {"renderer=chat", "back=on", "titles=anon"}} {
		w, inst := g9()
		turns := 0
		setup, output := person(t, func(prompt string) string {
			turns++
			switch {
			case strings.Contains(strings.Join(options, " "), "anon"):
				return "quit"
			case turns == 2:
				return "no idea"
			}
			return "I say <answer>" + linkTo([]string{"", "B", "", "E", "G", "H", "T"}[turns])(prompt) + "</answer>"
		})
		c := on(t, w, inst, setup, "human", options...)
		mustPlay(t, c)
		text := output()
		log := read(t, c.Dir)
		if anon := log.Run.Options.Titles == "anon"; anon != (log.Games[0].Record.Outcome == schemas.OutcomeGaveUp) {
			t.Errorf("%v: %s\n%s", options, log.Games[0].Record.Outcome, text)
		} else if !anon && (log.Games[0].Record.Turns != 6 || !strings.Contains(text, "Game over: success after 6 steps.")) {
			t.Errorf("%v: %+v\n%s", options, log.Games[0].Record, text)
		}
		rel := judge.Release{ID: "r", World: w, Resolve: w.Node, Splits: []judge.Split{{Name: "easy", Instances: c.Instances}}}
		if scores, err := judge.Score(rel, log, judge.Request{}); err != nil {
			t.Errorf("%v: %v: %+v", options, err, scores.Disagreements)
		}
		checkForgedWords(t, rel, log)
	}
}

// checkForgedWords changes prompt, reply and choice of a step, one at a time.
func checkForgedWords(t *testing.T, rel judge.Release, log *trace.GameLog) {
	t.Helper()
	if len(log.Games[0].Steps) == 0 {
		return
	}
	zero := 0
	for name, forge := range map[string]func(*schemas.Step){
		"prompt_sha256": func(s *schemas.Step) { s.PromptSHA256 = strings.Repeat("0", 64) },
		"reply_sha256":  func(s *schemas.Step) { s.Reply += " " },
		"choice":        func(s *schemas.Step) { s.Choice = &zero },
	} {
		forged := *log
		forged.Games = []trace.Game{log.Games[0]}
		steps := append([]schemas.Step{}, log.Games[0].Steps...)
		forge(&steps[1]) // the turn without a choice
		forged.Games[0].Steps = steps
		scores, err := judge.Score(rel, &forged, judge.Request{})
		if !errors.Is(err, fault.Mismatch) || scores.Disagreements[0].Field != name {
			t.Errorf("a forged %s: %v, %+v", name, err, scores.Disagreements)
		}
	}
}

func TestTheEndOfTheInputInterruptsTheRun(t *testing.T) {
	w, inst := g9()
	for _, player := range []string{"human", "lines"} {
		c := on(t, w, inst, play.Setup{In: strings.NewReader("0\n"), Out: io.Discard}, player)
		if n, err := play.Run(context.Background(), c); n != 0 || fault.KindOf(err) != fault.Interrupted {
			t.Errorf("%s: %d games, %v", player, n, err)
		}
	}
}

func TestAProgramPlaysOverLines(t *testing.T) {
	w, inst := g9()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	var seen []game.Observation
	done := make(chan error, 1)
	go func() {
		dec := json.NewDecoder(outR)
		for {
			var o game.Observation
			if err := dec.Decode(&o); err != nil {
				done <- err
				return
			}
			seen = append(seen, o)
			if o.Done {
				done <- nil
				return
			}
			fmt.Fprintln(inW, []string{"0", "back", "x", "999"}[min(len(seen)-1, 3)])
		}
	}()
	c := on(t, w, inst, play.Setup{In: inR, Out: outW}, "lines", "back=on", "max_steps=4")
	mustPlay(t, c)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	log := read(t, c.Dir)
	steps := log.Games[0].Steps
	if len(seen) != 5 || len(steps) != 4 || steps[1].Choice != nil || *steps[1].To != 0 || *steps[2].InvalidReason != game.ReasonUnparsed ||
		*steps[3].InvalidReason != game.ReasonOutOfRange || seen[4].Outcome != schemas.OutcomeStepLimit {
		t.Errorf("%d observations, steps %+v", len(seen), steps)
	}
	rel := judge.Release{ID: "r", World: w, Resolve: w.Node, Splits: []judge.Split{{Name: "easy", Instances: c.Instances}}}
	if scores, err := judge.Score(rel, log, judge.Request{}); err != nil {
		t.Errorf("%v: %+v", err, scores.Disagreements)
	}
}
