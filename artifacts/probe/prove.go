package probe

import (
	"github.com/wikinav/wikinav/artifacts/plain"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Level 3: class, distance, answer and mutual of every pair, anew.
//
// Result:    the table of classes of the wikirace specification, 7.
// Encoding:  package plain.
// Reference: the links of both pages, and a breadth-first search from the source.

// Prove holds questions to a search that has nothing of the stage's in it.
func (part) Prove(c *release.Check) {
	list := release.RecordsOf[schemas.ProbeInstance](c, linesFile, schemas.ProbeInstanceSchema)
	web := plain.Of(c.Graph().Succ)
	ids := c.IDs(len(list), func(i int) string { return list[i].ID },
		func(i int) string { return "pr-" + list[i].Class + "-" })
	release.ProveEach(c, linesFile, list, "class, distance and answer", func(l release.Line, q *schemas.ProbeInstance) {
		s, t := q.Source.Node, q.Target.Node
		want := *q
		want.Distance = plain.Told(web.Distance(s, t, plain.Open))
		want.Gold = schemas.GoldNo
		if web.Links(s, t) {
			want.Gold = schemas.GoldYes
		}
		want.Mutual = web.Links(s, t) && web.Links(t, s)
		want.Class = classOf(want.Distance, web.Links(t, s))
		plain.Differ(want, q, func(field string, want, got any) { l.Bad(field, want, got) })
		if !ids[q.ID] {
			l.Bad("id", "a number of its class", q.ID)
		}
	})
}

// classOf names the class that a pair is of; "" where it is of none.
func classOf(distance int, back bool) string {
	switch {
	case distance == 1:
		return schemas.ProbeConnected
	case back && distance != int(schemas.Unreached):
		return schemas.ProbeReversed
	}
	return map[int]string{2: schemas.ProbeD2, 3: schemas.ProbeD3, 4: schemas.ProbeD4}[distance]
}
