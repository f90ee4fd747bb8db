package stages_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/stagetest"
)

func ratio(num, den int64) schemas.Ratio { return schemas.Ratio{Num: num, Den: den} }

// warned tells what each of the two rules says of a measure.
func warned(t *testing.T, measured, threshold schemas.Ratio) (above, below bool) {
	t.Helper()
	up, down := stagetest.New(t), stagetest.New(t)
	stages.WarnAbove(up, "W_UP", measured, threshold)
	stages.WarnBelow(down, "W_DOWN", measured, threshold)
	for code, env := range map[string]*stagetest.Env{"W_UP": up, "W_DOWN": down} {
		want := []schemas.Warning{{Code: code, Measured: measured, Threshold: threshold}}
		if len(env.Warnings) > 0 && !slices.Equal(env.Warnings, want) {
			t.Errorf("got %+v, want %+v", env.Warnings, want)
		}
	}
	return len(up.Warnings) == 1, len(down.Warnings) == 1
}

func TestAMeasureIsComparedExactly(t *testing.T) {
	for _, c := range []struct {
		measured, threshold schemas.Ratio
		above, below        bool
	}{
		{ratio(1, 2), ratio(50, 100), false, false},
		{ratio(51, 100), ratio(1, 2), true, false},
		{ratio(49, 100), ratio(1, 2), false, true},
		{ratio(0, 3), ratio(1, 1000), false, true},
		{ratio(0, 0), ratio(1, 2), false, false}, // nothing was measured
		{ratio(7, 0), ratio(1, 2), false, false},
		{ratio(math.MaxInt64, math.MaxInt64-1), ratio(1, 1), true, false}, // equal in floating point
		{ratio(math.MaxInt64-1, math.MaxInt64), ratio(1, 1), false, true},
	} {
		if above, below := warned(t, c.measured, c.threshold); above != c.above || below != c.below {
			t.Errorf("%+v against %+v: got above %t, below %t; want %t, %t", c.measured, c.threshold, above, below, c.above, c.below)
		}
	}
}

func TestRandomMeasuresAreComparedAsFractions(t *testing.T) {
	r := rng.New(1, "warn")
	term := func() int64 { return 1 + int64(r.Uint64()>>1)>>r.Below(62) }
	for range 1000 {
		m, limit := ratio(term(), term()), ratio(term(), term())
		order := big.NewRat(m.Num, m.Den).Cmp(big.NewRat(limit.Num, limit.Den))
		if above, below := warned(t, m, limit); above != (order > 0) || below != (order < 0) {
			t.Fatalf("seed 1: %+v against %+v: got above %t, below %t; want order %d", m, limit, above, below, order)
		}
	}
}
