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
	Heard func(Advance) // hears of it as well, whatever the kind; nil for nobody

	out  io.Writer
	kind string
	mu   sync.Mutex
}

// Advance is how far one phase has come.
type Advance struct {
	Stage       string `json:"stage"`
	Phase       string `json:"phase"`
	Unit        string `json:"unit"`
	Done        int64  `json:"done"`
	Total       int64  `json:"total"` // -1 if unknown
	PerSecond   int64  `json:"per_second"`
	SecondsLeft int64  `json:"seconds_left"` // -1 if unknown
	Status      string `json:"status,omitempty"`
}

// String returns it for people, without the name of the stage; a phase that is called like its unit
// needs no words of its own.
func (a Advance) String() string {
	text := ""
	if a.Phase != a.Unit {
		text = a.Phase + " "
	}
	text += Thousands(a.Done)
	if a.Total >= 0 {
		text += " of " + Thousands(a.Total)
	}
	text += " " + a.Unit
	if a.Status != "" {
		text += ", " + a.Status
	}
	text += ", " + Thousands(a.PerSecond) + "/s"
	if a.SecondsLeft > 0 {
		text += fmt.Sprintf(", %s left", time.Duration(a.SecondsLeft)*time.Second)
	}
	return text
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
		m.bar = newBar(p.out, stage, phase, unit, total)
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

func newBar(out io.Writer, stage, phase, unit string, total int64) *progressbar.ProgressBar {
	what := unit
	if phase != unit {
		what = stage + ": " + phase + " "
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

// Watch shows a status next to the count, on a terminal also between two steps, which may take
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
	}
	m.reach(done)
}

// Reach says that done are done, of total: what was there before the work began counts.
func (m *Meter) Reach(done, total int) {
	m.total = int64(total)
	m.done.Store(int64(done))
	if m.bar != nil {
		_ = m.bar.Set(done)
	}
	m.reach(int64(done))
}

// reach tells of it now and then.
func (m *Meter) reach(done int64) {
	last, now := m.printed.Load(), int64(time.Since(m.start))
	if now-last >= int64(linePause) && m.printed.CompareAndSwap(last, now) {
		m.tell(done, time.Duration(now))
	}
}

func (m *Meter) Done() {
	if m.stop != nil {
		m.stop()
	}
	if m.bar != nil {
		_ = m.bar.Finish()
	}
	m.tell(m.done.Load(), time.Since(m.start))
}

// tell tells how far it is, but for people who see the bar.
func (m *Meter) tell(done int64, elapsed time.Duration) {
	a := m.advance(done, elapsed)
	if m.p.Heard != nil {
		m.p.Heard(a)
	}
	switch {
	case m.bar != nil:
	case m.phase == m.unit:
		m.p.Say(a, a.String())
	default:
		m.p.Say(a, m.stage+": "+a.String())
	}
}

func (m *Meter) advance(done int64, elapsed time.Duration) Advance {
	a := Advance{Stage: m.stage, Phase: m.phase, Unit: m.unit, Done: done, Total: m.total, SecondsLeft: -1}
	a.PerSecond = int64(float64(done) / max(elapsed.Seconds(), 1e-3))
	if m.total >= 0 && a.PerSecond > 0 {
		a.SecondsLeft = max(0, m.total-done) / a.PerSecond
	}
	if m.status != nil {
		a.Status = m.status(elapsed)
	}
	return a
}
