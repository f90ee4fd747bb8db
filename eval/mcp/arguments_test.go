package mcp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/session"
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
	s := schemaOf[click]()
	f.Fuzz(func(t *testing.T, data []byte) {
		var a click
		err := decode(json.RawMessage(data), s, &a)
		if err == nil {
			_, m, moveErr := a.move()
			if moveErr == nil && (m.Choice == nil) == (m.Title == nil) {
				t.Errorf("%q is the move %+v", data, m)
			}
			err = moveErr
		}
		var e *session.Error
		if err != nil && (!errors.As(err, &e) || e.Code == "" || e.Message == "" || strings.Contains(e.Message, "Go struct")) {
			t.Errorf("%q: %v", data, err)
		}
	})
}
