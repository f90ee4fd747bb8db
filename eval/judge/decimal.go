package judge

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// Decimal returns x with 6 significant digits, the one form of a real number in our JSON.
func Decimal(x float64) *string {
	text := canon.Decimal(x)
	return &text
}

// Number reads a Decimal that was checked when it was read.
func Number(decimal string) float64 {
	x, err := strconv.ParseFloat(decimal, 64)
	if err != nil {
		panic(err)
	}
	return x
}

// Quotient returns the Decimal of an exact ratio, nil for a denominator of 0.
func Quotient(num, den int64) *string {
	if den == 0 {
		return nil
	}
	return Decimal(float64(num) / float64(den))
}

// DecimalOf returns the Decimal of an exact number; nil stays nil.
func DecimalOf(x *big.Rat) *string {
	if x == nil {
		return nil
	}
	f, _ := x.Float64()
	return Decimal(f)
}

// Cost returns what tokens cost, as the decimal of a record; nil if price or usage is missing.
func Cost(p *schemas.Price, u *schemas.Usage) *string { return DecimalOf(ExactCost(p, u)) }

// ExactCost returns what tokens cost; nil if price or usage is missing.
func ExactCost(p *schemas.Price, u *schemas.Usage) *big.Rat {
	if p == nil || u == nil {
		return nil
	}
	prompt, ok := PlainDecimal(p.PromptPerMTok)
	cached, ok2 := PlainDecimal(cmp.Or(p.CachedPerMTok, p.PromptPerMTok))
	output, ok3 := PlainDecimal(p.OutputPerMTok)
	if !ok || !ok2 || !ok3 {
		return nil
	}
	prompt.Mul(prompt, new(big.Rat).SetInt64(u.Prompt-u.Cached))
	cached.Mul(cached, new(big.Rat).SetInt64(u.Cached))
	output.Mul(output, new(big.Rat).SetInt64(u.Output))
	sum := prompt.Add(prompt, cached.Add(cached, output))
	return sum.Quo(sum, big.NewRat(1_000_000, 1))
}

// PlainDecimal reads a decimal, at least 0, without exponent: "1e999999999" is a gigabyte.
func PlainDecimal(text string) (*big.Rat, bool) {
	if len(text) > 30 || strings.Trim(text, "0123456789.") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
