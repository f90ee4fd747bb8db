package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/wikinav/wikinav/schemas/canon"
)

// ProgressFlag is the flag of verbs that take their time. auto is bars on a terminal and nothing
// elsewhere, but for the lines that a build has there.
type ProgressFlag struct {
	Progress string `flag:"progress" oneof:"auto plain json none" usage:"progress on standard error"`
}

// Progress tells how far work has come, in one of the kinds.
type Progress struct {
	out  io.Writer
	kind string
	mu   sync.Mutex
}

// NewProgress tells it on out.
func NewProgress(out io.Writer, kind string) *Progress {
	if kind == "auto" {
		kind = "none"
		if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
			kind = "bars"
		}
	}
	return &Progress{out: out, kind: kind}
}

// Quiet reports whether nothing is told.
func (p *Progress) Quiet() bool { return p.kind == "none" }

// Say tells something that happened: to programs an object, to people a text, "" for nothing.
func (p *Progress) Say(object any, text string) {
	switch {
	case p.kind == "json":
		text = string(canon.MustMarshal(object))
	case p.kind == "none" || text == "":
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintln(p.out, text)
}

// Meter starts the progress of one phase of a stage or verb; total is -1 if unknown, unit a plural.
func (p *Progress) Meter(stage, phase, unit string, total int64) *Meter {
	m := &Meter{p: p, stage: stage, phase: phase, unit: unit, total: total, start: time.Now()}
	if p.kind == "bars" {
		m.bar = newBar(p.out, m.what(), unit, total)
	}
	return m
}

// Meter counts the work of one phase, by any number of goroutines.
type Meter struct {
	p                  *Progress
	stage, phase, unit string
	total              int64
	start              time.Time
	done               atomic.Int64
	printed            atomic.Int64             // nanoseconds after start
	bar                *progressbar.ProgressBar // nil unless bars are drawn
	status             func(elapsed time.Duration) string
	stop               func() // of the clock that draws the status
}

// what names the work; a phase that is called like its unit needs no words of its own.
func (m *Meter) what() string {
	if m.phase == m.unit {
		return ""
	}
	return m.stage + ": " + m.phase + " "
}

func newBar(out io.Writer, what, unit string, total int64) *progressbar.ProgressBar {
	if what == "" {
		what = unit
	}
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
	return progressbar.NewOptions64(total, opts...)
}

// linePause is the time between two lines of one phase.
const linePause = 2 * time.Second

// Watch shows a status beside the count, on a terminal also between two steps, which may take
// minutes.
func (m *Meter) Watch(status func(elapsed time.Duration) string) {
	m.status = status
	if m.bar == nil {
		return
	}
	tick, done := time.NewTicker(linePause/4), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				m.bar.Describe(m.unit + ", " + status(time.Since(m.start)))
			case <-done:
				return
			}
		}
	}()
	m.stop = func() { tick.Stop(); close(done) }
}

// Add counts n more. Errors of drawing are nobody's loss.
func (m *Meter) Add(n int64) {
	done := m.done.Add(n)
	if m.bar != nil {
		_ = m.bar.Add64(n)
		return
	}
	m.reach(done)
}

// Reach says that done are done, of total: what was there before the work began counts.
func (m *Meter) Reach(done, total int) {
	m.total = int64(total)
	m.done.Store(int64(done))
	if m.bar != nil {
		_ = m.bar.Set(done)
		return
	}
	m.reach(int64(done))
}

// reach prints a line now and then.
func (m *Meter) reach(done int64) {
	last, now := m.printed.Load(), int64(time.Since(m.start))
	if now-last >= int64(linePause) && m.printed.CompareAndSwap(last, now) {
		m.print(done, time.Duration(now))
	}
}

func (m *Meter) Done() {
	if m.stop != nil {
		m.stop()
	}
	if m.bar != nil {
		_ = m.bar.Finish()
		return
	}
	m.print(m.done.Load(), time.Since(m.start))
}

func (m *Meter) print(done int64, elapsed time.Duration) {
	rate := int64(float64(done) / max(elapsed.Seconds(), 1e-3))
	left := int64(-1)
	if m.total >= 0 && rate > 0 {
		left = max(0, m.total-done) / rate
	}
	object := map[string]any{
		"stage": m.stage, "phase": m.phase, "unit": m.unit, "done": done, "total": m.total, "per_second": rate, "seconds_left": left,
	}
	text := m.what() + Thousands(done)
	if m.total >= 0 {
		text += " of " + Thousands(m.total)
	}
	text += " " + m.unit
	if m.status != nil {
		status := m.status(elapsed)
		object["status"] = status
		text += ", " + status
	}
	text += ", " + Thousands(rate) + "/s"
	if left > 0 {
		text += fmt.Sprintf(", %s left", time.Duration(left)*time.Second)
	}
	m.p.Say(object, text)
}
