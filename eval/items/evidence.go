package items

import (
	"cmp"
	"math"
	"slices"

	"github.com/wikinav/wikinav/schemas/order"
)

// Misfit is how far what was seen lies from what a model expects: mean squares of residuals, 1
// where they are as large as chance makes them, weighted by information (Infit) or not (Outfit).
type Misfit struct{ Infit, Outfit float64 }

// misfit compares cells with their expected shares.
func misfit(cells []Cell, chance func(i int) float64) *Misfit {
	var squares, variance, ratio, n float64
	for i, c := range cells {
		if c.Tried == 0 {
			continue
		}
		tried, p := float64(c.Tried), chance(i)
		r, v := float64(c.Won)-tried*p, max(tried*p*(1-p), 1e-9)
		squares, variance, ratio, n = squares+r*r, variance+v, ratio+r*r/v, n+1
	}
	if n == 0 {
		return nil
	}
	return &Misfit{squares / variance, ratio / n}
}

// chance returns how probable the model holds a win of a player.
func (f *Fit) chance(player, item int) float64 {
	above := f.Abilities[player].Value - f.Difficulties[item].Value
	p, _ := logistic(f.Discrimination[item].Value * above)
	return p
}

// pointBiserial returns the correlation, over players, of the share won of an instance with the
// share won of all others; nil where either does not vary or fewer than three players count. totals
// are the players' wins and attempts at all instances.
func pointBiserial(cells, totals []Cell) *float64 {
	var x, y []float64
	for p, c := range cells {
		all := totals[p]
		if c.Tried > 0 && all.Tried > c.Tried {
			x = append(x, float64(c.Won)/float64(c.Tried))
			y = append(y, float64(all.Won-c.Won)/float64(all.Tried-c.Tried))
		}
	}
	if len(x) < 3 {
		return nil
	}
	return correlation(x, y)
}

// correlation returns Pearson's, nil where a side does not vary.
func correlation(x, y []float64) *float64 {
	var mx, my, xx, yy, xy float64
	for i := range x {
		mx, my = mx+x[i]/float64(len(x)), my+y[i]/float64(len(x))
	}
	for i := range x {
		a, b := x[i]-mx, y[i]-my
		xx, yy, xy = xx+a*a, yy+b*b, xy+a*b
	}
	if xx < 1e-12 || yy < 1e-12 {
		return nil
	}
	r := xy / math.Sqrt(xx*yy)
	return &r
}

// rankCorrelation returns Spearman's, equal values having the mean of their ranks.
func rankCorrelation(x, y []float64) *float64 { return correlation(ranks(x), ranks(y)) }

func ranks(x []float64) []float64 {
	list := make([]int, len(x))
	for i := range list {
		list[i] = i
	}
	order.Sort(list, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	out := make([]float64, len(x))
	for from := 0; from < len(list); {
		to := from
		for to < len(list) && x[list[to]] == x[list[from]] {
			to++
		}
		for _, i := range list[from:to] {
			out[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return out
}

// reversals tests instances for being won by the weak and lost by the strong.
type reversals struct {
	abilities []Estimate       // of the one-parameter model
	ways      map[string]*ways // by the attempts of each player
}

// maxTested is how many attempts an instance may have to be tested: the work grows with their cube.
const maxTested = 400

// of returns how probable it is, were all instances equally sharp, that so many wins go to players
// so weak: the conditional test of the Rasch model, exact given the abilities (Ponocny 2001,
// https://doi.org/10.1007/BF02294444). The difficulty does not matter to it. It returns nil where
// nothing or everything was won, and beyond maxTested.
func (r reversals) of(cells []Cell) *float64 {
	won, tried := total(cells)
	if won == 0 || won == tried || tried > maxTested {
		return nil
	}
	key := make([]byte, 0, 2*len(cells))
	for _, c := range cells {
		key = append(key, byte(c.Tried), byte(c.Tried>>8))
	}
	w := r.ways[string(key)]
	if w == nil {
		w = newWays(cells, r.abilities)
		r.ways[string(key)] = w
	}
	points := 0
	for p, c := range cells {
		points += c.Won * w.score[p]
	}
	return w.upTo(won, points)
}

// ways is the probability of so many wins that are worth so many points together, a win being worth
// the more the abler the player.
type ways struct {
	score []int // of a win of each player
	of    [][]float64
}

func newWays(cells []Cell, abilities []Estimate) *ways {
	_, tried := total(cells)
	low, high := math.Inf(1), math.Inf(-1)
	for p, c := range cells {
		if c.Tried > 0 {
			low, high = min(low, abilities[p].Value), max(high, abilities[p].Value)
		}
	}
	unit := float64(min(100, 4000/tried)) / max(high-low, 1e-9) // a win is worth at most 100 points
	w, most := &ways{}, 0
	for p, c := range cells {
		w.score = append(w.score, max(0, int(math.Round(unit*(abilities[p].Value-low)))))
		most += c.Tried * w.score[p]
	}
	w.of = make([][]float64, tried+1)
	for i := range w.of {
		w.of[i] = make([]float64, most+1)
	}
	w.of[0][0] = 1
	for p, c := range cells {
		chance, _ := logistic(abilities[p].Value - (low+high)/2)
		for range c.Tried {
			w.add(w.score[p], chance)
		}
	}
	return w
}

// add lets an attempt be made.
func (w *ways) add(score int, chance float64) {
	for wins, to := range slices.Backward(w.of) {
		for s := range slices.Backward(to) {
			to[s] *= 1 - chance
			if wins > 0 && s >= score {
				to[s] += chance * w.of[wins-1][s-score]
			}
		}
	}
}

// upTo returns the share of the ways to so many wins that have at most so many points.
func (w *ways) upTo(wins, points int) *float64 {
	part, all := 0.0, 0.0
	for s, v := range w.of[wins] {
		all += v
		if s <= points {
			part += v
		}
	}
	if all == 0 {
		return nil
	}
	share := part / all
	return &share
}

// falseRates turns probabilities into the smallest rate of false discoveries at which each counts
// (Benjamini and Hochberg 1995, https://doi.org/10.1111/j.2517-6161.1995.tb02031.x); nil stays.
func falseRates(p []*float64) []*float64 {
	var list []int
	for i, x := range p {
		if x != nil {
			list = append(list, i)
		}
	}
	order.Sort(list, func(a, b int) int { return cmp.Compare(*p[a], *p[b]) })
	out, least := make([]*float64, len(p)), 1.0
	for k, i := range slices.Backward(list) {
		least = min(least, *p[i]*float64(len(list))/float64(k+1))
		q := least
		out[i] = &q
	}
	return out
}
