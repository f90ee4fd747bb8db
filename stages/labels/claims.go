package labels

import (
	"cmp"
	"slices"

	"github.com/wikinav/wikinav/dumps/dbpedia"
	"github.com/wikinav/wikinav/schemas"
)

// rank numbers the sources, best first: an index in schemas.LabelSources.
type rank uint8

const (
	manual rank = iota
	ofDBpedia
	ofRedirect
	ofEntities
	ofInfobox
	none
)

// claim is what a source says of a node.
type claim struct {
	node  uint32
	class uint32 // index in claims.classes
	rank  rank
}

// class is a class that sources name; a label given by hand is a class without a name.
type class struct {
	name       string
	bit        uint8 // schemas.NoLabel for none
	depth      int
	known      bool // to table or ontology
	statements int64
}

// claims gathers what all sources say.
type claims struct {
	levels  dbpedia.Classes
	classes []class
	byName  map[string]uint32
	byLabel map[string]uint32
	list    []claim
}

func newClaims(levels dbpedia.Classes) *claims {
	return &claims{levels: levels, byName: map[string]uint32{}, byLabel: map[string]uint32{}}
}

// add notes that a source gives a node a class.
func (c *claims) add(node uint32, r rank, name string) {
	c.list = append(c.list, claim{node, c.class(name), r})
}

// addLabel notes that a source gives a node a label.
func (c *claims) addLabel(node uint32, r rank, label string) {
	i, ok := c.byLabel[label]
	if !ok {
		bit, _ := schemas.LabelBit(label)
		i = c.number(class{bit: bit, known: true})
		c.byLabel[label] = i
	}
	c.list = append(c.list, claim{node, i, r})
}

// class gives the number of a class, whose level is looked up once.
func (c *claims) class(name string) uint32 {
	i, ok := c.byName[name]
	if !ok {
		level, known := c.levels.Level(name)
		bit, labelled := schemas.LabelBit(level.Label)
		if !labelled {
			bit = schemas.NoLabel
		}
		i = c.number(class{name: name, bit: bit, depth: level.Depth, known: known})
		c.byName[name] = i
	}
	c.classes[i].statements++
	return i
}

func (c *claims) number(new class) uint32 {
	c.classes = append(c.classes, new)
	return uint32(len(c.classes) - 1)
}

// sort orders the claims by node and rank, and within one the most specific class first. Repeated ones go.
func (c *claims) sort() {
	slices.SortFunc(c.list, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.rank, b.rank), c.classes[a.class].compare(&c.classes[b.class]))
	})
	c.list = slices.Compact(c.list)
}

// compare puts classes with a label first, then the deeper one, the smaller bit, the smaller name.
func (c *class) compare(d *class) int {
	return cmp.Or(
		cmp.Compare(one(c.bit == schemas.NoLabel), one(d.bit == schemas.NoLabel)),
		cmp.Compare(d.depth, c.depth), cmp.Compare(c.bit, d.bit), cmp.Compare(c.name, d.name),
	)
}

func one(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
