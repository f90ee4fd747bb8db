package page

import (
	"math"
	"strconv"
	"testing"

	"github.com/wikinav/wikinav/schemas/canon"
)

// TestNumbersOfAPageAreThoseOfTheReport: no digit is lost between audit.json and what people read.
func TestNumbersOfAPageAreThoseOfTheReport(t *testing.T) {
	t.Parallel()
	for _, x := range []float64{
		0, 1, -1, 0.5, 1.0 / 3, 123456, 1234567, 1e15, 1e21, 5.13868e-3, 1.23456e-20, 9007199254740991, -2.5,
	} {
		decimal := canon.Decimal(x)
		want, err := strconv.ParseFloat(decimal, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := strconv.ParseFloat(real(decimal).Text, 64); err != nil || got != want {
			t.Errorf("%s is shown as %q", decimal, real(decimal).Text)
		}
		share, err := strconv.ParseFloat(percent(decimal).Sort, 64)
		if err != nil || share != want {
			t.Errorf("share %s sorts as %q", decimal, percent(decimal).Sort)
		}
	}
	if real("").Text != "" || percent("").Text != "" || numberOf(math.NaN()).Text != "" {
		t.Error("no number is shown as one")
	}
}
