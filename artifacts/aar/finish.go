package aar

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// The reductions of the last stop.
const (
	ReduceRoot = "digital_root"
	ReduceMod  = "mod10"
	ReduceDiff = "abs_diff"
)

// Reductions lists them.
var Reductions = []string{ReduceRoot, ReduceMod, ReduceDiff}

// Expression is that of the last stop: a reduction of two to four integers, of two for ReduceDiff.
type Expression struct {
	Reduction string
	Operands  []int64
}

var finishForm = regexp.MustCompile(`^(?:digital_root(\([-+ 0-9]+\))|(\([-+ 0-9]+\)) % 10|abs(\(-?[0-9]+ - -?[0-9]+\)) % 10)$`)

// Finish reads an expression: digital_root(a + b), (a + b + c) % 10 or abs(a - b) % 10.
func Finish(expression string) (Expression, error) {
	m := finishForm.FindStringSubmatch(expression)
	if m == nil {
		return Expression{}, fmt.Errorf("%s is not digital_root(a + b), (a + b) %% 10 or abs(a - b) %% 10", fault.Quote(expression))
	}
	f, separator := Expression{}, " + "
	for i, sum := range m[1:] {
		if sum == "" {
			continue
		}
		if f.Reduction = Reductions[i]; f.Reduction == ReduceDiff {
			separator = " - "
		}
		for part := range strings.SplitSeq(sum[1:len(sum)-1], separator) {
			n, err := strconv.ParseInt(part, 10, 64)
			if err != nil || strings.HasPrefix(part, "+") {
				return Expression{}, fmt.Errorf("the operand %s is not an integer of 64 bits", fault.Quote(part))
			}
			f.Operands = append(f.Operands, n)
		}
	}
	if n := len(f.Operands); n < 2 || n > 4 {
		return f, fmt.Errorf("%w: %d of them, want 2 to 4", errOperands, n)
	}
	return f, nil
}

// errOperands is that an expression has too few or too many of them.
var errOperands = errors.New("the number of operands")

// String writes the expression, the form that Finish reads.
func (f Expression) String() string {
	separator, form := " + ", map[string]string{ReduceRoot: "digital_root(%s)", ReduceMod: "(%s) %% 10", ReduceDiff: "abs(%s) %% 10"}
	if f.Reduction == ReduceDiff {
		separator = " - "
	}
	var parts []string
	for _, n := range f.Operands {
		parts = append(parts, strconv.FormatInt(n, 10))
	}
	return fmt.Sprintf(form[f.Reduction], strings.Join(parts, separator))
}

// Value computes it: the digital root, or the sum or the difference modulo 10.
func (f Expression) Value() (int64, error) {
	if f.Reduction == ReduceDiff {
		d, err := absDiff(f.Operands[0], f.Operands[1])
		return Mod10(d), err
	}
	sum := int64(0)
	for _, n := range f.Operands {
		var err error
		if sum, err = add(sum, n); err != nil {
			return 0, err
		}
	}
	if f.Reduction == ReduceRoot {
		return DigitalRoot(sum), nil
	}
	return Mod10(sum), nil
}

// Used returns the references that the expression uses: all, or the first two for ReduceDiff.
func (f Expression) Used(references []int) []int {
	if f.Reduction == ReduceDiff {
		references = references[:min(2, len(references))]
	}
	return slices.Clone(references)
}

// FinishOf reads the expression of the last stop of a leg and returns with it its value over what
// the stops hold now.
func FinishOf(l *schemas.AARLeg) (f Expression, current int64, err error) {
	if len(l.Stops) == 0 || l.Stops[len(l.Stops)-1].Bridge.Expression == nil {
		return f, 0, errors.New("the leg has no finish expression")
	}
	bridge := l.Stops[len(l.Stops)-1].Bridge
	if f, err = Finish(*bridge.Expression); err != nil {
		return f, 0, err
	}
	now := Expression{Reduction: f.Reduction}
	for _, i := range f.Used(bridge.ReferencedStops) {
		if i < 0 || i >= len(l.Stops)-1 {
			return f, 0, fmt.Errorf("there is no stop %d before the last", i)
		}
		n, err := Operand(l.Stops[i].ExtractedValue)
		if err != nil {
			return f, 0, fmt.Errorf("stop %d: %w", i, err)
		}
		now.Operands = append(now.Operands, n)
	}
	if f.Reduction == ReduceDiff && len(now.Operands) < 2 {
		return f, 0, errOperands
	}
	current, err = now.Value()
	return f, current, err
}
