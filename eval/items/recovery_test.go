package items

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"

	"github.com/wikinav/wikinav/schemas/rng"
)

// planted is a world whose truth is known.
type planted struct {
	players, items, attempts int
	spread, varied           float64 // standard deviations of difficulties and of log discriminations
	missing                  float64 // share of attempts that were not made
	even                     bool    // difficulties are uniform, not normal as the model believes
}

type truth struct{ ability, hard, slope []float64 }

func uniform(s *rng.Stream) float64 { return (float64(s.Uint64()>>11) + 0.5) / (1 << 53) }

func gauss(s *rng.Stream) float64 {
	return math.Sqrt(-2*math.Log(uniform(s))) * math.Cos(2*math.Pi*uniform(s))
}

// simulate draws a truth, and what its players win.
func (p planted) simulate(seed uint64) (t truth, d Data) {
	s := rng.New(seed, "items", fmt.Sprint(p))
	for i := range p.players {
		d.Players = append(d.Players, fmt.Sprint("p", i))
		t.ability = append(t.ability, -2+4*float64(i)/float64(p.players-1)+0.3*gauss(s))
	}
	for i := range p.items {
		d.Items = append(d.Items, fmt.Sprint("i", i))
		b := p.spread * gauss(s)
		if p.even {
			b = p.spread * math.Sqrt(3) * (2*uniform(s) - 1)
		}
		a := math.Exp(p.varied * gauss(s))
		t.hard, t.slope = append(t.hard, b), append(t.slope, a)
		d.Cells = append(d.Cells, p.play(s, t, a, b))
	}
	return t, d
}

func (p planted) play(s *rng.Stream, t truth, a, b float64) (cells []Cell) {
	for _, ability := range t.ability {
		var c Cell
		chance, _ := logistic(a * (ability - b))
		for range p.attempts {
			if uniform(s) < p.missing {
				continue
			}
			c.Tried++
			if uniform(s) < chance {
				c.Won++
			}
		}
		cells = append(cells, c)
	}
	return cells
}

// counts are of abilities, difficulties and discriminations: how many there are, and how many lie
// in their intervals.
type counts struct{ in, all [3]int }

func (c *counts) count(t truth, f *Fit) {
	for k, list := range [][]Estimate{f.Abilities, f.Difficulties, f.Discrimination} {
		for i, x := range [][]float64{t.ability, t.hard, t.slope}[k] {
			c.all[k]++
			if list[i].Covers(x) {
				c.in[k]++
			}
		}
	}
}

func (c *counts) share(k int) float64 { return float64(c.in[k]) / float64(c.all[k]) }

// covered fits simulated worlds, several at a time.
func covered(t *testing.T, p planted, name ModelName, worlds int) (sum counts) {
	t.Helper()
	var lock sync.Mutex
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for seed := range worlds {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			truth, d := p.simulate(uint64(seed))
			f, err := FitModel(d, name)
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				t.Error(err)
				return
			}
			sum.count(truth, f)
		})
	}
	group.Wait()
	return sum
}

// The truth lies in 95 % intervals 95 times of 100. Where few players leave open how
// discriminations vary, their intervals are rather too wide.
func TestIntervalsHoldWhatWasPlanted(t *testing.T) {
	for _, c := range []struct {
		planted
		model  ModelName
		worlds int
		least  [3]float64
	}{
		{planted{10, 120, 1, 1.5, 0.5, 0, false}, TwoParameters, 200, [3]float64{0.93, 0.94, 0.94}},
		{planted{4, 100, 1, 1.5, 0.5, 0.1, false}, TwoParameters, 60, [3]float64{0.93, 0.93, 0.93}},
		{planted{10, 100, 3, 1.5, 0.4, 0.1, false}, TwoParameters, 25, [3]float64{0.93, 0.93, 0.93}},
		{planted{10, 120, 1, 1.5, 0, 0, false}, OneParameter, 100, [3]float64{0.93, 0.94, 1}},
		{planted{2, 50, 1, 1.5, 0, 0, false}, OneParameter, 100, [3]float64{0.93, 0.93, 1}},
		{planted{10, 100, 1, 1.5, 0.4, 0, true}, TwoParameters, 40, [3]float64{0.92, 0.93, 0.93}},
	} {
		got := covered(t, c.planted, c.model, c.worlds)
		t.Logf("%d worlds, %s, %+v: abilities %.3f, difficulties %.3f, discriminations %.3f",
			c.worlds, c.model, c.planted, got.share(0), got.share(1), got.share(2))
		for k, least := range c.least {
			if share := got.share(k); share < least || share > 0.985 && least < 1 {
				t.Errorf("%+v: interval %d holds %.3f of what was planted, want %.3f to 0.985",
					c.planted, k, share, least)
			}
		}
	}
}
