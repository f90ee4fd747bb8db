package probe

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// class is a kind of pairs. Distance 0 stands for any but 1.
type class struct {
	name     string
	gold     string
	distance uint8
	back     backLink
}

// backLink is what a class says of a link from target to source.
type backLink int

const (
	backAny backLink = iota
	backNone
	backWanted
)

// classes in the order of schemas.ProbeClasses.
var classes = []class{
	{schemas.ProbeConnected, schemas.GoldYes, 1, backAny},
	{schemas.ProbeD2, schemas.GoldNo, 2, backNone},
	{schemas.ProbeD3, schemas.GoldNo, 3, backNone},
	{schemas.ProbeD4, schemas.GoldNo, 4, backNone},
	{schemas.ProbeReversed, schemas.GoldNo, 0, backWanted},
}

// holds tells whether a pair of different pages is of the class. The byte of the column comes first: it decides most.
func (c class) holds(succ graph.CSR, source uint32, t *pairs.Target) bool {
	d := t.Column[source]
	if c.distance > 0 && d != c.distance || c.distance == 0 && d == 1 || source == t.Node {
		return false
	}
	return c.back == backAny || linksTo(succ, t.Node, source) == (c.back == backWanted)
}

func linksTo(succ graph.CSR, from, to uint32) bool {
	_, found := slices.BinarySearch(succ.Row(from), to)
	return found
}
