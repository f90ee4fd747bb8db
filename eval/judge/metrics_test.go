package judge

import "testing"

func TestDecimalsHaveSixDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.846251: "8.46251e-01", 1: "1.00000e+00", -2.5: "-2.50000e+00", 1.0 / 3: "3.33333e-01"} {
		if got := *Decimal(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
	if Quotient(1, 0) != nil {
		t.Error("a denominator of 0 has a value")
	}
}

func TestMcNemarIsTwoSidedAndExact(t *testing.T) {
	for _, c := range []struct {
		b, c int
		want string
	}{{0, 0, "1.00000e+00"}, {1, 1, "1.00000e+00"}, {0, 5, "6.25000e-02"}, {5, 0, "6.25000e-02"}, {1, 9, "2.14844e-02"}, {0, 1, "1.00000e+00"}, {10, 25, "1.66738e-02"}, {2, 10, "3.85742e-02"}, {6, 6, "1.00000e+00"}} {
		if got := McNemar(c.b, c.c); got != c.want {
			t.Errorf("%d against %d: got %s, want %s", c.b, c.c, got, c.want)
		}
	}
}
