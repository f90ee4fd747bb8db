package constrained

import (
	"slices"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// webOf makes a graph of pages a, b, c, ... from "ab bc": links from a to b and from b to c.
func webOf(links string) *graph.Graph {
	var rows [6][]uint32
	for _, l := range strings.Fields(links) {
		rows[l[0]-'a'] = append(rows[l[0]-'a'], uint32(l[1]-'a'))
	}
	csr := graph.CSR{Offsets: []int32{0}}
	var titles []string
	var ids []uint32
	for u, row := range rows {
		slices.Sort(row)
		csr.Values = append(csr.Values, row...)
		csr.Offsets = append(csr.Offsets, int32(len(csr.Values)))
		titles, ids = append(titles, string(rune('a'+u))), append(ids, uint32(u+1))
	}
	return &graph.Graph{PageIDs: ids, Titles: arrowio.MakeStrings(titles), Succ: csr, Pred: graph.Transpose(csr)}
}

func TestABanIsHeldToLaterLinksAndLabels(t *testing.T) {
	t.Parallel()
	bit, _ := schemas.LabelBit("Place")
	place := uint32(1) << bit
	// From a to f: by b, a place, or by c and d.
	before, then := webOf("ab bf ac cd df fa"), []uint32{0, place, 0, 0, 0, 0}
	instance := schemas.ConstrainedInstance{
		Source: schemas.PageRef{Node: 0}, Target: schemas.PageRef{Node: 5},
		BannedCategory: "Place", UnlabelledRule: schemas.UnlabelledAllow,
		BaselinePath: []uint32{0, 1, 5}, ConstrainedPath: []uint32{0, 2, 3, 5}, BaselineLength: 2, ConstrainedLength: 3,
		BanWitness: &schemas.BanWitness{PageRef: schemas.PageRef{Node: 1}},
	}
	pathless := instance
	pathless.BaselinePath, pathless.ConstrainedPath, pathless.ConstrainedLength = nil, nil, 0
	for _, c := range []struct {
		name, links, state string
		now                []uint32
		x                  schemas.ConstrainedInstance
		gone               bool
	}{
		{"as before", "ab bf ac cd df fa", "", then, instance, false},
		{"labels of a page on no path", "ab bf ac cd df fa", "", []uint32{0, place, 0, 0, place, 0}, instance, false},
		{"the banned page has no label now", "ab bf ac cd df fa", labelChanged, make([]uint32, 6), instance, false},
		{
			"a page of the allowed path has it", "ab bf ac cd df fa", labelChanged,
			[]uint32{0, place, 0, place, 0, 0},
			instance, false,
		},
		{"no path is left", "ab bf ac cd fa", feasibilityChanged, then, instance, false},
		{"the detour is longer", "ab bf ac cd de ef fa", lengthChanged, then, instance, false},
		{"the detour is shorter", "ab bf ac cd df cf fa", lengthChanged, then, instance, false},
		{"another detour, the banned page gone", "ac cd df fa", "", []uint32{0, 0, 0, 0, 0, 0}, instance, true},
		{"still no path", "ab bf ac cd fa", "", then, pathless, false},
		{"a path now", "ab bf ac cd df fa", feasibilityChanged, then, pathless, false},
	} {
		after := webOf(c.links)
		l := &later{
			before: before, after: after, then: then, now: c.now,
			to: []uint32{0, 1, 2, 3, 4, 5}, kit: bans.NewKit(after, c.now),
		}
		if c.gone {
			l.to[1] = release.Gone
		}
		if state, detail := l.test(&c.x); state != c.state || (state == "") != (detail == "") {
			t.Errorf("%s: %q, %q, want %q", c.name, state, detail, c.state)
		}
	}
}
