package pairs

import (
	"context"
)

// results is what the quotas got: by split as configured, then by ascending distance, which is also the order of the
// slots.
type results [][]drawn

// drawAll fills the quotas of all splits, in drawing order.
func (d *drawer) drawAll(ctx context.Context) (results, error) {
	got := map[quota]drawn{}
	for _, q := range drawingOrder(d.Splits) {
		one, err := d.draw(ctx, q)
		if err != nil {
			return nil, err
		}
		got[q] = one
	}
	all := make(results, len(d.Splits))
	for i, s := range d.Splits {
		for _, q := range s.quotas() {
			all[i] = append(all[i], got[q])
		}
	}
	return all, nil
}

// drawn gives pairs and reports as a caller wants them.
func (r results) drawn() *Drawn {
	out := &Drawn{Shortage: []Report{}}
	for _, split := range r {
		pairs := []Pair{}
		for _, one := range split {
			out.Shortage = append(out.Shortage, one.report)
			for _, p := range one.pairs {
				pairs = append(pairs, Pair{p.source, p.target, one.distance})
			}
		}
		out.Pairs = append(out.Pairs, pairs)
	}
	return out
}
