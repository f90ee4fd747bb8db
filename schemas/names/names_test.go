package names_test

import (
	"slices"
	"testing"

	"github.com/wikinav/wikinav/schemas/names"
)

// TestAReadingIsAsAnEdgeListReadsIt: whatever a list of edges makes of a name is among its readings.
func TestAReadingIsAsAnEdgeListReadsIt(t *testing.T) {
	for _, c := range []struct {
		name string
		want []string
	}{
		{"Star_Fox__Assault", []string{"Star Fox: Assault", "Star Fox Assault"}},
		{"A___B__", []string{"A: B:", "A B"}},
		{"S%C3%A3o_Paulo", []string{"S\u00e3o Paulo"}},
		{"Sa\u0303o__Paulo", []string{"S\u00e3o: Paulo", "S\u00e3o Paulo"}},
		{"50%_of%41", []string{"50% ofA"}},
		{"__", []string{":"}},
		{"_", nil},
		{"", nil},
		{"%FF", nil},
	} {
		got := names.Readings(c.name)
		title, err := names.Title(c.name)
		if !slices.Equal(got, c.want) || err == nil && !slices.Contains(got, title) {
			t.Errorf("%q: got %q, want %q; of an edge list %q, %v", c.name, got, c.want, title, err)
		}
	}
}
