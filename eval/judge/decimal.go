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

// Spent returns what turns cost whose tokens are usage: by the price of the run, and where it names
// none what the players told of each turn. nil if that is not known of every turn.
func Spent(run *schemas.Run, usage *schemas.Usage, told []*string) *big.Rat {
	if run != nil && run.Price != nil || len(told) == 0 {
		return exactCost(run, usage)
	}
	sum := new(big.Rat)
	for _, cost := range told {
		x, ok := readCost(cost)
		if !ok {
			return nil
		}
		sum.Add(sum, x)
	}
	return sum
}

// TurnCost returns what one turn cost, as Spent does, as the decimal of a record.
func TurnCost(run *schemas.Run, usage *schemas.Usage, told *string) *string {
	if run != nil && run.Price != nil {
		return Cost(run.Price, usage)
	}
	if _, ok := readCost(told); !ok {
		return nil
	}
	return told // as it was told, not rounded
}

func exactCost(run *schemas.Run, usage *schemas.Usage) *big.Rat {
	if run == nil {
		return nil
	}
	return ExactCost(run.Price, usage)
}

func readCost(told *string) (*big.Rat, bool) {
	if told == nil {
		return nil, false
	}
	return PlainDecimal(*told)
}

// PlainDecimal reads a decimal, at least 0, without exponent: "1e999999999" is a gigabyte.
func PlainDecimal(text string) (*big.Rat, bool) {
	if len(text) > 30 || strings.Trim(text, "0123456789.") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
