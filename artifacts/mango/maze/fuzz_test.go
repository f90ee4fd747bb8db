package maze

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func FuzzPythonStringReadsBackAsItself(f *testing.F) {
	for _, s := range []string{"", "bedroom", "at \"y2\"", "C\\D\x7f", "\u2028\U0001f600caf\u00e9", "\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		text := AppendString(nil, s)
		for _, c := range text {
			if c < 0x20 || c > 0x7e {
				t.Fatalf("%q has byte %#x", text, c)
			}
		}
		var back string
		if err := json.Unmarshal(text, &back); err != nil || back != s {
			t.Errorf("%q came back as %q, %v", s, back, err)
		}
		if err := checkSurrogates(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

func FuzzEdgesThatAreAcceptedAreWrittenAndReadAgain(f *testing.F) {
	f.Add([]byte("[" + goodRow + "]"))
	f.Add([]byte("[" + oldRow + "]"))
	f.Add([]byte(`[{"src_node":"\ud83d\ude00"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, edges, err := DecodeEdges("x", data)
		if err != nil {
			return
		}
		format, again, err := DecodeEdges("x", AppendEdges(nil, edges))
		if err != nil || format != Shipped || len(again) != len(edges) {
			t.Fatalf("%s, %d of %d edges, %v", format, len(again), len(edges), err)
		}
		for i := range edges {
			if edges[i] != again[i] {
				t.Errorf("row %d: %+v, then %+v", i, edges[i], again[i])
			}
		}
	})
}
