package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	families "github.com/wikinav/wikinav/eval"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/session"
	"github.com/wikinav/wikinav/schemas"
)

// environment is a running `env`.
type environment struct {
	t      *testing.T
	in     *io.PipeWriter
	out    *bufio.Reader
	stderr syncBuffer
	code   chan int
}

func startEnv(t *testing.T, args ...string) *environment {
	t.Helper()
	asks, in := io.Pipe()
	out, answers := io.Pipe()
	e := &environment{t: t, in: in, out: bufio.NewReader(out), code: make(chan int, 1)}
	go func() {
		e.code <- run(append([]string{"env"}, args...), asks, answers, &e.stderr)
		answers.Close()
	}()
	e.read()
	return e
}

func (e *environment) read() string {
	e.t.Helper()
	line, err := e.out.ReadString('\n')
	if err != nil {
		e.t.Fatalf("%v: %s", err, e.stderr.String())
	}
	return line
}

// paid is the answer of the one slot that tests of this package play.
type paid struct {
	Reward                     float64
	Terminated, Truncated, Won bool
	Outcome, Instance          string
	Error                      *struct{ Code, Message string }
	Observation, Oracle, Tools json.RawMessage
	Text                       *string
}

func (e *environment) ask(op string, fields map[string]any) paid {
	e.t.Helper()
	fields["slot"] = 0
	request, err := json.Marshal(map[string]any{"op": op, "slots": []any{fields}})
	must(e.t, err)
	fmt.Fprintf(e.in, "%s\n", request)
	line := e.read()
	var a struct{ Slots []paid }
	if err := json.Unmarshal([]byte(line), &a); err != nil || len(a.Slots) != 1 ||
		a.Slots[0].Error != nil {
		e.t.Fatalf("%v in %s, asked for %v", err, line, fields)
	}
	return a.Slots[0]
}

// stop ends the input, which is a clean end.
func (e *environment) stop() {
	e.t.Helper()
	e.in.Close()
	if code := <-e.code; code != 0 {
		e.t.Errorf("exit %d: %s", code, e.stderr.String())
	}
}

// turnOf returns a reply as a step; in words what has no words is one that cannot be read.
func turnOf(r family.Reply, words bool) map[string]any {
	switch {
	case r.Calls != nil:
		return map[string]any{"calls": r.Calls}
	case r.Text != nil:
		return map[string]any{"text": *r.Text}
	case r.Choice != nil && words:
		return map[string]any{"text": "<answer>" + strconv.Itoa(*r.Choice) + "</answer>"}
	case r.Title != nil && words:
		return map[string]any{"text": "```\n" + *r.Title + "\n```"}
	case r.Answer != nil && words:
		return map[string]any{"text": "FINAL ANSWER: " + *r.Answer}
	case r.Choice != nil:
		return map[string]any{"choice": *r.Choice}
	case r.Title != nil:
		return map[string]any{"title": *r.Title}
	case r.Answer != nil:
		return map[string]any{"answer": *r.Answer}
	}
	return map[string]any{"back": true}
}

// winning returns the turns with which an oracle wins a task.
func winning(t *testing.T, h *session.Host, task family.Task, words bool) (turns []map[string]any) {
	t.Helper()
	for _, b := range h.Set.Baselines() {
		if b.Kind != schemas.KindOracle || !b.Plays(task.Split) {
			continue
		}
		e, err := h.Set.Start(task, h.Options, family.Manner{Interface: schemas.InterfaceBuiltin})
		must(t, err)
		turns = nil
		for next := b.Start(e, family.Seat{Task: task, Attempt: 1, Player: b.Name}); e.Outcome() == ""; {
			r, err := next()
			must(t, err)
			_, err = e.Act(r)
			must(t, err)
			turns = append(turns, turnOf(r, words))
		}
		if family.Won(e) {
			return turns
		}
	}
	t.Fatalf("no oracle wins %s", task.ID)
	return nil
}

func offered(h *session.Host) []family.Task {
	tasks, _ := h.Tasks("")
	return tasks
}

// An oracle plays every other episode, and leaves the rest to one that knows nothing. What score
// says of the log is what was paid.
func TestEveryFamilyIsPlayedAsAnEnvironmentAndScoredAsItWasPaid(t *testing.T) {
	rel := wholeRelease(t)
	for _, f := range families.All {
		for _, words := range []bool{false, true} {
			playEnv(t, rel, f, words)
		}
	}
}

func playEnv(t *testing.T, rel string, f family.Family, words bool) {
	const games = 8
	r, err := open.Open(rel)
	must(t, err)
	defer r.Close()
	h := &session.Host{
		Family: f,
		Manner: family.Manner{Interface: schemas.InterfaceEnv},
		Now:    time.Now,
	}
	args := []string{"--release", rel, "--family", f.Name(), "--model", "me"}
	err = offer(h, r)
	if err == nil {
		_, err = h.Try()
	}
	if err != nil { // the release has no leads
		args = append(args, "--option", "target_intro=0")
		h.Options, err = f.Options([]string{"target_intro=0"})
		must(t, err)
	}
	logs := filepath.Join(t.TempDir(), "logs")
	args = append(args, "--log", logs)
	if words {
		args = append(args, "--text")
	}
	e, won := startEnv(t, args...), 0
	for i := range min(games, len(offered(h))) {
		a := e.ask("reset", map[string]any{"instance": offered(h)[i].ID})
		if words && (a.Text == nil || *a.Text == "") {
			t.Errorf("%s: nothing is said: %+v", f.Name(), a)
		}
		turns, sum := winning(t, h, offered(h)[i], words), 0.0
		for n := 0; !a.Terminated && !a.Truncated; n++ {
			move := map[string]any{"text": "I do not know"}
			switch {
			case n > 60:
				move = map[string]any{"give_up": true}
			case i%2 == 0 && n < len(turns):
				move = turns[n]
			}
			a = e.ask("step", move)
			sum += a.Reward
		}
		if (sum == 1) != a.Won || sum != 0 && sum != 1 || i%2 == 0 && !words && !a.Won {
			t.Errorf("%s, words %v, game %d: paid %v, won %v, %s", f.Name(), words, i, sum, a.Won, a.Outcome)
		}
		if a.Won {
			won++
		}
	}
	e.stop()
	scored := scoredLogs(t, rel, f.Name(), logs)
	if scored != won || won == 0 && !words {
		t.Errorf("%s, words %v: %d episodes were paid, the score says %d", f.Name(), words, won, scored)
	}
}

// scoredLogs returns how many games of all runs of a folder were won.
func scoredLogs(t *testing.T, rel, name, logs string) (won int) {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(logs, "*"))
	must(t, err)
	for _, dir := range dirs {
		items := filepath.Join(t.TempDir(), "items.jsonl")
		eval(
			"score",
			"--release",
			rel,
			"--family",
			name,
			"--trajectories",
			dir,
			"--partial",
			"--items",
			items,
		).want(t, 0)
		won += strings.Count(read(t, items), `"success":true`)
	}
	return won
}
