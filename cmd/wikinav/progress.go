package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/wikinav/wikinav/pipeline"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// Kinds of progress. auto is bars on a terminal and nothing elsewhere.
const (
	progressAuto  = "auto"
	progressPlain = "plain"
	progressJSON  = "json"
	progressNone  = "none"
	progressBars  = "bars"
)

func checkProgress(kind string) error {
	switch kind {
	case progressAuto, progressPlain, progressJSON, progressNone:
		return nil
	}
	return fault.New(fault.Usage, "--progress %s: want auto, plain, json or none", fault.Quote(kind))
}

// reporter draws the progress of a build.
type reporter struct {
	out  io.Writer
	kind string
	mu   sync.Mutex
}

func newReporter(out io.Writer, kind string) *reporter {
	if kind == progressAuto {
		kind = progressNone
		if isTerminal(out) {
			kind = progressBars
		}
	}
	return &reporter{out: out, kind: kind}
}

// Stage tells of a stage's start and end.
func (r *reporter) Stage(e pipeline.Event) {
	switch r.kind {
	case progressJSON:
		r.line("%s\n", canon.MustMarshal(map[string]any{
			"stage": e.Stage, "number": e.Number, "total": e.Total, "state": e.State, "why": e.Why,
		}))
	case progressPlain, progressBars:
		if e.State == pipeline.Running {
			r.line("%d/%d %s: %s%s\n", e.Number, e.Total, e.Stage, e.Why, needs(e.Estimate))
		}
	}
}

func needs(e stages.Estimate) string {
	if e.Disk == 0 && e.Memory == 0 {
		return ""
	}
	return fmt.Sprintf("; needs about %s of disk and %s of memory", pipeline.Bytes(e.Disk), pipeline.Bytes(e.Memory))
}

func (r *reporter) line(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(r.out, format, args...)
}

// Meter starts the progress of one phase.
func (r *reporter) Meter(stage, phase, unit string, total int64) stages.Meter {
	switch r.kind {
	case progressBars:
		return newBar(r.out, stage+": "+phase, unit, total)
	case progressPlain, progressJSON:
		return &lineMeter{r: r, stage: stage, phase: phase, unit: unit, total: total, start: time.Now()}
	}
	return noMeter{}
}

type noMeter struct{}

func (noMeter) Add(int64) {}
func (noMeter) Done()     {}

// bar is a line that is drawn again and again.
type bar struct{ b *progressbar.ProgressBar }

func newBar(out io.Writer, what, unit string, total int64) bar {
	opts := []progressbar.Option{
		progressbar.OptionSetWriter(out), progressbar.OptionSetDescription(what), progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionShowCount(), progressbar.OptionSetWidth(24), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true),
	}
	if unit == "bytes" {
		opts = append(opts, progressbar.OptionShowBytes(true))
	} else {
		opts = append(opts, progressbar.OptionShowIts(), progressbar.OptionSetItsString(unit))
	}
	return bar{progressbar.NewOptions64(total, opts...)}
}

// Errors of drawing are nobody's loss.
func (b bar) Add(n int64) { _ = b.b.Add64(n) }
func (b bar) Done()       { _ = b.b.Finish() }

// lineMeter prints a line now and then, for logs and for programs.
type lineMeter struct {
	r                  *reporter
	stage, phase, unit string
	total              int64
	start              time.Time
	done               atomic.Int64
	printed            atomic.Int64 // nanoseconds after start
}

// linePause is the time between two lines of one phase.
const linePause = 2 * time.Second

func (m *lineMeter) Add(n int64) {
	done := m.done.Add(n)
	last, now := m.printed.Load(), int64(time.Since(m.start))
	if now-last >= int64(linePause) && m.printed.CompareAndSwap(last, now) {
		m.print(done, time.Duration(now))
	}
}

func (m *lineMeter) Done() { m.print(m.done.Load(), time.Since(m.start)) }

func (m *lineMeter) print(done int64, elapsed time.Duration) {
	rate := int64(float64(done) / max(elapsed.Seconds(), 1e-3))
	left := int64(-1)
	if m.total >= 0 && rate > 0 {
		left = max(0, m.total-done) / rate
	}
	if m.r.kind == progressJSON {
		m.r.line("%s\n", canon.MustMarshal(map[string]any{
			"stage": m.stage, "phase": m.phase, "unit": m.unit, "done": done, "total": m.total, "per_second": rate, "seconds_left": left,
		}))
		return
	}
	of := ""
	if m.total >= 0 {
		of = " of " + thousands(m.total)
	}
	eta := ""
	if left > 0 {
		eta = fmt.Sprintf(", %s left", time.Duration(left)*time.Second)
	}
	m.r.line("%s: %s %s%s %s, %s/s%s\n", m.stage, m.phase, thousands(done), of, m.unit, thousands(rate), eta)
}
