package labels

import (
	"cmp"
	"math/bits"
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

// row is what is decided about a node.
type row struct {
	mask     uint32
	class    uint32 // index in claims.classes, noClass for none
	primary  uint8
	rank     rank
	conflict bool
	unknown  bool // a source names a class that nobody knows

	compared, agrees bool // infobox and DBpedia both name a label; their primary ones are the same
}

const noClass = ^uint32(0)

func (c *claims) decide(nodes int, union bool) []row {
	c.sort()
	rows := make([]row, nodes)
	for i := range rows {
		rows[i] = row{class: noClass, primary: schemas.NoLabel, rank: none}
	}
	for from := 0; from < len(c.list); {
		to := from
		for to < len(c.list) && c.list[to].node == c.list[from].node {
			to++
		}
		rows[c.list[from].node] = c.row(c.list[from:to], union)
		from = to
	}
	return rows
}

// row decides about one node, whose claims are in order of rank: its row is that of the best source with a label, or,
// where no source has any, of the best. An infobox does not count where DBpedia names a class that is known.
func (c *claims) row(list []claim, union bool) row {
	out := row{class: noClass, primary: schemas.NoLabel, rank: none}
	typed, first := false, schemas.NoLabel // what DBpedia says: a class that is known, its label
	for from := 0; from < len(list); {
		to := from
		for to < len(list) && list[to].rank == list[from].rank {
			to++
		}
		r := c.source(list[from:to])
		from = to
		switch r.rank {
		case ofDBpedia, ofRedirect:
			typed = typed || !r.unknown || r.mask != 0
			if first == schemas.NoLabel {
				first = r.primary
			}
		case ofInfobox:
			out.compared = first != schemas.NoLabel && r.mask != 0
			out.agrees = out.compared && first == r.primary
			if typed {
				continue
			}
		}
		out = out.with(r, union)
	}
	return out
}

// with takes the row of the next source.
func (out row) with(r row, union bool) row {
	switch {
	case out.rank == none || out.mask == 0 && r.mask != 0:
		r.unknown = r.unknown || out.unknown
		r.compared, r.agrees = out.compared, out.agrees
		return r
	case r.mask != 0:
		out.conflict = out.conflict || r.primary != out.primary
		if union {
			out.mask |= r.mask
		}
	}
	out.unknown = out.unknown || r.unknown
	return out
}

// source is what one source alone would decide. The most specific class is its first.
func (c *claims) source(list []claim) row {
	first := c.classes[list[0].class]
	r := row{class: list[0].class, primary: first.bit, rank: list[0].rank}
	for _, l := range list {
		class := &c.classes[l.class]
		r.unknown = r.unknown || !class.known
		if class.bit != schemas.NoLabel {
			r.mask |= 1 << class.bit
		}
	}
	return r
}

func (r row) labels() int { return bits.OnesCount32(r.mask) }
