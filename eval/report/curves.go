package report

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/order"
)

// Curve is the success rate against something that an instance has, over all splits of a run.
type Curve struct {
	Name   string `json:"name"`
	Groups []Bin  `json:"groups"`
}

// Bin is the instances with values from Low to High, and how each run fared on them, in the order of the runs.
type Bin struct {
	Low     string         `json:"low"`
	High    string         `json:"high"`
	Success []judge.Metric `json:"success"`
}

// value is a feature of an instance: a number as the record writes it, or a name.
type value struct {
	x      float64
	text   string
	number bool
}

// compare orders numbers before names.
func (v value) compare(w value) int {
	if v.number && w.number {
		return cmp.Compare(v.x, w.x)
	}
	return cmp.Or(judge.One(w.number)-judge.One(v.number), strings.Compare(v.text, w.text))
}

// byLength is success against the turns of an optimal player.
func byLength(list []series) Curve {
	c := Curve{Name: "length", Groups: []Bin{}}
	lengths := map[int]bool{}
	for _, s := range list {
		for _, x := range s.results {
			lengths[x.Length] = true
			if known, ok := difficulty(s.Set, x.Instance); ok {
				c.Name = known.Called
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(lengths)) {
		text := strconv.Itoa(n)
		if g := bin(list, text, text, func(x family.Result) bool { return x.Length == n }); g.played() {
			c.Groups = append(c.Groups, g)
		}
	}
	return c
}

// difficulty asks a set that may know nothing.
func difficulty(set family.Set, instance string) (family.Difficulty, bool) {
	d, ok := set.(family.Described)
	if !ok {
		return family.Difficulty{}, false
	}
	return d.Difficulty(instance)
}

// bin counts the items that in accepts by run, without those that failed by no fault of the player.
func bin(list []series, low, high string, in func(family.Result) bool) Bin {
	g := Bin{Low: low, High: high}
	for _, s := range list {
		won, n := 0, 0
		for _, x := range s.results {
			if x.Outcome == schemas.OutcomeInfra || !in(x) {
				continue
			}
			if n++; x.Success {
				won++
			}
		}
		g.Success = append(g.Success, judge.Share(won, n))
	}
	return g
}

func (g Bin) played() bool {
	return slices.ContainsFunc(g.Success, func(m judge.Metric) bool { return m.Den > 0 })
}

// features are the values of instances by feature and instance.
type features map[string]map[string]value

// featuresOf asks the sets what their instances have.
func featuresOf(list []series) features {
	values := features{}
	for _, s := range list {
		for _, split := range s.Set.Splits() {
			for _, t := range s.tasks(split.Name) {
				known, _ := difficulty(s.Set, t.Instance)
				for _, f := range known.Features {
					if values[f.Name] == nil {
						values[f.Name] = map[string]value{}
					}
					x, err := strconv.ParseFloat(f.Value, 64)
					values[f.Name][t.Instance] = value{x, digits(f.Value, x, err), err == nil}
				}
			}
		}
	}
	return values
}

// byFeatures returns a curve for each feature that tells instances apart, by name: groups of about
// the same size where all its values are numbers, else a group for each value.
func byFeatures(list []series, values features) []Curve {
	var out []Curve
	for _, name := range slices.Sorted(maps.Keys(values)) {
		of := values[name]
		cuts := quantiles(slices.Collect(maps.Values(of)))
		if len(cuts) < 2 {
			continue
		}
		c := Curve{Name: name}
		for _, q := range cuts {
			c.Groups = append(c.Groups, bin(list, q.low.text, q.high.text, func(x family.Result) bool {
				v, ok := of[x.Instance]
				return ok && v.compare(q.low) >= 0 && v.compare(q.high) <= 0
			}))
		}
		out = append(out, c)
	}
	return out
}

type interval struct{ low, high value }

// maxGroups is the number of groups of a curve; few, so that each holds enough games.
const maxGroups = 5

// quantiles cuts values into at most maxGroups groups of about the same size; equal values stay together.
// Values that are not all numbers have a group each.
func quantiles(values []value) []interval {
	order.Sort(values, value.compare)
	named := slices.ContainsFunc(values, func(v value) bool { return !v.number })
	var out []interval
	for from := 0; from < len(values); {
		to := from + 1
		if groups := maxGroups - len(out); !named {
			to = from + (len(values)-from+groups-1)/groups
		}
		for to < len(values) && values[to].compare(values[to-1]) == 0 {
			to++
		}
		out = append(out, interval{values[from], values[to-1]})
		from = to
	}
	return out
}

// digits writes a number that is not whole with three digits, and anything else as it stands.
func digits(text string, x float64, err error) string {
	if err != nil || x == math.Trunc(x) {
		return text
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
