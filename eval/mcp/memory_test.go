package mcp

import (
	"runtime"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

// maxSession is what a session may take that has played nothing, in bytes.
const maxSession = 32 << 10

func TestASessionIsLight(t *testing.T) {
	s := serving(t, host(gametest.G9(), nil), DefaultLimits())
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	s.post("/mcp", hello)
	before := heap()
	const n = 300
	for range n {
		s.post("/mcp", hello)
	}
	if took := (heap() - before) / n; took > maxSession {
		t.Errorf("a session takes %d bytes, at most %d are meant", took, maxSession)
	} else {
		t.Logf("a session takes %d bytes", took)
	}
}
