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
	Oracle                     struct{ Left *int }
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

func TestEveryFamilyIsAnEnvironment(t *testing.T) {
	rel, shaped := wholeRelease(t), 0
	for _, f := range families.All {
		for _, words := range []bool{false, true} {
			gymOf(t, rel, f).scoresAsItPays(words)
		}
		shaped += gymOf(t, rel, f).telescopes()
		if _, err := f.Options([]string{"mode=walk"}); err == nil {
			shaped += gymOf(t, rel, f, "mode=walk").telescopes()
		}
	}
	if shaped < 5 {
		t.Errorf("%d kinds of games know what is left of them", shaped)
	}
}

// gym is a family that is played as an environment, beside oracles that play it here.
type gym struct {
	*testing.T
	rel  string
	host *session.Host
	args []string
}

func gymOf(t *testing.T, rel string, f family.Family, options ...string) gym {
	t.Helper()
	r, err := open.Open(rel)
	must(t, err)
	t.Cleanup(func() { _ = r.Close() })
	manner := family.Manner{Interface: schemas.InterfaceEnv}
	g := gym{t, rel, &session.Host{Family: f, Manner: manner, Now: time.Now}, nil}
	if _, err = offer(g.host, r); err != nil { // the release has no leads
		options = append(options, "target_intro=0")
	}
	g.host.Options, err = f.Options(options)
	must(t, err)
	g.host.Set, err = f.Open(r, g.host.Options)
	must(t, err)
	must(t, g.host.Offer(nil, nil))
	g.args = []string{"--release", rel, "--family", f.Name(), "--model", "me"}
	for _, o := range options {
		g.args = append(g.args, "--option", o)
	}
	return g
}

// play plays the i-th task to its end, as an oracle does or as one who knows nothing, and returns
// what was paid in all.
func (g gym) play(e *environment, i int, oracle, words bool) (first, last paid, sum float64) {
	g.Helper()
	task := offered(g.host)[i]
	first = e.ask("reset", map[string]any{"instance": task.ID})
	last = first
	turns := winning(g.T, g.host, task, words)
	for n := 0; !last.Terminated && !last.Truncated; n++ {
		move := map[string]any{"text": "I do not know"}
		switch {
		case n > 60:
			move = map[string]any{"give_up": true}
		case oracle && n < len(turns):
			move = turns[n]
		}
		last = e.ask("step", move)
		sum += last.Reward
	}
	return first, last, sum
}

// scoresAsItPays lets an oracle play every other episode. What score says of the log is what was
// paid.
func (g gym) scoresAsItPays(words bool) {
	logs, name, won := filepath.Join(g.TempDir(), "logs"), g.host.Family.Name(), 0
	e := startEnv(g.T, append(g.args, "--log", logs, fmt.Sprintf("--text=%v", words))...)
	for i := range min(8, len(offered(g.host))) {
		first, last, sum := g.play(e, i, i%2 == 0, words)
		if words && (first.Text == nil || *first.Text == "") {
			g.Errorf("%s: nothing is said: %+v", name, first)
		}
		known := i%2 == 0 && !words // in words, some of its turns cannot be read
		if (sum == 1) != last.Won || sum != 0 && sum != 1 || known && !last.Won {
			g.Errorf("%s, words %v, game %d: paid %v, %+v", name, words, i, sum, last)
		}
		if last.Won {
			won++
		}
	}
	e.stop()
	if scored := scoredLogs(g.T, g.rel, name, logs); scored != won || won == 0 && !words {
		g.Errorf("%s, words %v: %d episodes were paid, the score says %d", name, words, won, scored)
	}
}

// telescopes compares the sum of shaped rewards with what an oracle says was left and is. It
// returns how many kinds of games have them: 0 or 1.
func (g gym) telescopes() int {
	sample, err := g.host.Try()
	must(g.T, err)
	if _, measured := sample.(family.Measured); !measured {
		return 0
	}
	e := startEnv(g.T, append(g.args, "--reward", "shaped", "--expose-oracle")...)
	for i := range min(8, len(offered(g.host))) {
		first, last, sum := g.play(e, i, i%2 == 0, false)
		if first.Oracle.Left == nil || i%2 == 0 && (last.Oracle.Left == nil || sum == 0) {
			g.Errorf("%s, game %d: left %v, paid %v, %+v", g.host.Family.Name(), i, first.Oracle.Left, sum, last)
			continue
		}
		if last.Oracle.Left != nil && sum != float64(*first.Oracle.Left-*last.Oracle.Left) {
			g.Errorf("%s, game %d: %d were left, then %d, and %v was paid", g.host.Family.Name(), i,
				*first.Oracle.Left, *last.Oracle.Left, sum)
		}
	}
	e.stop()
	return 1
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

// TestADamagedFamilyIsNotPassedOver: what a release has and cannot be read is an error, and not a
// family that it lacks.
func TestADamagedFamilyIsNotPassedOver(t *testing.T) {
	dir, _ := newBans(t)
	eval("env", "--release", dir, "--families").want(t, 0)
	name := filepath.Join(dir, "splits", "tiny.jsonl")
	put(t, name, strings.Replace(read(t, name), `"split":"tiny"`, `"split":"tinz"`, 1))
	eval("env", "--release", dir, "--families").want(t, 3)
}
