// Package fit fits curves to outcomes: the logistic curve of success against one number, and the
// line of one number against another, each with intervals. Maxima are those of gonum's optimisers.
//
// It promises that a curve is that of the greatest likelihood, or an error that says why there is
// none; it draws nothing at random and reads nothing.
package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/optimize"
)

// Reasons why there is nothing to fit.
var (
	ErrFew       = errors.New("too few items")
	ErrConstant  = errors.New("the number is the same for all")
	ErrOneSided  = errors.New("too few items of one of the outcomes")
	ErrSeparated = errors.New("a bound of the number parts all successes from all failures")
)

const (
	leastItems = 10                // of which a curve says something
	leastOf    = 5                 // of each outcome
	leastPairs = 4                 // of which a line does
	z95        = 1.959963984540054 // of a normal 95 % interval
	flatEnough = 1e-9              // slope of the likelihood for each item: there the search ends
	nearlyFlat = 1e-7              // and there it may end
	wideRange  = 100               // where nine tenths of positive numbers span more, logarithms
)

// Curve is the chance of success 1/(1+exp(-(Intercept + Slope*t))), where t is a number x, or under
// Log its decimal logarithm.
type Curve struct {
	N, Won           int
	Log              bool
	Intercept, Slope float64
	SD               float64    // of t
	P                float64    // two-sided, of a slope of 0 (Wald)
	cov              [3]float64 // of intercept and slope: variance, covariance, variance
}

// Estimate is a number with its 95 % interval.
type Estimate struct{ Value, Low, High float64 }

// Wide reports whether numbers are rather compared by their logarithms: all are above 0, and nine
// tenths of them span more than a hundredfold.
func Wide(x []float64) bool {
	sorted := slices.Sorted(slices.Values(x))
	if len(sorted) == 0 || sorted[0] <= 0 {
		return false
	}
	at := func(share float64) float64 { return sorted[int(share*float64(len(sorted)-1))] }
	return at(0.95)/at(0.05) > wideRange
}

// Logistic fits the curve to items with a number and an outcome each.
//
// Idea:      the greatest likelihood of the standardised number, which is concave, by BFGS (the
// method of Newton would bring LAPACK along); the covariance is the inverse of the curvature at the
// maximum.
// Reference: D. R. Cox, The Regression Analysis of Binary Sequences, 1958,
// https://doi.org/10.1111/j.2517-6161.1958.tb00292.x.
func Logistic(x []float64, won []bool) (Curve, error) {
	c := Curve{N: len(x), Log: Wide(x)}
	t := slices.Clone(x)
	for i := range t {
		if c.Log {
			t[i] = math.Log10(t[i])
		}
		if won[i] {
			c.Won++
		}
	}
	mean, sd := standardise(t)
	c.SD = sd
	switch {
	case c.N < leastItems:
		return c, ErrFew
	case min(c.Won, c.N-c.Won) < leastOf:
		return c, ErrOneSided
	case sd == 0:
		return c, ErrConstant
	case separates(t, won):
		return c, ErrSeparated
	}
	b, err := maximum(t, won)
	if err != nil {
		return c, err
	}
	h := curvature(b, t)
	det := float64(h[0]*h[2]) - float64(h[1]*h[1])
	v := [3]float64{h[2] / det, -h[1] / det, h[0] / det} // of the standardised number
	m := mean / sd
	c.Intercept, c.Slope = b[0]-float64(b[1]*m), b[1]/sd
	c.cov = [3]float64{
		v[0] - float64(2*m*v[1]) + float64(m*m*v[2]), (v[1] - float64(m*v[2])) / sd, v[2] / (sd * sd),
	}
	c.P = math.Erfc(math.Abs(b[1]) / math.Sqrt(v[2]) / math.Sqrt2)
	return c, nil
}

// At returns the chance of success at a number.
func (c Curve) At(x float64) Estimate {
	if c.Log {
		x = math.Log10(x)
	}
	logit := c.Intercept + float64(c.Slope*x)
	half := z95 * math.Sqrt(max(0, c.cov[0]+float64(2*x*c.cov[1])+float64(x*x*c.cov[2])))
	return Estimate{chance(logit), chance(logit - half), chance(logit + half)}
}

// Odds returns what one standard deviation more does to the odds of success.
func (c Curve) Odds() Estimate {
	b, half := float64(c.Slope*c.SD), z95*math.Sqrt(c.cov[2])*c.SD
	return Estimate{math.Exp(b), math.Exp(b - half), math.Exp(b + half)}
}

func chance(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

// standardise makes t have mean 0 and standard deviation 1, and returns what they were.
func standardise(t []float64) (mean, sd float64) {
	n := float64(len(t))
	for _, v := range t {
		mean += v / n
	}
	for _, v := range t {
		sd += float64((v - mean) * (v - mean))
	}
	if sd = math.Sqrt(sd / n); !(sd > 1e-12*math.Abs(mean)) {
		return mean, 0
	}
	for i := range t {
		t[i] = (t[i] - mean) / sd
	}
	return mean, sd
}

// separates reports whether a bound parts the outcomes, so that no likelihood is the greatest.
func separates(t []float64, won []bool) bool {
	bounds := map[bool][2]float64{false: {math.Inf(1), math.Inf(-1)}, true: {math.Inf(1), math.Inf(-1)}}
	for i, v := range t {
		b := bounds[won[i]]
		bounds[won[i]] = [2]float64{min(b[0], v), max(b[1], v)}
	}
	lost, kept := bounds[false], bounds[true]
	return lost[1] <= kept[0] || kept[1] <= lost[0]
}

func maximum(t []float64, won []bool) ([]float64, error) {
	logit := func(b []float64, v float64) float64 { return b[0] + float64(b[1]*v) }
	problem := optimize.Problem{
		Func: func(b []float64) (sum float64) {
			for i, v := range t {
				z := logit(b, v)
				if won[i] {
					z = -z
				}
				sum += math.Log1p(math.Exp(-math.Abs(z))) + max(z, 0)
			}
			return sum
		},
		Grad: func(grad, b []float64) {
			grad[0], grad[1] = 0, 0
			for i, v := range t {
				d := chance(logit(b, v))
				if won[i] {
					d--
				}
				grad[0], grad[1] = grad[0]+d, grad[1]+float64(d*v)
			}
		},
	}
	flat := &optimize.Settings{GradientThreshold: flatEnough * float64(len(t))}
	res, err := optimize.Minimize(problem, []float64{0, 0}, flat, &optimize.BFGS{})
	if res == nil {
		return nil, err
	}
	var slope [2]float64
	if problem.Grad(slope[:], res.X); math.Hypot(slope[0], slope[1]) < nearlyFlat*float64(len(t)) {
		return res.X, nil // where rounding hides what is left to gain, the search says that it fails
	}
	return nil, cmp.Or(err, errSteep)
}

var errSteep = errors.New("the search for the greatest likelihood did not end")

// curvature is the second derivatives of the negative likelihood: by the intercept, by both, by the
// slope.
func curvature(b, t []float64) (h [3]float64) {
	for _, v := range t {
		p := chance(b[0] + float64(b[1]*v))
		w := p * (1 - p)
		h[0], h[1], h[2] = h[0]+w, h[1]+float64(w*v), h[2]+float64(w*v*v)
	}
	return h
}

// Line is the least squares line y = Intercept + Slope*x.
type Line struct {
	N                int
	Intercept, Slope float64
	Low, High        float64 // of the slope, 95 %
	R2               float64 // share of the variance that it explains
	P                float64 // two-sided, of a slope of 0 (Student's t)
}

// Linear fits the line to pairs of numbers.
func Linear(x, y []float64) (Line, error) {
	l := Line{N: len(x)}
	if l.N < leastPairs {
		return l, ErrFew
	}
	n := float64(l.N)
	mx, my := sum(x)/n, sum(y)/n
	var xx, xy, yy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx, xy, yy = xx+float64(dx*dx), xy+float64(dx*dy), yy+float64(dy*dy)
	}
	if !(xx > 1e-18*mx*mx*n) {
		return l, ErrConstant
	}
	l.Slope = xy / xx
	l.Intercept = my - float64(l.Slope*mx)
	if yy == 0 {
		l.P = 1
		return l, nil
	}
	l.R2 = min(1, xy*xy/(xx*yy))
	free := n - 2
	se := math.Sqrt(max(0, (1-l.R2)*yy/free/xx))
	half := quantile(free) * se
	l.Low, l.High = l.Slope-half, l.Slope+half
	l.P = tail(math.Abs(l.Slope)/se, free)
	return l, nil
}

func sum(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// tail is the chance that Student's t of so many degrees of freedom is as far from 0 as t.
func tail(t, free float64) float64 {
	if math.IsInf(t, 1) || math.IsNaN(t) {
		return 0
	}
	return mathext.RegIncBeta(free/2, 0.5, free/(free+float64(t*t)))
}

// quantile is the t that one in twenty is farther from 0 than.
func quantile(free float64) float64 {
	x := mathext.InvRegIncBeta(free/2, 0.5, 0.05)
	return math.Sqrt(free * (1 - x) / x)
}

// Holm corrects p-values for their number: what each must stay below stays the same. Those that are
// not numbers stay so and do not count.
// S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979,
// https://www.jstor.org/stable/4615733.
func Holm(p []float64) []float64 {
	var places []int
	out := slices.Clone(p)
	for i, v := range p {
		if !math.IsNaN(v) {
			places = append(places, i)
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	worst := 0.0
	for k, i := range places {
		worst = max(worst, min(1, p[i]*float64(len(places)-k)))
		out[i] = worst
	}
	return out
}
