package mcp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

// Lines that are no messages are answered each, and what comes after them is answered, too.
func TestALineThatIsNoMessageEndsNothing(t *testing.T) {
	const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":` +
		`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	const last = `{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"list_instances","arguments":{}}}`
	for bad, code := range map[string]string{
		"hello": "-32700", `{"jsonrpc":"2.0","id":2,`: "-32700", "\x00\xff": "-32700", "{}{}": "-32700", `{"a":"` + strings.Repeat("x", maxFrame) + `"}`: "-32700",
		`{"foo":1}`: "-32600", "5": "-32600", "null": "-32600", `""`: "-32600", "[]": "-32600", `{"jsonrpc":"1.0","id":3,"method":"ping"}`: "-32600",
		`[{"jsonrpc":"2.0","id":4,"method":"ping"}]`: "-32600", `{"jsonrpc":"2.0","id":{},"method":"ping"}`: "-32600",
		`{"jsonrpc":"2.0","id":99,"result":{}}`: "", "": "", `{"jsonrpc":"2.0","method":"none"}`: "",
	} {
		var out bytes.Buffer
		in := strings.NewReader(bad + "\n" + begin + bad + "\r\n" + bad + "\n" + last)
		err := Serve(t.Context(), Config{Host: host(gametest.G9(), nil)}, in, &out)
		if n := strings.Count(out.String(), `"error":{"code":`+code); err != nil || !strings.Contains(out.String(), `"id":"last","result"`) || code != "" && n != 3 {
			t.Errorf("%.60q: %v, %d errors of code %s, want 3, in %.900s", bad, err, n, code, out.String())
		}
	}
}
