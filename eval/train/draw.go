package train

import (
	"context"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// Distances are the distances of pairs that are drawn, both included.
type Distances struct{ Least, Most int }

// drawer draws pairs of pages: as many at each distance as at the others, as far as there are.
//
// It takes the targets in an order drawn, and of each, at each distance, sources drawn without
// replacement: so a column of distances is asked for once a pass, and the next pass goes on where
// the last one stopped. What a distance cannot give the others do.
type drawer struct {
	chart  family.Chart
	ends   func(uint32) bool // pages that may be ends
	barred func(target uint32) bool
	stream func(parts ...string) *rng.Stream
	span   Distances
	want   map[int]int // by distance
	got    map[int]int
	tried  map[spot]int                      // sources that were drawn
	at     [schemas.MaxDistance + 1][]uint32 // scratch: pages by distance
}

// spot is the pages at a distance from a target.
type spot struct {
	target   uint32
	distance int
}

// draw calls use for each pair until n were used.
func (d *drawer) draw(ctx context.Context, n int, use use) error {
	targets := d.targets()
	d.got, d.want, d.tried = map[int]int{}, map[int]int{}, map[spot]int{}
	all := make([]int, 0, d.span.Most-d.span.Least+1)
	for distance := d.span.Least; distance <= d.span.Most; distance++ {
		all = append(all, distance)
	}
	each := max(1, n/max(1, len(all)*max(1, len(targets))))
	missing := n
	for missing > 0 && len(all) > 0 {
		for i, distance := range all {
			d.want[distance] = d.got[distance] + (missing+len(all)-1-i)/len(all)
		}
		open := map[int]bool{} // distances that have more to give
		for _, t := range targets {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := d.of(t, each, open, use); err != nil {
				return err
			}
			if d.done(all) {
				break
			}
		}
		missing = n
		for _, got := range d.got { // a sum
			missing -= got
		}
		all = slices.DeleteFunc(all, func(distance int) bool { return !open[distance] })
	}
	return nil
}

func (d *drawer) done(distances []int) bool {
	return !slices.ContainsFunc(distances, func(x int) bool { return d.got[x] < d.want[x] })
}

// targets lists the pages that may be targets in an order drawn.
func (d *drawer) targets() (list []uint32) {
	for u := range uint32(d.chart.Len()) {
		if d.ends(u) && !d.barred(u) {
			list = append(list, u)
		}
	}
	rng.Shuffled(d.stream("targets"), list)
	return list
}

// use is told of a pair and reports whether it was used.
type use func(source, target uint32, distance int) (bool, error)

// of draws some sources more of a target at each distance that wants any.
func (d *drawer) of(target uint32, each int, open map[int]bool, use use) error {
	column, err := d.chart.Column(target)
	if err != nil {
		return err
	}
	at := &d.at
	for n := range at {
		at[n] = at[n][:0]
	}
	for u, x := range column {
		if n := int(x); n >= d.span.Least && n <= d.span.Most && d.ends(uint32(u)) {
			at[n] = append(at[n], uint32(u))
		}
	}
	skip := false // what keeps one pair of a target from being used mostly keeps the others
	for distance := d.span.Least; distance <= d.span.Most; distance++ {
		place := spot{target, distance}
		upTo := min(len(at[distance]), d.tried[place]+each)
		refused := false
		if !skip {
			refused, err = d.some(place, at[distance], upTo, use)
		}
		if err != nil {
			return err
		}
		skip = skip || refused
		open[distance] = open[distance] || d.tried[place] < len(at[distance])
	}
	return nil
}

// some draws the sources of a place up to a number, as far as any are wanted and none is refused.
func (d *drawer) some(place spot, sources []uint32, upTo int, use use) (refused bool, err error) {
	if d.tried[place] >= upTo || d.got[place.distance] >= d.want[place.distance] {
		return false, nil
	}
	stream := d.stream("sources", rng.Part(d.chart.PageID(place.target)), rng.Part(place.distance))
	for _, i := range stream.Choose(len(sources), upTo)[d.tried[place]:] {
		if d.got[place.distance] >= d.want[place.distance] {
			return false, nil
		}
		d.tried[place]++
		used, err := use(sources[i], place.target, place.distance)
		if err != nil {
			from, to := d.chart.Title(sources[i]), d.chart.Title(place.target)
			return false, fmt.Errorf("from %s to %s: %w", from, to, err)
		}
		if !used {
			return true, nil
		}
		d.got[place.distance]++
	}
	return false, nil
}
