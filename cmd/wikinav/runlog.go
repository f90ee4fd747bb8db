package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/stages"
)

// Events of a run log, besides those of stages.
const (
	logStart    = "start"
	logProgress = "progress"
	logEnd      = "end"
)

// runLog is logs/<utc>-<pid>.jsonl: the one place for clocks and hosts; append-only, never hashed.
type runLog struct {
	f     *os.File
	name  string
	start time.Time
}

func openRunLog(dir *store.Dir, build string, workers int) (*runLog, error) {
	if err := os.MkdirAll(dir.LogDir(), 0o755); err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	name := fmt.Sprintf("%s-%d.jsonl", now.Format("20060102T150405Z"), os.Getpid())
	f, err := os.OpenFile(filepath.Join(dir.LogDir(), name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	l := &runLog{f, name, now}
	host, _ := os.Hostname()
	l.write(map[string]any{
		"event": logStart, "build": build, "host": host, "pid": os.Getpid(), "workers": workers, "code": cli.Code(),
	})
	return l, nil
}

// write adds an event with its time. A log that cannot be written does not stop a build.
func (l *runLog) write(event any) {
	line, err := json.Marshal(map[string]any{"time": time.Now().UTC().Format(time.RFC3339Nano), "what": event})
	if err == nil {
		_, _ = l.f.Write(append(line, '\n'))
	}
}

func (l *runLog) end(err error) {
	event := map[string]any{"event": logEnd, "seconds": time.Since(l.start).Seconds()}
	if err != nil {
		event["error"] = err.Error()
	}
	l.write(event)
}

func (l *runLog) Close() { l.f.Close() }

// underWay is what the run log of a build says that has not ended. It is empty for a writer who
// keeps no log.
type underWay struct {
	Build      string       `json:"build"`
	Since      time.Time    `json:"since"`
	Stage      string       `json:"stage"` // "" between two
	Number     int          `json:"number"`
	Total      int          `json:"total"`
	StageSince time.Time    `json:"stage_since"`
	Progress   *cli.Advance `json:"progress,omitempty"`

	done  map[string]string // key by stage
	ended bool
}

// readRunLog reads a log that may be growing: a line that is half written waits.
func readRunLog(path string) (*underWay, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w := &underWay{done: map[string]string{}}
	for line := range bytes.Lines(data) {
		var e logLine
		if json.Unmarshal(line, &e) == nil {
			w.take(e)
		}
	}
	return w, nil
}

type logLine struct {
	Time time.Time `json:"time"`
	What struct {
		Event    string         `json:"event"`
		Build    string         `json:"build"`
		Stage    string         `json:"stage"`
		Number   int            `json:"number"`
		Total    int            `json:"total"`
		State    pipeline.State `json:"state"`
		Key      string         `json:"key"`
		Progress *cli.Advance   `json:"progress"`
	} `json:"what"`
}

func (w *underWay) take(e logLine) {
	what := e.What
	switch {
	case what.Event == logStart:
		w.Build, w.Since = what.Build, e.Time
	case what.Event == logEnd:
		w.ended = true
	case what.Event == logProgress:
		w.Progress = what.Progress
	case what.State == pipeline.Running:
		w.Stage, w.Number, w.Total, w.StageSince, w.Progress = what.Stage, what.Number, what.Total, e.Time, nil
	case what.Key != "":
		w.done[what.Stage], w.Stage, w.Progress = what.Key, "", nil
	}
}

// at says for people what is under way at a time.
func (w *underWay) at(now time.Time) string {
	since := func(t time.Time) string {
		return fmt.Sprintf("since %s (%s)", t.UTC().Format("2006-01-02 15:04:05 UTC"), now.Sub(t).Round(time.Second))
	}
	switch {
	case w.Build == "":
		return "another wikinav is at work in this directory and keeps no log (build --check, prune)"
	case w.Stage == "":
		return fmt.Sprintf("build %s is under way %s, between two stages", w.Build, since(w.Since))
	}
	text := fmt.Sprintf("build %s is under way %s\n%d/%d %s: running %s", w.Build, since(w.Since),
		w.Number, w.Total, w.Stage, since(w.StageSince))
	if w.Progress != nil {
		text += ": " + w.Progress.String()
	}
	return text
}

// reporter tells of stages as --progress asks. Off a terminal, where nobody asked, a stage has a
// line when it begins, one every linePause, and one when it ends.
type reporter struct {
	*cli.Progress
	lines io.Writer // nil where Progress tells
	start time.Time // of the stage that runs
	stop  func()    // ends its lines

	latest atomic.Pointer[cli.Advance] // how far its phase has come, nil if unknown
	log    func(any)                   // nil for none
	mu     sync.Mutex
	logged time.Time // when the log heard how far
}

const (
	linePause = 30 * time.Second
	logPause  = 5 * time.Second // between two events of progress, for status
)

func newReporter(cmd *cobra.Command, kind string, log func(any)) *reporter {
	r := &reporter{Progress: cli.NewProgress(cmd.ErrOrStderr(), kind), stop: func() {}, log: log}
	r.Heard = r.advanced
	asJSON, _ := cmd.Flags().GetBool("json-errors") // then a program reads standard error
	if kind == "auto" && r.Quiet() && !asJSON {
		r.lines = cmd.ErrOrStderr()
	}
	return r
}

// advanced keeps how far a phase has come for the next line, and logs it now and then, and at its
// end.
func (r *reporter) advanced(a cli.Advance) {
	r.latest.Store(&a)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.log != nil && (a.Done == a.Total || time.Since(r.logged) >= logPause) {
		r.logged = time.Now()
		r.log(map[string]any{"event": logProgress, "progress": a})
	}
}

func (r *reporter) Stage(e pipeline.Event) {
	name := fmt.Sprintf("%d/%d %s", e.Number, e.Total, e.Stage)
	text := ""
	if e.State == pipeline.Running {
		text = name + ": running" + because(e.Why) + needs(e.Estimate)
	}
	r.Say(map[string]any{"stage": e.Stage, "number": e.Number, "total": e.Total, "state": e.State, "why": e.Why}, text)
	r.stop()
	r.stop = func() {}
	r.latest.Store(nil)
	if r.lines == nil {
		return
	}
	switch e.State {
	case pipeline.Running:
		fmt.Fprintln(r.lines, text)
		r.start = time.Now()
		r.stop = everyPause(func(d time.Duration) {
			fmt.Fprintf(r.lines, "%s: running for %s%s\n", name, d, r.far())
		})
	case pipeline.Done:
		fmt.Fprintf(r.lines, "%s: done in %s\n", name, time.Since(r.start).Round(100*time.Millisecond))
	}
}

func (r *reporter) far() string {
	if a := r.latest.Load(); a != nil {
		return ": " + a.String()
	}
	return ""
}

// everyPause calls say every linePause until the function that it returns is called, which waits
// for the last call.
func everyPause(say func(time.Duration)) (stop func()) {
	tick, end, ended := time.NewTicker(linePause), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for n := time.Duration(1); ; n++ {
			select {
			case <-tick.C:
				say(n * linePause)
			case <-end:
				return
			}
		}
	}()
	return sync.OnceFunc(func() { tick.Stop(); close(end); <-ended })
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return " (" + why + ")"
}

func needs(e stages.Estimate) string {
	if e.Disk == 0 && e.Memory == 0 {
		return ""
	}
	return fmt.Sprintf("; needs about %s of disk and %s of memory", pipeline.Bytes(e.Disk), pipeline.Bytes(e.Memory))
}

func (r *reporter) Meter(stage, phase, unit string, total int64) stages.Meter {
	return r.Progress.Meter(stage, phase, unit, total)
}
