// Package items analyses the instances of a split as the items of a test: from what several players
// won of them it estimates how able each player is, how hard each instance is and how sharply it
// tells the able from the others, which instances contradict that, and which few predict the score
// on all.
//
// The models are the one- and two-parameter logistic item response models: a player of ability t
// wins an instance of difficulty b and discrimination a with the log-odds a (t - b). Few players
// meet many instances here, the reverse of a school test, so it is the instances that are drawn
// from a population: b is normal about 0, a log-normal about 1 (exactly 1 under one parameter), and
// both are integrated out (De Boeck 2008, Random item IRT models,
// https://doi.org/10.1007/s11336-008-9092-x; Bock and Aitkin 1981,
// https://doi.org/10.1007/BF02293801). Abilities and the two spreads are the mode of what remains,
// with intervals of the observed information. Instances get the median of their posterior and its
// 95 % interval, widened by what is not known of the abilities (Kass and Steffey 1989,
// https://doi.org/10.1080/01621459.1989.10478825).
//
// An ability of 0 wins half of the attempts at an instance of average difficulty; the unit is the
// logit. The package promises equal bytes for equal input: sums have one order, nothing is drawn.
// It owns no file and knows no family.
package items

import (
	"math"
	"slices"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Data is what players won. Cells are by instance, then by player.
type Data struct {
	Players []string
	Items   []string
	Cells   [][]Cell
}

// Cell is the attempts of a player at an instance; none where it was not played.
type Cell struct{ Won, Tried int }

// ModelName is how a model is called where it is chosen and shown.
type ModelName string

const (
	OneParameter  ModelName = "1pl"
	TwoParameters ModelName = "2pl"
)

// Estimate is a number with its 95 % interval.
type Estimate struct{ Value, Lo, Hi float64 }

// Covers reports whether the interval holds x.
func (e Estimate) Covers(x float64) bool { return e.Lo <= x && x <= e.Hi }

// Fit is a model as it fits the data.
type Fit struct {
	Model          ModelName
	Abilities      []Estimate // by player
	Difficulties   []Estimate // by instance
	Discrimination []Estimate // by instance
	Spread         float64    // the standard deviation of difficulties
	Varied         float64    // that of the logarithms of discriminations, 0 under one parameter
	LogLikelihood  float64    // marginal, without binomial coefficients
	Parameters     int        // that were fitted: abilities and spreads

	data  Data
	model *model
	mode  []float64
}

// AIC returns Akaike's criterion; less is better.
func (f *Fit) AIC() float64 { return 2*float64(f.Parameters) - 2*f.LogLikelihood }

// BIC returns Schwarz's criterion, over instances, which are what is drawn; less is better.
func (f *Fit) BIC() float64 {
	return float64(f.Parameters)*math.Log(float64(len(f.data.Items))) - 2*f.LogLikelihood
}

// normal975 is the 97.5 % quantile of the standard normal distribution.
const normal975 = 1.959963984540054

// Check reports data that no model is fitted to. Errors: fault.Usage.
func (d Data) Check() error {
	switch {
	case len(d.Players) < 2:
		return fault.New(fault.Usage, "one player tells nothing of instances").
			Hint("name a run of each of two players or more with --trajectories")
	case len(d.Items) < 2:
		return fault.New(fault.Usage, "%d instances that two players or more played: want 2 or more", len(d.Items)).
			Hint("name runs on the same split")
	}
	return nil
}

// FitModel fits a model. Errors: as Check; fault.Failure where the fit does not settle.
func FitModel(d Data, name ModelName) (*Fit, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	m := newModel(d, name == TwoParameters)
	mode, err := m.climb()
	if err != nil {
		return nil, err
	}
	v, err := m.covariance(mode)
	if err != nil {
		return nil, err
	}
	f := &Fit{
		Model: name, Spread: m.sigma(mode), Varied: m.tau(mode), Parameters: m.size(),
		Difficulties: make([]Estimate, len(d.Items)), Discrimination: make([]Estimate, len(d.Items)),
		data: d, model: m, mode: mode,
	}
	f.LogLikelihood = -m.value - m.prior(mode, make([]float64, len(mode)))
	for i := range d.Players {
		half := normal975 * math.Sqrt(v[i][i])
		f.Abilities = append(f.Abilities, Estimate{mode[i], mode[i] - half, mode[i] + half})
	}
	f.estimates(v)
	return f, nil
}

func fitBoth(d Data) (one, two *Fit, err error) {
	if one, err = FitModel(d, OneParameter); err == nil {
		two, err = FitModel(d, TwoParameters)
	}
	return one, two, err
}

// better returns the fit of the smaller BIC, which asks more than AIC of a further parameter.
func better(a, b *Fit) *Fit {
	if b.BIC() < a.BIC() {
		return b
	}
	return a
}

// estimates fills in what the posterior says of the instances. Few players leave open how much
// discriminations vary, so those are averaged over three values of it (Gauss-Hermite).
func (f *Fit) estimates(v [][]float64) {
	m := f.model
	slopes := make([][]density, len(m.patterns)) // of log a
	look := func(p []float64, see func(k int, hard, slope density)) {
		m.evaluate(p)
		for k, c := range m.patterns {
			hard, slope := m.margins(p, v, c)
			see(k, hard, slope)
		}
	}
	if m.varied {
		last := len(f.mode) - 1
		for _, side := range []float64{-1, 1} {
			p := slices.Clone(f.mode)
			p[last] += side * math.Sqrt(3*v[last][last])
			look(p, func(k int, _, slope density) { slopes[k] = append(slopes[k], slope.times(1./6)) })
		}
	}
	look(f.mode, func(k int, hard, slope density) {
		a := Estimate{1, 1, 1}
		if m.varied {
			e := quantiles(append(slopes[k], slope.times(2./3))...)
			a = Estimate{math.Exp(e.Value), math.Exp(e.Lo), math.Exp(e.Hi)}
		}
		for _, i := range m.patterns[k].items {
			f.Difficulties[i], f.Discrimination[i] = quantiles(hard), a
		}
	})
}

// margins returns the densities of b and log a given a pattern, each as wide as it is with what is
// not known of the parameters: the variance of its mean, which moves with them as its covariance
// with the slope of the log-likelihood.
func (m *model) margins(p []float64, v [][]float64, c pattern) (b, a density) {
	post := make([]float64, len(m.slope))
	m.posterior(c, post)
	b, a = density{m.z.at, make([]float64, len(m.z.at))}, density{m.x.at, make([]float64, len(m.x.at))}
	for n, w := range post {
		b.weight[n/len(m.x.at)] += w
		a.weight[n%len(m.x.at)] += w
	}
	meanB, meanA := b.mean(), a.mean()
	ofB, ofA, slope := make([]float64, len(p)), make([]float64, len(p)), make([]float64, len(p))
	for n, w := range post {
		if w < 1e-12 {
			continue
		}
		clear(slope)
		m.slopeAt(slope, n, c, 1, m.tau(p))
		z, x := m.z.at[n/len(m.x.at)]-meanB, m.x.at[n%len(m.x.at)]-meanA
		for q, s := range slope {
			ofB[q] += w * z * s
			ofA[q] += w * x * s
		}
	}
	ofB[m.players] += meanB // b = sigma z moves with sigma itself
	if m.varied {
		ofA[m.players+1] = 0 // see estimates
	}
	return b.wider(quadratic(v, ofB)).scaled(m.sigma(p)), a.wider(quadratic(v, ofA)).scaled(m.tau(p))
}

// quadratic returns s' V s.
func quadratic(v [][]float64, s []float64) (sum float64) {
	for i := range s {
		for j := range s {
			sum += s[i] * v[i][j] * s[j]
		}
	}
	return max(sum, 0)
}

// density is weights of values on an even grid, each spread evenly about its place.
type density struct{ at, weight []float64 }

func (d density) mean() (sum float64) {
	for i, w := range d.weight {
		sum += w * d.at[i]
	}
	return sum
}

// wider stretches a density about its mean as a further variance would.
func (d density) wider(more float64) density {
	center, own := d.mean(), 0.0
	for i, w := range d.weight {
		own += w * (d.at[i] - center) * (d.at[i] - center)
	}
	if own <= 0 {
		return d
	}
	by := math.Sqrt((own + more) / own)
	return d.moved(func(x float64) float64 { return center + by*(x-center) })
}

func (d density) scaled(by float64) density {
	return d.moved(func(x float64) float64 { return by * x })
}

func (d density) moved(to func(float64) float64) density {
	out := density{make([]float64, len(d.at)), d.weight}
	for i, x := range d.at {
		out.at[i] = to(x)
	}
	return out
}

// times weighs a density as a part of several.
func (d density) times(share float64) density {
	out := density{d.at, make([]float64, len(d.weight))}
	for i, w := range d.weight {
		out.weight[i] = share * w
	}
	return out
}

// below returns the weight of the values up to x.
func (d density) below(x float64) (sum float64) {
	step := d.at[1] - d.at[0]
	for i, w := range d.weight {
		sum += w * min(1, max(0, (x-d.at[i])/step+0.5))
	}
	return sum
}

// quantiles returns the median of what parts add up to, with the interval that leaves 2.5 % on
// either side.
func quantiles(parts ...density) Estimate {
	find := func(share float64) float64 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, d := range parts {
			step := d.at[1] - d.at[0]
			lo, hi = min(lo, d.at[0]-step), max(hi, d.at[len(d.at)-1]+step)
		}
		for range 50 {
			middle, sum := (lo+hi)/2, 0.0
			for _, d := range parts {
				sum += d.below(middle)
			}
			if sum < share {
				lo = middle
			} else {
				hi = middle
			}
		}
		return (lo + hi) / 2
	}
	return Estimate{find(0.5), find(0.025), find(0.975)}
}

func total(cells []Cell) (won, tried int) {
	for _, c := range cells {
		won, tried = won+c.Won, tried+c.Tried
	}
	return won, tried
}

// ofPlayer returns the cells of a player, by instance.
func (d Data) ofPlayer(p int) []Cell {
	list := make([]Cell, len(d.Items))
	for i, cells := range d.Cells {
		list[i] = cells[p]
	}
	return list
}

// keep returns the data of the players that which accepts.
func (d Data) keep(which func(p int) bool) Data {
	out := Data{Items: d.Items, Cells: make([][]Cell, len(d.Cells))}
	for p, name := range d.Players {
		if !which(p) {
			continue
		}
		out.Players = append(out.Players, name)
		for i, cells := range d.Cells {
			out.Cells[i] = append(out.Cells[i], cells[p])
		}
	}
	return out
}
