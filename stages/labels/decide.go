package labels

import (
	"math/bits"

	"github.com/wikinav/wikinav/schemas"
)

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

// decide goes through the claims of each node.
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
