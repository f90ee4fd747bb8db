package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/wikinav/wikinav/artifacts/store"
	"github.com/wikinav/wikinav/cmd/internal/cli"
	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/stages"
)

// runLog is logs/<utc>-<pid>.jsonl: the one place for clocks and hosts; append-only, never hashed.
type runLog struct {
	f     *os.File
	start time.Time
}

func openRunLog(dir *store.Dir, workers int) (*runLog, error) {
	if err := os.MkdirAll(dir.LogDir(), 0o755); err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	name := fmt.Sprintf("%s-%d.jsonl", now.Format("20060102T150405Z"), os.Getpid())
	f, err := os.OpenFile(filepath.Join(dir.LogDir(), name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	l := &runLog{f, now}
	host, _ := os.Hostname()
	l.write(map[string]any{"event": "start", "host": host, "pid": os.Getpid(), "workers": workers, "code": cli.Code()})
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
	event := map[string]any{"event": "end", "seconds": time.Since(l.start).Seconds()}
	if err != nil {
		event["error"] = err.Error()
	}
	l.write(event)
}

func (l *runLog) Close() { l.f.Close() }

// reporter tells of stages as --progress asks. Off a terminal, where nobody asked, a stage has a
// line when it begins, one every linePause, and one when it ends.
type reporter struct {
	*cli.Progress
	lines io.Writer // nil where Progress tells
	start time.Time // of the stage that runs
	stop  func()    // ends its lines
}

const linePause = 30 * time.Second

func newReporter(cmd *cobra.Command, kind string) *reporter {
	r := &reporter{Progress: cli.NewProgress(cmd.ErrOrStderr(), kind), stop: func() {}}
	asJSON, _ := cmd.Flags().GetBool("json-errors") // then a program reads standard error
	if kind == "auto" && r.Quiet() && !asJSON {
		r.lines = cmd.ErrOrStderr()
	}
	return r
}

func (r *reporter) Stage(e pipeline.Event) {
	name := fmt.Sprintf("%d/%d %s", e.Number, e.Total, e.Stage)
	text := ""
	if e.State == pipeline.Running {
		text = fmt.Sprintf("%s: %s%s", name, e.Why, needs(e.Estimate))
	}
	r.Say(map[string]any{"stage": e.Stage, "number": e.Number, "total": e.Total, "state": e.State, "why": e.Why}, text)
	if r.lines == nil {
		return
	}
	r.stop()
	r.stop = func() {}
	switch e.State {
	case pipeline.Running:
		fmt.Fprintln(r.lines, text)
		r.start = time.Now()
		r.stop = everyPause(func(d time.Duration) { fmt.Fprintf(r.lines, "%s: running for %s\n", name, d) })
	case pipeline.Done:
		fmt.Fprintf(r.lines, "%s: done in %s\n", name, time.Since(r.start).Round(100*time.Millisecond))
	}
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

func needs(e stages.Estimate) string {
	if e.Disk == 0 && e.Memory == 0 {
		return ""
	}
	return fmt.Sprintf("; needs about %s of disk and %s of memory", pipeline.Bytes(e.Disk), pipeline.Bytes(e.Memory))
}

func (r *reporter) Meter(stage, phase, unit string, total int64) stages.Meter {
	return r.Progress.Meter(stage, phase, unit, total)
}
