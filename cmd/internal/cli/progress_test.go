package cli

import (
	"strings"
	"testing"
	"time"
)

// What was drawn is hidden before anything else stands on its line.
func TestALineIsDrawnOverTheOneBefore(t *testing.T) {
	var out strings.Builder
	p := &Progress{out: &out, kind: drawn}
	m := p.Meter("scc", "reading", "pages", 4)
	m.draw(1, time.Second)
	p.draw("short")
	p.Say(nil, "said")
	m.Done()
	first := "scc: reading 1 of 4 pages, 1/s, 3s left"
	blanks := func(n int) string { return strings.Repeat(" ", n) }
	want := "\r\r" + first + "\r" + blanks(len(first)) + "\rshort\r" + blanks(5) + "\rsaid\n"
	if out.String() != want {
		t.Errorf("drawn %q, want %q", out.String(), want)
	}
}
