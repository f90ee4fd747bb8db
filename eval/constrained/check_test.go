package constrained

import (
	"errors"
	"testing"

	"github.com/wikinav/wikinav/eval/constrained/bantest"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func TestAnInstanceOfOtherLabelsGraphOrPagesIsRefused(t *testing.T) {
	w := gametest.K7()
	honest := bantest.Banned(w, "cw-0001", 0, 5, "Work")
	honest.GraphSHA256, honest.LabelsSHA256 = "g", "l"
	for name, c := range map[string]struct {
		change func(*schemas.ConstrainedInstance)
		labels string
		kind   error
	}{
		"nothing":                {func(*schemas.ConstrainedInstance) {}, "l", nil},
		"labels of nobody known": {func(*schemas.ConstrainedInstance) {}, "", nil},
		"graph":                  {func(i *schemas.ConstrainedInstance) { i.GraphSHA256 = "x" }, "l", fault.Mismatch},
		"labels":                 {func(i *schemas.ConstrainedInstance) { i.LabelsSHA256 = "x" }, "l", fault.Mismatch},
		"labels of others":       {func(i *schemas.ConstrainedInstance) { i.LabelsSHA256 = "x" }, "", fault.Mismatch},
		"page":                   {func(i *schemas.ConstrainedInstance) { i.Target.PageID++ }, "l", fault.Mismatch},
		"node":                   {func(i *schemas.ConstrainedInstance) { i.Source.Node = 99 }, "l", fault.Mismatch},
		"id":                     {func(i *schemas.ConstrainedInstance) { i.ID = "cw-0001" }, "l", fault.Malformed},
		"category":               {func(i *schemas.ConstrainedInstance) { i.BannedCategory = "Name" }, "l", fault.Malformed},
	} {
		other := honest
		other.ID = "cw-0002"
		c.change(&other)
		err := published{instances: []schemas.ConstrainedInstance{honest, other}}.check(w, "g", c.labels)
		if !errors.Is(err, c.kind) || (err == nil) != (c.kind == nil) {
			t.Errorf("%s: %v, want %v", name, err, c.kind)
		}
	}
}
