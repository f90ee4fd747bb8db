package session

import (
	"encoding/json"
	"testing"

	"github.com/wikinav/wikinav/eval/links/game"
)

func TestOptionsThatTellDistancesNeedAnExposedOracle(t *testing.T) {
	for text, open := range map[string]bool{
		`{"oracle":"S","renderer":"chat"}`: true, `{"oracle":"D","renderer":"chat"}`: false, `{"oracle":"B","renderer":"chat"}`: false,
		`{"oracle":"SPH","plan":"path"}`: false, `{"oracle":"SH","budget":"2*d+5"}`: false, `{"oracle":"SH","budget":"fixed","plan":"1"}`: true,
	} {
		for _, exposed := range []bool{false, true} {
			w := Wikirace{Options: game.Defaults(), Exposed: exposed}
			opts, err := w.options(json.RawMessage(text))
			if (err == nil) != (open || exposed) {
				t.Errorf("%s, exposed %v: %v", text, exposed, err)
			}
			if err == nil && game.Canonical(opts) != opts {
				t.Errorf("%s: %+v is not canonical", text, opts)
			}
		}
	}
}
