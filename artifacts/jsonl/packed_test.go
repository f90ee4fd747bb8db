package jsonl_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/jsonl"
	"github.com/wikinav/wikinav/artifacts/jsonl/jsonltest"
)

func TestPackedLinesAreReadByTheirName(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(`{"a":1}`+"\n", 1000)
	for _, name := range []string{"a.jsonl", "a.jsonl.gz"} {
		packed := jsonltest.Pack(name, []byte(text))
		if got, err := jsonl.Unpacked(packed, name); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes, %v; want the %d of the text", name, len(got), err, len(text))
		}
	}
	packed := jsonltest.Pack("a.gz", []byte(text))
	flipped := bytes.Clone(packed)
	flipped[len(flipped)-6] ^= 1 // of the checksum
	for what, data := range map[string][]byte{
		"no gzip": []byte(text), "cut": packed[:len(packed)-9], "flipped": flipped,
		"more behind": append(bytes.Clone(packed), "more"...), "nothing": nil,
	} {
		if _, err := jsonl.Unpacked(data, "a.jsonl.gz"); err == nil {
			t.Errorf("%s: it is read", what)
		}
	}
}

// TestAPackedFileCannotClaimAnySize: a file of a stranger that unpacks to a thousand times its size
// is refused, after what small files may unpack to.
func TestAPackedFileCannotClaimAnySize(t *testing.T) {
	t.Parallel()
	bomb := jsonltest.Pack("a.gz", bytes.Repeat([]byte("\n"), 160<<20))
	got, err := jsonl.Unpacked(bomb, "a.jsonl.gz")
	if err == nil || !strings.Contains(err.Error(), "times its size") || len(got) > 100<<20 {
		t.Errorf("%d bytes from %d, %v; want a refusal at 64 MiB and 128 times the size", len(got), len(bomb), err)
	}
}
