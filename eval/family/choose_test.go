package family_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas/fault"
)

type splits struct {
	family.Set
	list []family.Split
}

func (s splits) Splits() []family.Split { return s.list }

func TestSplitsAreChosenByNameAndByThePartBeforeTheSlash(t *testing.T) {
	set := splits{list: []family.Split{{Name: "a/test"}, {Name: "a/dev"}, {Name: "a/none", Closed: true}, {Name: "ab/test"}, {Name: "c"}}}
	for given, want := range map[string]string{
		"": "a/test a/dev ab/test c", "a": "a/test a/dev", "c,a/dev": "a/dev c", "a/none": "a/none", "a,a/none": "a/test a/dev a/none", "ab": "ab/test",
	} {
		var names []string
		if given != "" {
			names = strings.Split(given, ",")
		}
		chosen, err := family.Choose(set, names)
		var got []string
		for _, s := range chosen {
			got = append(got, s.Name)
		}
		if err != nil || !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: got %v, %v; want %s", given, got, err, want)
		}
	}
	if _, err := family.Choose(set, []string{"a", "d"}); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "choose from a, a/test, a/dev, a/none, ab, ab/test, c") {
		t.Errorf("got %v", err)
	}
}
