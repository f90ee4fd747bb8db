package maze

import (
	"bytes"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas/fault"
)

var shortWalk = []WalkStep{
	{Act0, "A dark hall.\nExits: north"},
	{"north", "A note reads:\n==>STEP NUM: 7\nand no more."},
	{"take lamp", ""},
}

const shortText = `===========
==>STEP NUM: 0
==>ACT: Init
==>OBSERVATION: A dark hall.
Exits: north

===========
==>STEP NUM: 1
==>ACT: north
==>OBSERVATION: A note reads:
==>STEP NUM: 7
and no more.

===========
==>STEP NUM: 2
==>ACT: take lamp
==>OBSERVATION: ` + `

===========
`

func TestAWalkthroughIsWrittenAsPublishedAndReadBack(t *testing.T) {
	if got := string(NewWalkthrough(shortWalk).Text); got != shortText {
		t.Fatalf("got\n%s\nwant\n%s", got, shortText)
	}
	w, err := ParseWalkthrough([]byte(shortText))
	if err != nil || w.Last() != 2 {
		t.Fatalf("%+v, %v", w, err)
	}
	for i, want := range shortWalk {
		if w.Steps[i] != want {
			t.Errorf("step %d: got %+v, want %+v", i, w.Steps[i], want)
		}
	}
}

func TestABadWalkthroughIsRefusedByItsStep(t *testing.T) {
	for name, c := range map[string]struct{ old, by, want string }{
		"no separator":  {"===========\n==>STEP NUM: 0", "==>STEP NUM: 0", "step 0: no separator at the start"},
		"no step 0":     {"STEP NUM: 0", "STEP NUM: 1", "step 0 is missing, the first is 1"},
		"a gap":         {"STEP NUM: 2", "STEP NUM: 3", "step 2 is missing before step 3"},
		"a step twice":  {"STEP NUM: 2", "STEP NUM: 1", "step 1 stands twice"},
		"no step":       {shortText, "===========\nnothing\n", "step 0 is missing"},
		"invalid UTF-8": {"dark", "\xff", "not UTF-8"},
		"empty":         {shortText, "", "no separator"},
	} {
		_, err := ParseWalkthrough([]byte(strings.Replace(shortText, c.old, c.by, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) || fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func FuzzWalkthrough(f *testing.F) {
	f.Add([]byte(shortText))
	f.Add([]byte("===========\r\n==>STEP NUM: 0\r\n==>ACT: Init\r\n==>OBSERVATION:\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := ParseWalkthrough(data)
		if err != nil {
			return
		}
		if len(w.Steps) == 0 || !bytes.Equal(w.Text, data) {
			t.Errorf("%d steps of %q", len(w.Steps), data)
		}
	})
}
