package items

import (
	"encoding/binary"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Weak priors, in logits: they hold what few players leave open, and make finite what has no
// maximum, such as the ability of who won everything.
const (
	abilitySD = 5.0 // abilities are normal about 0

	spreadMedian, spreadSD = 1.5, 1.0 // the standard deviation of difficulties is log-normal
	variedMedian, variedSD = 0.5, 0.5 // and so is that of the logarithms of discriminations
)

// pattern is what the players did on one or several instances alike.
type pattern struct {
	won, tried []float64 // by player
	items      []int
}

// patternsOf groups the instances by what the players did on them, in the order of the first.
func patternsOf(d Data) (list []pattern) {
	places := map[string]int{}
	for i, cells := range d.Cells {
		var key []byte
		for _, c := range cells {
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(c.Won)), uint64(c.Tried))
		}
		at, known := places[string(key)]
		if !known {
			at = len(list)
			places[string(key)] = at
			c := pattern{}
			for _, cell := range cells {
				c.won, c.tried = append(c.won, float64(cell.Won)), append(c.tried, float64(cell.Tried))
			}
			list = append(list, c)
		}
		list[at].items = append(list[at].items, i)
	}
	return list
}

// axis is a standard normal variable on an even grid, on which the trapezoidal rule is as exact as
// the integrand is smooth.
type axis struct{ at, logWeight []float64 }

func newAxis(reach, step float64) (x axis) {
	n, sum := int(math.Ceil(reach/step)), 0.0
	for i := -n; i <= n; i++ {
		at := float64(i) * step
		x.at, x.logWeight = append(x.at, at), append(x.logWeight, -at*at/2)
		sum += math.Exp(-at * at / 2)
	}
	for i := range x.logWeight {
		x.logWeight[i] -= math.Log(sum)
	}
	return x
}

// model is the marginal likelihood of abilities and of how instances are spread, over difficulties
// b = sigma z and discriminations a = exp(tau x), where z and x are standard normal.
//
// Its parameters are the abilities, log sigma, and under the two-parameter model log tau.
type model struct {
	players  int
	varied   bool // discriminations vary: the two-parameter model
	patterns []pattern
	z, x     axis

	slope, hard []float64 // of a node: a and b
	// Of a node and player: a (ability - b), its logistic, and log(1 + e^logit).
	logit, chance, excess []float64
	weight                []float64 // of a node: the logarithm of its prior weight
	at                    []float64 // the parameters of the last evaluation
	value                 float64
	gradient              []float64
}

func newModel(d Data, varied bool) *model {
	tries := 1
	for _, cells := range d.Cells {
		_, n := total(cells)
		tries = max(tries, n)
	}
	m := &model{players: len(d.Players), varied: varied, patterns: patternsOf(d)}
	root := math.Sqrt(float64(tries))
	m.z = newAxis(4.5, min(0.3, 1/root)) // as fine as what so many tries tell of a difficulty
	m.x = axis{[]float64{0}, []float64{0}}
	if varied {
		m.x = newAxis(3.2, min(0.8, 4/root))
	}
	return m
}

// size returns the number of parameters.
func (m *model) size() int {
	if m.varied {
		return m.players + 2
	}
	return m.players + 1
}

func (m *model) sigma(p []float64) float64 { return math.Exp(p[m.players]) }

func (m *model) tau(p []float64) float64 {
	if !m.varied {
		return 0
	}
	return math.Exp(p[m.players+1])
}

// place computes what all patterns share at parameters p.
func (m *model) place(p []float64) {
	nodes, sigma, tau := len(m.z.at)*len(m.x.at), m.sigma(p), m.tau(p)
	if m.weight == nil {
		m.slope, m.hard, m.weight = make([]float64, nodes), make([]float64, nodes), make([]float64, nodes)
		m.logit, m.chance = make([]float64, nodes*m.players), make([]float64, nodes*m.players)
		m.excess = make([]float64, nodes*m.players)
	}
	for n := range nodes {
		j, k := n/len(m.x.at), n%len(m.x.at)
		a, b := math.Exp(tau*m.x.at[k]), sigma*m.z.at[j]
		m.slope[n], m.hard[n], m.weight[n] = a, b, m.z.logWeight[j]+m.x.logWeight[k]
		for i, ability := range p[:m.players] {
			e := a * (ability - b)
			at := n*m.players + i
			m.logit[at] = e
			m.chance[at], m.excess[at] = logistic(e)
		}
	}
}

// logistic returns 1 / (1 + e^-x), and log(1 + e^x).
func logistic(x float64) (p, logOne float64) {
	if x > 0 {
		e := math.Exp(-x)
		return 1 / (1 + e), x + math.Log1p(e)
	}
	e := math.Exp(x)
	return e / (1 + e), math.Log1p(e)
}

// posterior fills post with the weight of each node given a pattern, and returns the logarithm of
// the pattern's marginal likelihood.
func (m *model) posterior(c pattern, post []float64) float64 {
	most := math.Inf(-1)
	for n := range post {
		sum, from := m.weight[n], n*m.players
		logit, excess := m.logit[from:from+m.players], m.excess[from:from+m.players]
		for i, won := range c.won {
			sum += won*logit[i] - c.tried[i]*excess[i]
		}
		post[n], most = sum, max(most, sum)
	}
	sum := 0.0
	for n, v := range post {
		post[n] = math.Exp(v - most)
		sum += post[n]
	}
	for n := range post {
		post[n] /= sum
	}
	return most + math.Log(sum)
}

// slopeAt adds to g, times w, the gradient at a node of a pattern's log-likelihood.
func (m *model) slopeAt(g []float64, n int, c pattern, w, tau float64) {
	a, b, from := m.slope[n], m.hard[n], n*m.players
	logit, chance := m.logit[from:from+m.players], m.chance[from:from+m.players]
	rest, turned := 0.0, 0.0
	for i, won := range c.won {
		r := won - c.tried[i]*chance[i]
		g[i] += w * a * r
		rest += r
		turned += r * logit[i]
	}
	g[m.players] -= w * a * b * rest
	if m.varied {
		g[m.players+1] += w * tau * m.x.at[n%len(m.x.at)] * turned
	}
}

// evaluate computes the negative logarithm of the posterior density at p, and its gradient.
func (m *model) evaluate(p []float64) {
	if slices.Equal(p, m.at) {
		return
	}
	m.at = append(m.at[:0], p...)
	m.place(p)
	g, post, tau := make([]float64, m.size()), make([]float64, len(m.slope)), m.tau(p)
	sum := 0.0
	for _, c := range m.patterns {
		times := float64(len(c.items))
		sum += times * m.posterior(c, post)
		for n, w := range post {
			if w > 1e-11 {
				m.slopeAt(g, n, c, w*times, tau)
			}
		}
	}
	prior := m.prior(p, g)
	for i := range g {
		g[i] = -g[i]
	}
	m.value, m.gradient = -sum-prior, g
}

// prior returns the logarithm of the priors' density, without its constant, and adds its gradient.
func (m *model) prior(p, g []float64) (sum float64) {
	for i, v := range p {
		mean, sd := 0.0, abilitySD
		switch i {
		case m.players:
			mean, sd = math.Log(spreadMedian), spreadSD
		case m.players + 1:
			mean, sd = math.Log(variedMedian), variedSD
		}
		z := (v - mean) / sd
		sum -= z * z / 2
		g[i] -= z / sd
	}
	return sum
}

// begin returns parameters near the mode: the log-odds of each player's wins.
func (m *model) begin() []float64 {
	won, tried := make([]float64, m.players), make([]float64, m.players)
	for _, c := range m.patterns {
		for i := range c.won {
			won[i] += c.won[i] * float64(len(c.items))
			tried[i] += c.tried[i] * float64(len(c.items))
		}
	}
	p := make([]float64, m.size())
	for i := range won {
		p[i] = 1.3 * math.Log((won[i]+0.5)/(tried[i]-won[i]+0.5))
	}
	p[m.players] = math.Log(spreadMedian)
	if m.varied {
		p[m.players+1] = math.Log(variedMedian)
	}
	return p
}

const (
	flat  = 1e-4 // the slope at which a climb ends
	steep = 1e-2 // and beyond which what it ended at is not a mode
)

// climb returns the mode of the posterior density.
func (m *model) climb() ([]float64, error) {
	problem := optimize.Problem{
		Func: func(p []float64) float64 { m.evaluate(p); return m.value },
		Grad: func(g, p []float64) { m.evaluate(p); copy(g, m.gradient) },
	}
	settings := &optimize.Settings{
		GradientThreshold: flat, MajorIterations: 1000, Converger: optimize.NeverTerminate{},
	}
	got, err := optimize.Minimize(problem, m.begin(), settings, &optimize.BFGS{})
	if got == nil {
		return nil, fault.New(fault.Failure, "the item response model has no mode: %w", err)
	}
	m.evaluate(got.X) // a line search that rounding ends may end at the mode
	for _, g := range m.gradient {
		if math.IsNaN(g) || math.Abs(g) > steep {
			return nil, fault.New(
				fault.Failure, "the item response model did not settle: slope %g after %d steps",
				g, got.MajorIterations,
			).
				Hint("name --model 1pl, or leave out players who did the same on everything")
		}
	}
	return slices.Clone(got.X), nil
}

// covariance returns the inverse of the observed information at the mode.
func (m *model) covariance(p []float64) ([][]float64, error) {
	const step = 1e-4
	n := len(p)
	slopes := make([][]float64, n)
	for i := range p {
		q := slices.Clone(p)
		q[i] = p[i] + step
		m.evaluate(q)
		up := slices.Clone(m.gradient)
		q[i] = p[i] - step
		m.evaluate(q)
		for j := range up {
			up[j] = (up[j] - m.gradient[j]) / (2 * step)
		}
		slopes[i] = up
	}
	m.evaluate(p)
	return inverse(slopes)
}

// inverse inverts a positive definite matrix, which rounding leaves not quite symmetric, in place.
// Gonum's inverse would bring in all of its LAPACK, a tenth of a megabyte.
func inverse(a [][]float64) ([][]float64, error) {
	for i := range a {
		for j := range i {
			a[i][j] = (a[i][j] + a[j][i]) / 2
			a[j][i] = a[i][j]
		}
	}
	for k := range a { // Gauss and Jordan: a pivot is positive as long as the matrix is definite
		pivot := a[k][k]
		if !(pivot > 1e-12) {
			return nil, fault.New(fault.Failure, "the item response model has no single mode").
				Hint("name --model 1pl")
		}
		a[k][k] = 1
		for j := range a {
			a[k][j] /= pivot
		}
		for i := range a {
			if i == k {
				continue
			}
			by := a[i][k]
			a[i][k] = 0
			for j := range a {
				a[i][j] -= by * a[k][j]
			}
		}
	}
	return a, nil
}
