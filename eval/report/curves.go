package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

// Curve is the success rate against something that an instance has, over all splits of a run.
type Curve struct {
	Name   string  `json:"name"`
	Groups []Group `json:"groups"`
}

// Group is the instances with values from Low to High, and how each run fared on them, in the order of the runs.
type Group struct {
	Low     string         `json:"low"`
	High    string         `json:"high"`
	Success []judge.Metric `json:"success"`
}

// label names a group on an axis, in lines.
func (g Group) label() []string {
	if g.Low == g.High {
		return []string{g.Low}
	}
	return []string{g.Low + " –", g.High}
}

// value is the number of an instance as the record writes it.
type value struct {
	x    float64
	text string
}

func byDistance(name string, runs []Run) Curve {
	c := Curve{Name: name, Groups: []Group{}}
	for d := range int(schemas.Unreached) {
		in := func(g judge.Result) bool { return g.Distance == d }
		text := strconv.Itoa(d)
		if g := group(runs, value{float64(d), text}, value{float64(d), text}, in); g.played() {
			c.Groups = append(c.Groups, g)
		}
	}
	return c
}

// group counts for each run the games that in accepts. Games that failed for no fault of the player count for nothing.
func group(runs []Run, low, high value, in func(judge.Result) bool) Group {
	g := Group{Low: low.text, High: high.text}
	for _, run := range runs {
		won, n := 0, 0
		for _, r := range run.Scores.Games() {
			if r.Outcome == schemas.OutcomeInfra || !in(r) {
				continue
			}
			if n++; r.Success() {
				won++
			}
		}
		g.Success = append(g.Success, judge.Share(won, n))
	}
	return g
}

func (g Group) played() bool {
	return slices.ContainsFunc(g.Success, func(m judge.Metric) bool { return m.Den > 0 })
}

// byFeatures gives a curve for each feature that tells instances apart, by name.
func byFeatures(runs []Run, instances map[string]map[string]value) []Curve {
	values := map[string]map[string]value{} // feature, instance
	for id, features := range instances {
		for name, v := range features {
			if values[name] == nil {
				values[name] = map[string]value{}
			}
			values[name][id] = v
		}
	}
	var out []Curve
	for _, name := range slices.Sorted(maps.Keys(values)) {
		of := values[name]
		cuts := quantiles(slices.Collect(maps.Values(of)))
		if len(cuts) < 2 {
			continue
		}
		c := Curve{Name: name}
		for _, q := range cuts {
			c.Groups = append(c.Groups, group(runs, q.low, q.high, func(r judge.Result) bool {
				v, ok := of[r.Instance]
				return ok && v.x >= q.low.x && v.x <= q.high.x
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
func quantiles(values []value) []interval {
	slices.SortFunc(values, func(a, b value) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	var out []interval
	for from := 0; from < len(values); {
		groups := maxGroups - len(out)
		to := from + (len(values)-from+groups-1)/groups
		for to < len(values) && values[to].x == values[to-1].x {
			to++
		}
		out = append(out, interval{values[from], values[to-1]})
		from = to
	}
	return out
}

// real gives a number as a feature's value.
func real(x float64) value { return value{x, strconv.FormatFloat(x, 'g', 3, 64)} }

func count(n int64) value { return value{float64(n), fmt.Sprint(n)} }
