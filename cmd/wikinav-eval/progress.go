package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Kinds of progress. auto is a bar on a terminal and nothing elsewhere.
const (
	progressAuto  = "auto"
	progressPlain = "plain"
	progressJSON  = "json"
	progressNone  = "none"
)

func checkProgress(kind string) error {
	switch kind {
	case progressAuto, progressPlain, progressJSON, progressNone:
		return nil
	}
	return fault.New(fault.Usage, "--progress %s: want auto, plain, json or none", fault.Quote(kind))
}

// meter shows how many games were played.
type meter struct {
	out    io.Writer
	kind   string
	bar    *progressbar.ProgressBar // nil unless a bar is drawn
	start  time.Time
	last   time.Time                          // when the last line was printed
	status func(elapsed time.Duration) string // what stands beside the number of games; nil: nothing
	stop   func()                             // of the clock that draws the status
}

func newMeter(out io.Writer, kind string, total int) *meter {
	m := &meter{out: out, kind: kind, start: time.Now(), last: time.Now()}
	if f, ok := out.(*os.File); ok && kind == progressAuto && term.IsTerminal(int(f.Fd())) {
		m.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(out), progressbar.OptionSetDescription("games"),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionShowCount(), progressbar.OptionSetWidth(24),
			progressbar.OptionShowIts(), progressbar.OptionSetItsString("games"), progressbar.OptionClearOnFinish())
	}
	return m
}

// pause is the time between two lines.
const pause = 2 * time.Second

// watch shows a status beside the number of games, on a terminal also between two games, which may take minutes.
func (m *meter) watch(status func(time.Duration) string) {
	m.status = status
	if m.bar == nil {
		return
	}
	tick, done := time.NewTicker(pause/4), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				m.bar.Describe("games, " + status(time.Since(m.start)))
			case <-done:
				return
			}
		}
	}()
	m.stop = func() { tick.Stop(); close(done) }
}

// beside gives the status with a comma before it.
func (m *meter) beside() string {
	if m.status == nil {
		return ""
	}
	return ", " + m.status(time.Since(m.start))
}

func (m *meter) show(done, total int) {
	switch {
	case m.bar != nil:
		_ = m.bar.Set(done) // an error of drawing is nobody's loss
	case done < total && time.Since(m.last) < pause:
	case m.kind == progressPlain:
		fmt.Fprintf(m.out, "%d of %d games%s, %.0f s\n", done, total, m.beside(), time.Since(m.start).Seconds())
		m.last = time.Now()
	case m.kind == progressJSON:
		line := map[string]any{"done": done, "total": total, "unit": "games"}
		if m.status != nil {
			line["status"] = m.status(time.Since(m.start))
		}
		fmt.Fprintf(m.out, "%s\n", canon.MustMarshal(line))
		m.last = time.Now()
	}
}

func (m *meter) finish() {
	if m.stop != nil {
		m.stop()
	}
	if m.bar != nil {
		_ = m.bar.Finish()
	}
}
