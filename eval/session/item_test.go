package session_test

import (
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/session"
)

func TestAnItemHasItsIdWhateverElseIsKnownOfIt(t *testing.T) {
	for want, info := range map[string]any{
		`{"id":"q1"}`:              struct{}{},
		`{"id":"q1","pages":2}`:    map[string]int{"pages": 2},
		`{"id":"other","pages":2}`: map[string]any{"id": "other", "pages": 2},
	} {
		if got, err := session.Item(family.Task{ID: "q1", Info: info}); err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	if got, err := session.Item(family.Task{ID: "q1"}); err != nil || string(got) != `{"id":"q1"}` {
		t.Errorf("without Info: got %s, %v", got, err)
	}
}
