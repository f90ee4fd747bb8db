package game

import (
	"math/big"
	"regexp"
	"strconv"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// BudgetFixed is the budget that max_steps is: left out of the options.
const BudgetFixed = "fixed"

// budget gives a game ceil(num/den * d) + extra turns, d being its length.
type budget struct{ num, den, extra int }

var budgetForm = regexp.MustCompile(`^([1-9][0-9]{0,2}(?:/[1-9][0-9]{0,2})?)\*d\+(0|[1-9][0-9]{0,2})$`)

// readBudget reads a rule, which has one spelling alone: rules that are equal must have one hash.
// No game is shorter than its length.
func readBudget(text string) (b budget, ok bool) {
	parts := budgetForm.FindStringSubmatch(text)
	if parts == nil {
		return b, false
	}
	ratio, _ := new(big.Rat).SetString(parts[1])
	b.num, b.den = int(ratio.Num().Int64()), int(ratio.Denom().Int64())
	b.extra, _ = strconv.Atoi(parts[2])
	return b, b.num >= b.den && ratio.RatString() == parts[1]
}

// limitOf returns the turns of a game; one without a path has no length to count a budget by.
func limitOf(o schemas.GameOptions, length int) int {
	if b, ok := readBudget(o.Budget); ok && length != int(schemas.Unreached) {
		return (b.num*length+b.den-1)/b.den + b.extra
	}
	return o.MaxSteps
}

func checkBudget(o schemas.GameOptions) error {
	if o.Budget == "" {
		return nil
	}
	if _, ok := readBudget(o.Budget); !ok {
		return fault.New(fault.Usage, "game option budget has no value %s", fault.Quote(o.Budget)).
			Hint("write %s, or m*d+n as 2*d+5 or 3/2*d+4, m in lowest terms and at least 1", BudgetFixed)
	}
	if o.Oracle == OracleNone {
		return fault.New(fault.Usage, "game option budget=%s needs an oracle: the turns left tell the distance", o.Budget).Hint("set oracle=base")
	}
	return nil
}
