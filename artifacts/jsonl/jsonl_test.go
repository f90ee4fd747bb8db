package jsonl

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

type record struct {
	Schema string   `json:"schema"`
	Node   uint32   `json:"node"`
	Path   []uint32 `json:"path"`
}

const schema = "test.record/1"

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	t.Parallel()
	want := "{\"node\":1,\"path\":[2,3],\"schema\":\"test.record/1\"}\n{\"node\":4,\"path\":[],\"schema\":\"test.record/1\"}\n"
	data := Encode([]record{{schema, 1, []uint32{2, 3}}, {schema, 4, []uint32{}}})
	if string(data) != want {
		t.Errorf("got  %swant %s", data, want)
	}
	list, err := Decode[record](data, "f", schema)
	if err != nil || !bytes.Equal(Encode(list), data) {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := Decode[record](nil, "f", schema); err != nil || list == nil || len(list) != 0 {
		t.Errorf("no lines: %v, %v", list, err)
	}
}

func TestABadLineIsNamed(t *testing.T) {
	t.Parallel()
	good := string(Encode([]record{{schema, 1, []uint32{2}}}))
	for name, line := range map[string]string{
		"no JSON":       "x\n",
		"empty line":    "\n",
		"no line end":   strings.TrimSuffix(good, "\n"),
		"carriage":      strings.TrimSuffix(good, "\n") + "\r\n",
		"space":         strings.Replace(good, ":", ": ", 1),
		"unknown field": strings.Replace(good, "{", `{"answer":1,`, 1),
		"missing field": strings.Replace(good, `"node":1,`, "", 1),
		"node 2^32":     strings.Replace(good, `"node":1`, `"node":4294967296`, 1),
		"version":       strings.Replace(good, schema, "test.record/9", 1),
	} {
		if line == good {
			t.Fatalf("%s changes nothing in %s", name, good)
		}
		_, err := Decode[record]([]byte(good+line), "easy.jsonl", schema)
		if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "easy.jsonl: line 2: ") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	list, bad := DecodeAll[record]([]byte(good+"x\n"+good+"y\n"), "f", "")
	if len(list) != 2 || len(bad) != 2 || !strings.Contains(bad[1].Error(), "line 4") {
		t.Errorf("%d good lines, bad ones %v", len(list), bad)
	}
}

func FuzzDecodeAcceptsItsOwnFormOnly(f *testing.F) {
	f.Add([]byte("{}\n"))
	f.Add(Encode([]record{{schema, 1, []uint32{2}}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if list, err := Decode[record](data, "f", ""); err == nil && !bytes.Equal(Encode(list), data) {
			t.Errorf("accepted another form: %q", data)
		}
	})
}
