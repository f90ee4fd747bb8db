package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/wikinav/wikinav/schemas/canon"
)

// ProgressFlag is the flag of verbs that take their time. auto is a line that is drawn again and
// again on a terminal, and nothing elsewhere, but for the lines that a build has there.
type ProgressFlag struct {
	Progress string `flag:"progress" oneof:"auto plain json none" usage:"progress on standard error"`
}

// Progress tells how far work has come, in one of the kinds.
type Progress struct {
	Heard func(Advance) // hears of it as well, whatever the kind; nil for nobody

	out   io.Writer
	kind  string
	mu    sync.Mutex
	shown int // characters of the line that is drawn
}

// drawn is the kind of progress on a terminal.
const drawn = "drawn"

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

// IsTerminal reports whether what is written there is read by a person.
func IsTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// NewProgress tells it on out.
func NewProgress(out io.Writer, kind string) *Progress {
	if kind == "auto" {
		kind = "none"
		if IsTerminal(out) {
			kind = drawn
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
	p.over("")
	fmt.Fprintln(p.out, text)
}

// draw puts a text over the line that is drawn, as much of it as a line holds; "" for none.
func (p *Progress) draw(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over(text)
}

// over is draw for callers that hold the lock. Blanks hide what stood there, because not every
// terminal knows a sequence that does.
func (p *Progress) over(text string) {
	line := []rune(text)
	if f, ok := p.out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 && len(line) >= width {
			line = line[:width-1]
		}
	}
	if p.shown == 0 && len(line) == 0 {
		return
	}
	fmt.Fprintf(p.out, "\r%s\r%s", strings.Repeat(" ", p.shown), string(line))
	p.shown = len(line)
}

// Meter starts the progress of one phase of a stage or verb; total is -1 if unknown, unit a plural.
func (p *Progress) Meter(stage, phase, unit string, total int64) *Meter {
	m := &Meter{p: p, stage: stage, phase: phase, unit: unit, start: time.Now()}
	m.total.Store(total)
	return m
}

// Meter counts the work of one phase, by any number of goroutines.
type Meter struct {
	p                  *Progress
	stage, phase, unit string
	total              atomic.Int64
	start              time.Time
	done               atomic.Int64
	told, redrawn      atomic.Int64 // nanoseconds after start
	status             func(elapsed time.Duration) string
	stop               func() // of the clock that draws the status
}

// Times between two lines of one phase, and between two drawings of one.
const (
	linePause = 2 * time.Second
	drawPause = 100 * time.Millisecond
)

// Watch shows a status next to the count, on a terminal also between two steps, which may take
// minutes.
func (m *Meter) Watch(status func(elapsed time.Duration) string) {
	m.status = status
	if m.p.kind != drawn {
		return
	}
	tick, done := time.NewTicker(linePause/4), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				m.draw(m.done.Load(), time.Since(m.start))
			case <-done:
				return
			}
		}
	}()
	m.stop = func() { tick.Stop(); close(done) }
}

// Add counts n more.
func (m *Meter) Add(n int64) { m.reach(m.done.Add(n)) }

// Reach says that done are done, of total: what was there before the work began counts.
func (m *Meter) Reach(done, total int) {
	m.total.Store(int64(total))
	m.done.Store(int64(done))
	m.reach(int64(done))
}

// reach tells of it now and then.
func (m *Meter) reach(done int64) {
	elapsed := time.Since(m.start)
	if m.p.kind == drawn && due(&m.redrawn, elapsed, drawPause) {
		m.draw(done, elapsed)
	}
	if due(&m.told, elapsed, linePause) {
		m.tell(done, elapsed)
	}
}

// due reports whether a pause has passed since last, for one of those who ask at once.
func due(last *atomic.Int64, elapsed, pause time.Duration) bool {
	before := last.Load()
	return int64(elapsed)-before >= int64(pause) && last.CompareAndSwap(before, int64(elapsed))
}

func (m *Meter) Done() {
	if m.stop != nil {
		m.stop()
	}
	if m.p.kind == drawn {
		m.p.draw("")
	}
	m.tell(m.done.Load(), time.Since(m.start))
}

// tell tells how far it is, but for people who see it drawn.
func (m *Meter) tell(done int64, elapsed time.Duration) {
	a := m.advance(done, elapsed)
	if m.p.Heard != nil {
		m.p.Heard(a)
	}
	if m.p.kind != drawn {
		m.p.Say(a, m.line(a))
	}
}

func (m *Meter) draw(done int64, elapsed time.Duration) {
	m.p.draw(m.line(m.advance(done, elapsed)))
}

// line is an advance for people, with the name of the stage where its phase does not say enough.
func (m *Meter) line(a Advance) string {
	if m.phase == m.unit {
		return a.String()
	}
	return m.stage + ": " + a.String()
}

func (m *Meter) advance(done int64, elapsed time.Duration) Advance {
	a := Advance{Stage: m.stage, Phase: m.phase, Unit: m.unit, Done: done, Total: m.total.Load(), SecondsLeft: -1}
	a.PerSecond = int64(float64(done) / max(elapsed.Seconds(), 1e-3))
	if a.Total >= 0 && a.PerSecond > 0 {
		a.SecondsLeft = max(0, a.Total-done) / a.PerSecond
	}
	if m.status != nil {
		a.Status = m.status(elapsed)
	}
	return a
}
