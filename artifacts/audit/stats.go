package audit

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/wikinav/wikinav/schemas/canon"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// number is a real number as audit.json has it; "" for none.
func number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return canon.Decimal(x)
}

// Quartiles is the distribution of a feature over the records that have a value. Quantiles lie
// between two values by linear interpolation (definition 7 of Hyndman and Fan 1996,
// https://doi.org/10.1080/00031305.1996.10473566).
type Quartiles struct {
	Feature string `json:"feature"`
	N       int    `json:"n"`
	Min     string `json:"min"`
	Q1      string `json:"q1"`
	Median  string `json:"median"`
	Q3      string `json:"q3"`
	Max     string `json:"max"`
	Mean    string `json:"mean"`

	sorted []float64
}

func quartilesOf(feature string, values []float64) Quartiles {
	q := Quartiles{Feature: feature}
	for _, x := range values {
		if !math.IsNaN(x) {
			q.sorted = append(q.sorted, x)
		}
	}
	slices.Sort(q.sorted)
	sum := 0.0
	for _, x := range q.sorted {
		sum += x
	}
	q.N = len(q.sorted)
	at := func(p float64) string { return number(Quantile(q.sorted, p)) }
	q.Min, q.Q1, q.Median, q.Q3, q.Max = at(0), at(0.25), at(0.5), at(0.75), at(1)
	q.Mean = number(sum / float64(q.N))
	return q
}

// Quantile returns the value below which a share p of sorted lies, NaN of nothing.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := p * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[low] + float64((at-float64(low))*(sorted[low+1]-sorted[low]))
}

// Correlation is how far two features rise together over the records that have both: Spearman's
// rank correlation, with the mean rank for equal values.
type Correlation struct {
	A   string `json:"a"`
	B   string `json:"b"`
	N   int    `json:"n"`
	Rho string `json:"rho"` // "" where one of the two is the same everywhere
}

func spearman(x, y []float64) (rho float64, n int) {
	var a, b []float64
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			a, b = append(a, x[i]), append(b, y[i])
		}
	}
	return pearson(ranks(a), ranks(b)), len(a)
}

// ranks returns the place of each value, from 1 on; equal values share the mean of theirs.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	out := make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			out[k] = float64(i+j+1) / 2
		}
		i = j
	}
	return out
}

func pearson(x, y []float64) float64 {
	n := float64(len(x))
	var mx, my float64
	for i := range x {
		mx, my = mx+x[i]/n, my+y[i]/n
	}
	var xy, xx, yy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xy, xx, yy = xy+float64(dx*dy), xx+float64(dx*dx), yy+float64(dy*dy)
	}
	if xx == 0 || yy == 0 {
		return math.NaN()
	}
	return xy / math.Sqrt(float64(xx*yy))
}
