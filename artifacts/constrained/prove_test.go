package constrained

import (
	"fmt"
	"testing"

	"github.com/wikinav/wikinav/artifacts/graph/graphtest"
	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// The worked example of the constrained specification, 4.6: S A B C D T X are 0 to 6; B is Work, A Event, C and D are Place.
func TestTheProofFindsTheWorkedExample(t *testing.T) {
	const a, b, c, d, target = 1, 2, 3, 4, 5
	web := plain.Of(graphtest.Build(7, []graphtest.Edge{{0, a}, {a, b}, {a, c}, {b, target}, {c, d}, {d, target}, {target, 0}, {target, 6}, {6, b}}))
	for label, want := range map[string]string{
		"Work":  `[0,1,2,5] [0,1,3,4,5] longer [0,1] {"found":false,"iterations":2,"length":null} 0 4 [0,1] [1,2] [1,1]`,
		"Place": `[0,1,2,5] [0,1,2,5] none [1,1] {"found":true,"iterations":1,"length":3} 0 3 [0,1] [0,2] [1,1]`,
		"Event": `none`,
	} {
		p := &prover{
			web: web, masks: make([]uint32, 7), t: target,
			params: provenParams{BanMode: "fixed-set", Unlabelled: schemas.UnlabelledAllow},
			page:   func(u uint32) schemas.PageRef { return schemas.PageRef{Title: fmt.Sprint(u)} },
		}
		for page, label := range map[uint32]string{a: "Event", b: "Work", c: "Place", d: "Place"} {
			bit, _ := schemas.LabelBit(label)
			p.masks[page] = 1 << bit
		}
		p.bit, _ = schemas.LabelBit(label)
		x, got := schemas.ConstrainedInstance{}, "none"
		if p.fill(&x) {
			got = ""
			for _, v := range []any{x.BaselinePath, x.ConstrainedPath} {
				got += string(canon.MustMarshal(v)) + " "
			}
			got += x.Binding
			for _, v := range []any{x.BaselineClean, x.Compat, x.Unlabelled, x.IfForbidden, x.BannedShare, x.BannedOnShortest, x.FeasibleFirst} {
				got += " " + string(canon.MustMarshal(v))
			}
		}
		if got != want {
			t.Errorf("%s banned:\n got %s\nwant %s", label, got, want)
		}
	}
}
