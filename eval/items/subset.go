package items

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
)

// predictor tells the score on all instances from what a player did on some. The curve of an
// instance is how probable a win is at each ability, averaged over what is not known of it.
type predictor struct {
	ability, logPrior []float64   // a grid about the abilities of the players that were fitted
	curves            [][]float64 // by instance, then ability
}

func newPredictor(f *Fit) *predictor {
	var values []float64
	for _, a := range f.Abilities {
		values = append(values, a.Value)
	}
	center, n := 0.0, float64(len(values))
	for _, v := range values {
		center += v / n
	}
	variance := 0.0
	for _, v := range values {
		variance += (v - center) * (v - center) / n
	}
	sd := max(1, 1.5*math.Sqrt(variance)) // another player may be abler or weaker than all of them
	grid := newAxis(4, 0.1)
	r := &predictor{logPrior: grid.logWeight, curves: make([][]float64, len(f.data.Items))}
	for _, z := range grid.at {
		r.ability = append(r.ability, center+sd*z)
	}
	r.trace(f)
	return r
}

// trace fills in the curves.
func (r *predictor) trace(f *Fit) {
	m := f.model
	chances := make([][]float64, len(m.slope)) // by node, then ability
	for n := range chances {
		for _, t := range r.ability {
			p, _ := logistic(m.slope[n] * (t - m.hard[n]))
			chances[n] = append(chances[n], p)
		}
	}
	post := make([]float64, len(m.slope))
	for _, c := range m.patterns {
		m.posterior(c, post)
		curve := make([]float64, len(r.ability))
		for n, w := range post {
			if w < 1e-9 {
				continue
			}
			for g, p := range chances[n] {
				curve[g] += w * p
			}
		}
		for g, p := range curve {
			curve[g] = min(max(p, 1e-6), 1-1e-6)
		}
		for _, i := range c.items {
			r.curves[i] = curve
		}
	}
}

// slope returns how steep a curve is at a place of the grid.
func (r *predictor) slope(curve []float64, g int) float64 {
	lo, hi := max(0, g-1), min(len(curve)-1, g+1)
	return (curve[hi] - curve[lo]) / (r.ability[hi] - r.ability[lo])
}

// choose returns the n instances, in the order in which they are taken, that make the variance of a
// predicted score least each: what the ability is not known by their information, times how the
// score on the others turns on it, and what chance does on the others; over abilities as the prior
// weighs them. Of instances that tell the same the first of a drawn order is taken, not of the
// release's, where the easy splits come first.
func (r *predictor) choose(n int) []int {
	var places []int
	for g := 0; g < len(r.ability); g += 4 {
		places = append(places, g)
	}
	sd := (r.ability[len(r.ability)-1] - r.ability[0]) / 8
	type state struct{ steep, chance, information float64 } // of the others, and of what was taken
	at := make([]state, len(places))
	for k, g := range places {
		at[k].information = 1 / (sd * sd)
		for _, c := range r.curves {
			at[k].steep += r.slope(c, g)
			at[k].chance += c[g] * (1 - c[g])
		}
	}
	with := func(s state, c []float64, g int) state {
		d, v := r.slope(c, g), c[g]*(1-c[g])
		return state{s.steep - d, s.chance - v, s.information + d*d/v}
	}
	var chosen []int
	order := rng.New(0, "items", "subset").Choose(len(r.curves), len(r.curves))
	for len(chosen) < n {
		best, least := -1, math.Inf(1)
		for _, i := range order {
			c := r.curves[i]
			if slices.Contains(chosen, i) {
				continue
			}
			sum := 0.0
			for k, g := range places {
				s := with(at[k], c, g)
				sum += math.Exp(r.logPrior[g]) * (s.steep*s.steep/s.information + s.chance)
			}
			if sum < least {
				best, least = i, sum
			}
		}
		for k, g := range places {
			at[k] = with(at[k], r.curves[best], g)
		}
		chosen = append(chosen, best)
	}
	return chosen
}

// predict returns the share of all instances that a player wins, from its cells of the chosen
// ones, with the model's 95 % interval.
func (r *predictor) predict(cells []Cell, chosen []int) Estimate {
	post, most := slices.Clone(r.logPrior), math.Inf(-1)
	known, rest, chance := 0.0, make([]float64, len(post)), make([]float64, len(post))
	in := make([]bool, len(r.curves))
	for _, i := range chosen {
		c := cells[i]
		if in[i] = c.Tried > 0; !in[i] {
			continue
		}
		known += float64(c.Won) / float64(c.Tried)
		for g, p := range r.curves[i] {
			post[g] += float64(c.Won)*math.Log(p) + float64(c.Tried-c.Won)*math.Log1p(-p)
		}
	}
	for i, curve := range r.curves {
		if !in[i] {
			for g, p := range curve {
				rest[g] += p
				chance[g] += p * (1 - p)
			}
		}
	}
	for _, v := range post {
		most = max(most, v)
	}
	var sum, center, square, noise float64
	for g, v := range post {
		w := math.Exp(v - most)
		sum, center, square, noise = sum+w, center+w*rest[g], square+w*rest[g]*rest[g], noise+w*chance[g]
	}
	center, square, noise = center/sum, square/sum, noise/sum
	n := float64(len(r.curves))
	value, half := (known+center)/n, normal975*math.Sqrt(max(0, square-center*center)+noise)/n
	return Estimate{value, max(0, value-half), min(1, value+half)}
}

// Held is a player whose score on all instances was predicted without it.
type Held struct {
	Player    string
	Score     float64
	Predicted Estimate
}

func (h Held) miss() float64 { return h.Predicted.Value - h.Score }

// Subset is instances that predict the score on all.
type Subset struct {
	Chosen []int
	Held   []Held // players held out one after the other, or in tenths; nil for fewer than leastHeld

	data      Data
	predictor *predictor
}

// leastHeld is the number of players from which on some are held out.
const leastHeld = 4

// ChooseSubset chooses n instances. Errors: fault.Usage for a number that is none of a subset; as
// FitModel.
func ChooseSubset(f *Fit, n int) (*Subset, error) {
	if n < 1 || n >= len(f.data.Items) {
		return nil, fault.New(fault.Usage, "--n %d: want 1 to %d, fewer than the instances that were played",
			n, len(f.data.Items)-1)
	}
	r := newPredictor(f)
	s := &Subset{Chosen: r.choose(n), data: f.data, predictor: r}
	if len(f.data.Players) < leastHeld {
		return s, nil
	}
	var err error
	s.Held, err = holdOut(f.data, f.Model, n)
	return s, err
}

// Predict returns the score on all instances of a player with these cells of them.
func (s *Subset) Predict(cells []Cell) Estimate { return s.predictor.predict(cells, s.Chosen) }

// Score returns the mean share won of the instances that were played, and how many those are.
func Score(cells []Cell) (share float64, played int) {
	for _, c := range cells {
		if c.Tried > 0 {
			share += float64(c.Won) / float64(c.Tried)
			played++
		}
	}
	return share / max(1, float64(played)), played
}

// holdOut predicts each player by a subset that was chosen without it. Beyond folds players several
// are held out at a time.
func holdOut(d Data, name ModelName, n int) ([]Held, error) {
	const folds = 12
	count := min(folds, len(d.Players))
	out, errs := make([]Held, len(d.Players)), make([]error, count)
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for fold := range count {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[fold] = holdOutFold(d, name, n, fold, count, out)
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func holdOutFold(d Data, name ModelName, n, fold, folds int, out []Held) error {
	f, err := FitModel(d.keep(func(p int) bool { return p%folds != fold }), name)
	if err != nil {
		return err
	}
	r := newPredictor(f)
	chosen := r.choose(n)
	for p := fold; p < len(d.Players); p += folds {
		cells := d.ofPlayer(p)
		score, _ := Score(cells)
		out[p] = Held{d.Players[p], score, r.predict(cells, chosen)}
	}
	return nil
}

// Miss is how far predictions lie from scores.
type Miss struct {
	Players   int
	Mean, Max float64 // absolute
	Root      float64 // of the mean square
	// Within is the half-width within which the prediction of another player lies in 95 of 100
	// cases: Student's quantile times Root, or times what the model says of itself if that is more,
	// since few players may be predicted well by luck.
	Within float64
}

// MissOf sums up; nil without players.
func MissOf(held []Held) *Miss {
	if len(held) == 0 {
		return nil
	}
	m, n, own := Miss{Players: len(held)}, float64(len(held)), 0.0
	for _, h := range held {
		e, sd := math.Abs(h.miss()), (h.Predicted.Hi-h.Predicted.Lo)/2/normal975
		m.Mean, m.Max, m.Root, own = m.Mean+e/n, max(m.Max, e), m.Root+e*e/n, own+sd*sd/n
	}
	m.Within = student975(n) * math.Sqrt(max(m.Root, own))
	m.Root = math.Sqrt(m.Root)
	return &m
}

// student975 returns the 97.5 % quantile of Student's distribution by its expansion, whose error is
// below 1 % from 4 degrees of freedom on.
func student975(df float64) float64 {
	z := normal975
	z3 := z * z * z
	z5, z7 := z3*z*z, z3*z3*z
	return z + (z3+z)/(4*df) + (5*z5+16*z3+3*z)/(96*df*df) + (3*z7+19*z5+17*z3-15*z)/(384*df*df*df)
}

// ByChance returns the error, as Miss.Root, that the mean over so many instances drawn at random
// would leave on these players.
func (s *Subset) ByChance() float64 {
	sum, all, n := 0.0, float64(len(s.data.Items)), float64(len(s.Chosen))
	for p := range s.data.Players {
		score, _ := Score(s.data.ofPlayer(p))
		sum += score * (1 - score) / n * (all - n) / (all - 1)
	}
	return math.Sqrt(sum / float64(len(s.data.Players)))
}
