package mcp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/internal/shape"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
)

// FuzzArguments feeds the arguments of click_link: whatever they are, they are a move or an error that names its kind.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `"x"`, `7`, `{`, `{"step":1,"choice":0}`, `{"step":1,"title":"A"}`, `{"step":1,"choice":null,"title":"A"}`,
		`{"step":1e0,"choice":0}`, `{"step":9007199254740993,"choice":0}`, `{"step":1,"choice":0,"choice":0}`, `{"Step":1,"choice":0}`,
		`{"step":1,"choice":[0]}`, `{"step":1,"title":{}}`, `{"step":true,"title":"\ud800"}`, "{\"step\":1,\"title\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	sample, err := host(gametest.G9(), nil).Try()
	if err != nil {
		f.Fatal(err)
	}
	s, err := shape.Parse(sample.Tools()[0].Schema)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var given map[string]json.RawMessage
		err := decode(json.RawMessage(data), s, &given)
		if err == nil {
			var step int
			if json.Unmarshal(given["step"], &step) != nil {
				t.Errorf("%q is a call without a step", data)
			}
		}
		var e *family.Refusal
		if err != nil && (!errors.As(err, &e) || e.Code == "" || e.Message == "" || strings.Contains(e.Message, "Go struct")) {
			t.Errorf("%q: %v", data, err)
		}
	})
}
