package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

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

type reporter struct{ *cli.Progress }

func (r reporter) Stage(e pipeline.Event) {
	text := ""
	if e.State == pipeline.Running {
		text = fmt.Sprintf("%d/%d %s: %s%s", e.Number, e.Total, e.Stage, e.Why, needs(e.Estimate))
	}
	r.Say(map[string]any{"stage": e.Stage, "number": e.Number, "total": e.Total, "state": e.State, "why": e.Why}, text)
}

func needs(e stages.Estimate) string {
	if e.Disk == 0 && e.Memory == 0 {
		return ""
	}
	return fmt.Sprintf("; needs about %s of disk and %s of memory", pipeline.Bytes(e.Disk), pipeline.Bytes(e.Memory))
}

func (r reporter) Meter(stage, phase, unit string, total int64) stages.Meter {
	return r.Progress.Meter(stage, phase, unit, total)
}
