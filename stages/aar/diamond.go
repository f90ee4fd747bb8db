package aar

import (
	"slices"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// diamond is a kind of diamonds: the templates of its branches, and its weight, per mille, in the
// profile aar-2026, where the share of kinds that only a provider answers goes to ours.
type diamond struct {
	name   string
	a, b   string
	weight int
}

var diamonds = []diamond{
	{"elevation_poi", "geocode_elevation", "nearby_poi_count", 810},
	{"country_pop_area", "country_population", "country_area", 20},
	{"elevation_distance", "geocode_elevation", "geocode_distance", 57},
	{"distance_poi", "geocode_distance", "nearby_poi_count", 57},
	{"poi_pair", "nearby_poi_count", "nearby_poi_count", 56},
}

// providedDiamonds are the kinds that a cassette adds. Where the first is supported, none of ours
// is drawn in the profile aar-2026.
var providedDiamonds = []diamond{
	{"elevation_rating", "geocode_elevation", "place_rating", 180},
	{"weather_precip", "geocode_weather_historical", "geocode_weather_precipitation", 0},
}

// ownDiamonds are the kinds that no released leg has.
var ownDiamonds = []string{"elevation_distance", "distance_poi", "poi_pair"}

// branches are the two branches of a diamond and its merge.
type branches struct {
	diamond
	a, b, merge *stop
}

// insertDiamonds inserts the diamonds of a leg after page stops in an order that is drawn. They
// come directly after their source, before what follows it.
func (a *attempt) insertDiamonds() error {
	var sources []*stop
	for _, s := range a.stops[:max(0, len(a.stops)-1)] { // with the finish, neither of the last two
		if s.kind == schemas.AARPage {
			sources = append(sources, s)
		}
	}
	rng.Shuffled(a.r, sources)
	left := a.counts.diamonds
	for _, source := range sources {
		if left == 0 {
			return nil
		}
		if d, ok := a.diamond(source); ok {
			at := slices.Index(a.stops, source) + 1
			a.stops = slices.Insert(a.stops, at, d.a, d.b, d.merge)
			left--
		}
	}
	if left > 0 {
		return noNeeds
	}
	return nil
}

// diamond draws a diamond of a source; false for one that supports none.
func (a *attempt) diamond(source *stop) (branches, bool) {
	var list []branches
	var weights []int
	ran := map[string][]result{}
	kinds := diamonds
	if a.tools.Cassette != nil {
		kinds = slices.Concat(diamonds, providedDiamonds)
	}
	for _, k := range kinds {
		if !a.strict() && k.weight == 0 {
			continue
		}
		for _, template := range []string{k.a, k.b} {
			if _, done := ran[template]; !done {
				ran[template] = a.run(template, source, aar.DiamondDay(k.name), false)
			}
		}
		first, second := ran[k.a], ran[k.b]
		if k.a == k.b && len(first) < 2 || len(first) == 0 || len(second) == 0 {
			continue
		}
		d := branches{diamond: k}
		if k.a == k.b {
			two := a.r.Choose(len(first), 2)
			d.a, d.b = toolStop(source, first[two[0]]), toolStop(source, first[two[1]])
		} else {
			d.a, d.b = toolStop(source, first[a.r.Below(len(first))]), toolStop(source,
				second[a.r.Below(len(second))])
		}
		if d.merge = a.merge(source, d); d.merge == nil || a.rebinds(source, d) {
			continue
		}
		weight := 1
		if !a.strict() {
			weight = k.weight
		}
		list, weights = append(list, d), append(weights, weight)
	}
	if len(list) == 0 {
		return branches{}, false
	}
	if last := len(list) - 1; !a.strict() && list[last].name == providedDiamonds[0].name {
		for i, d := range list {
			if slices.Contains(ownDiamonds, d.name) {
				weights[i] = 0
			}
		}
	}
	return list[weighted(a.r, weights)], true
}

// merge makes the merge of two branches, nil where there is nothing to merge.
func (a *attempt) merge(source *stop, d branches) *stop {
	op := []string{aar.MergeAdd, aar.MergeAbsDiff}[a.r.Below(2)]
	if n, err := aar.Merge(aar.MergeAbsDiff, d.a.value, d.b.value); err == nil && n == 0 {
		op = aar.MergeAdd
	}
	c := aar.Computation{Kind: op, Values: []string{string(d.a.value), string(d.b.value)}}
	chain := aar.MergeChain(c)
	v, err := a.tools.Run(a.ctx, chain)
	if n, errN := aar.Operand(v); err != nil || errN != nil || n == 0 || a.told(v) {
		return nil
	}
	return &stop{
		kind: schemas.AARTool, page: source.page, needs: []*stop{d.a, d.b}, value: v, typ: "number",
		option: option{template: d.name, chain: chain, args: []*stop{d.a, d.b}, merge: &c},
	}
}

// rebinds reports whether a conversion after a source would convert a branch in place of what it
// converts.
func (a *attempt) rebinds(source *stop, d branches) bool {
	at := slices.Index(a.stops, source)
	with := slices.Insert(slices.Clone(a.stops), at+1, d.a, d.b, d.merge)
	for i, s := range with {
		if s.kind == schemas.AARTool && s.template == "math_conversion" &&
			convertible(with[:i]) != s.args[0] {
			return true
		}
	}
	return false
}
