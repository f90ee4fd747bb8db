package fit

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/schemas/rng"
)

func unit(s *rng.Stream) float64 { return float64(s.Uint64()>>11) / (1 << 53) }

// The fits of R: glm(am ~ wt, binomial) and lm(mpg ~ wt) of its data set mtcars.
var (
	weights = []float64{
		2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73, 3.78, 5.25,
		5.424, 5.345, 2.2, 1.615, 1.835, 2.465, 3.52, 3.435, 3.84, 3.845, 1.935, 2.14, 1.513, 3.17, 2.77, 3.57, 2.78,
	}
	manual = []int{0, 1, 2, 17, 18, 19, 25, 26, 27, 28, 29, 30, 31}
	miles  = []float64{
		21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4,
		14.7, 32.4, 30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4,
	}
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %g, want %g", what, got, want)
	}
}

func TestFitsAreThoseOfR(t *testing.T) {
	won := make([]bool, len(weights))
	for _, i := range manual {
		won[i] = true
	}
	c, err := Logistic(weights, won)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "intercept", c.Intercept, 12.040, 5e-4)
	near(t, "slope", c.Slope, -4.024, 5e-4)
	near(t, "standard error of the slope", math.Sqrt(c.cov[2]), 1.436, 2e-3)
	near(t, "standard error of the intercept", math.Sqrt(c.cov[0]), 4.510, 5e-3)
	near(t, "p", c.P, 0.00508, 1e-4)
	l, err := Linear(weights, miles)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "intercept", l.Intercept, 37.2851, 5e-5)
	near(t, "slope", l.Slope, -5.3445, 5e-5)
	near(t, "R2", l.R2, 0.7528, 5e-5)
	near(t, "p", l.P, 1.294e-10, 1e-13)
	near(t, "low", l.Low, -6.486308, 1e-5)
	near(t, "high", l.High, -4.202635, 1e-5)
}

func TestIntervalsCoverWhatWasPlanted(t *testing.T) {
	const rounds = 300
	covered, curve := 0, 0
	for round := range rounds {
		s := rng.New(uint64(round), "fit")
		x, won := make([]float64, 200), make([]bool, 200)
		for i := range x {
			x[i] = unit(s) * 4
			won[i] = unit(s) < chance(-1.5+0.8*x[i])
		}
		c, err := Logistic(x, won)
		if err != nil {
			t.Fatal(err)
		}
		half := z95 * math.Sqrt(c.cov[2])
		if math.Abs(c.Slope-0.8) < half {
			covered++
		}
		if at := c.At(3); at.Low < chance(0.9) && chance(0.9) < at.High {
			curve++
		}
	}
	for what, n := range map[string]int{"slope": covered, "curve": curve} {
		if n < rounds*91/100 || n > rounds*99/100 {
			t.Errorf("the interval of the %s covers it in %d of %d rounds", what, n, rounds)
		}
	}
}

func TestWhatHasNoCurveSaysWhy(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	half := []bool{false, false, false, false, false, true, true, true, true, true}
	none := make([]bool, 10)
	same := slices.Repeat([]float64{0.1}, 10)
	for _, c := range []struct {
		x   []float64
		won []bool
		err error
	}{
		{x[:5], half[:5], ErrFew},
		{x, none, ErrOneSided},
		{x, append(none[:9:9], true), ErrOneSided},
		{same, half, ErrConstant},
		{x, half, ErrSeparated},
	} {
		if _, err := Logistic(c.x, c.won); !errors.Is(err, c.err) {
			t.Errorf("%v, %v: %v, want %v", c.x, c.won, err, c.err)
		}
	}
	if _, err := Linear(same, x); !errors.Is(err, ErrConstant) {
		t.Errorf("a line through one place: %v", err)
	}
}

func TestWideNumbersAreTakenByTheirLogarithm(t *testing.T) {
	s := rng.New(1, "wide")
	var x []float64
	var won []bool
	for range 400 {
		e := unit(s)*6 - 5
		x, won = append(x, math.Pow(10, e)), append(won, unit(s) < chance(1+0.9*e))
	}
	c, err := Logistic(x, won)
	if err != nil || !c.Log || math.Abs(c.Slope-0.9) > 0.3 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestHolmIsThatOfR(t *testing.T) { // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
	got := Holm([]float64{0.01, 0.04, math.NaN(), 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, math.NaN(), 0.06, 0.02} {
		if math.Abs(got[i]-want) > 1e-12 || math.IsNaN(want) != math.IsNaN(got[i]) {
			t.Errorf("%d: %g, want %g", i, got[i], want)
		}
	}
}
