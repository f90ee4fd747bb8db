package probe

import (
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// backChanged is the state of a pair as far apart as before whose target links back now, or does
// not any more: that decides its class, and what it says of itself.
const backChanged = "back_link_changed"

func records() release.Records[schemas.ProbeInstance] {
	return release.Records[schemas.ProbeInstance]{
		Schema: schemas.ProbeInstanceSchema,
		ID:     func(x *schemas.ProbeInstance) *string { return &x.ID },
		Ends:   func(x *schemas.ProbeInstance) (source, target schemas.PageRef) { return x.Source, x.Target },
		Slot:   func(_ string, x *schemas.ProbeInstance) release.TallyKey { return slotOf(x) },
		Rename: func(x *schemas.ProbeInstance, to *release.Pages) error { return to.Name(&x.Source, &x.Target) },
		Again:  func(*schemas.ProbeInstance) error { return nil },
	}
}

// slotOf names the quota that a question counts for.
func slotOf(q *schemas.ProbeInstance) release.TallyKey {
	key := release.TallyKey{Of: q.Class, Distance: q.Distance}
	if q.Class == schemas.ProbeReversed {
		key.Distance = 0 // pairs at any distance
	}
	return key
}

// Renamed is documented at release.Carrier.
func (part) Renamed(line []byte, to *release.Pages) ([]byte, error) {
	return records().Renamed(line, to)
}

// Carry takes questions over.
func (part) Carry(c *release.Carrying) error {
	lists, quotas, err := release.Take(c, records())
	if err != nil {
		return err
	}
	for set, list := range lists { // one
		if err := release.WriteRecords(c, set, Table, list); err != nil {
			return err
		}
	}
	return c.Quotas(quotas)
}

// Retest is documented at release.Retester: whether the target links back is as it was.
func (part) Retest(old, now *release.Release, to []uint32) (
	func(*release.Asked) (state, detail string, err error), error,
) {
	before, err := old.Graph()
	if err != nil {
		return nil, err
	}
	after, err := now.Graph()
	if err != nil {
		return nil, err
	}
	links := func(g *graph.Graph, u, v uint32) bool {
		_, ok := slices.BinarySearch(g.Succ.Row(u), v)
		return ok
	}
	return func(a *release.Asked) (state, detail string, err error) {
		s, t := a.Source.Node, a.Target.Node
		then, since := links(before, t, s), links(after, to[t], to[s])
		if then == since {
			return "", "", nil
		}
		return backChanged, fmt.Sprintf("the target links back: %t -> %t", then, since), nil
	}, nil
}
