package aar

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Values are those of Python, in 64-bit integers and doubles. What does not fit is errOverflow, and
// what has no value errNoNumber.
var (
	errOverflow = errors.New("the value does not fit 64 bits")
	errNoNumber = errors.New("the value is not a number")
	errNoText   = errors.New("the value is not a text")
)

var pyNumber = regexp.MustCompile(
	`^[-+]?([0-9](_?[0-9])*(\.([0-9](_?[0-9])*)?)?|\.[0-9](_?[0-9])*)([eE][-+]?[0-9](_?[0-9])*)?$`)

// pyFloat returns float(s) of Python, where that is finite.
func pyFloat(s string) (float64, bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f })
	if !pyNumber.MatchString(s) {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return f, err == nil
}

// Number returns a value as a double, and whether it is a number: one as such, or a text that is
// one without its commas and the blanks around it.
func Number(v schemas.AARValue) (float64, bool) {
	if s, ok := text(v); ok {
		return pyFloat(strings.ReplaceAll(s, ",", ""))
	}
	return pyFloat(string(v))
}

// Int returns int(f) of Python, f truncated toward zero.
func Int(f float64) (int64, error) {
	if math.IsNaN(f) || f >= 1<<63 || f < -1<<63 {
		return 0, errOverflow
	}
	return int64(f), nil
}

// Operand returns int(float(v)), the operand of a reduction and, but for its sign, of a transform.
func Operand(v schemas.AARValue) (int64, error) {
	f, ok := Number(v)
	if !ok {
		return 0, errNoNumber
	}
	return Int(f)
}

// exact returns int(v), which of an integer keeps every digit.
func exact(v schemas.AARValue) (int64, error) {
	if integerForm.Match(v) {
		n, err := strconv.ParseInt(string(v), 10, 64)
		if err != nil {
			return 0, errOverflow
		}
		return n, nil
	}
	return Operand(v)
}

// add and sub are the sum and difference where they fit.
func add(a, b int64) (int64, error) {
	if s := a + b; (s > a) == (b > 0) {
		return s, nil
	}
	return 0, errOverflow
}

func sub(a, b int64) (int64, error) {
	if d := a - b; (d < a) == (b > 0) {
		return d, nil
	}
	return 0, errOverflow
}

// abs is the size of numbers above -2^63; absDiff(n, 0) is that of all.
func abs(n int64) int64 { return max(n, -n) }

func absDiff(a, b int64) (int64, error) {
	d, err := sub(a, b)
	if d == math.MinInt64 {
		return 0, errOverflow
	}
	return abs(d), err
}

// Mod10 returns n % 10 of Python, which is never negative.
func Mod10(n int64) int64 { return ((n % 10) + 10) % 10 }

// The two ways to merge the branches of a diamond.
const (
	MergeAdd     = "add"
	MergeAbsDiff = "abs_diff"
)

// Merge returns int(a) + int(b), or abs(int(a) - int(b)).
func Merge(op string, a, b schemas.AARValue) (int64, error) {
	x, errX := exact(a)
	y, errY := exact(b)
	if err := errors.Join(errX, errY); err != nil {
		return 0, err
	}
	switch op {
	case MergeAdd:
		return add(x, y)
	case MergeAbsDiff:
		return absDiff(x, y)
	}
	return 0, errors.New("no merge is named " + fault.Quote(op))
}

// Convert returns int(value * factor).
func Convert(v schemas.AARValue, factor float64) (int64, error) {
	f, ok := Number(v)
	if !ok {
		return 0, errNoNumber
	}
	return Int(f * factor)
}

// Days returns the number of days between two dates as 2026-01-31.
func Days(a, b string) (int64, error) {
	from, errA := time.Parse(time.DateOnly, a)
	to, errB := time.Parse(time.DateOnly, b)
	if err := errors.Join(errA, errB); err != nil || from.Year() == 0 || to.Year() == 0 {
		return 0, errors.New("want two dates as 2026-01-31, from the year 1 on")
	}
	return abs((to.Unix() - from.Unix()) / 86400), nil
}

// Repr returns a float as Python prints it.
func Repr(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// Computation is what the Python string of a tool stop computes.
type Computation struct {
	Kind   string   // MergeAdd, MergeAbsDiff, conversion or days
	Values []string // the two numbers or dates; of a conversion its number
	Factor float64  // of a conversion
}

// The kinds of computations that are no merges.
const (
	Conversion = "conversion"
	DaysKind   = "days"
)

var (
	literal      = `(-?[0-9][0-9_.]*(?:[eE][-+]?[0-9]+)?)`
	addCode      = regexp.MustCompile(`\bresult = int\(` + literal + `\) \+ int\(` + literal + `\)`)
	diffCode     = regexp.MustCompile(`\bresult = abs\(int\(` + literal + `\) - int\(` + literal + `\)\)`)
	valueCode    = regexp.MustCompile(`\bvalue = ` + literal)
	factorCode   = regexp.MustCompile(`\bvalue \* ` + literal)
	constantCode = regexp.MustCompile(`\bint\(` + literal + ` \* ` + literal + `\)`)
	dateCode     = regexp.MustCompile(`\bfromisoformat\(['"]([0-9-]+)['"]\)`)
)

// ReadPython returns what a Python string of the released form or of ours computes; ok is false for
// others.
func ReadPython(code string) (c Computation, ok bool) {
	if m := addCode.FindStringSubmatch(code); m != nil {
		return Computation{Kind: MergeAdd, Values: m[1:]}, true
	}
	if m := diffCode.FindStringSubmatch(code); m != nil {
		return Computation{Kind: MergeAbsDiff, Values: m[1:]}, true
	}
	if m := dateCode.FindAllStringSubmatch(code, 3); len(m) == 2 {
		return Computation{Kind: DaysKind, Values: []string{m[0][1], m[1][1]}}, true
	}
	value, factor := valueCode.FindStringSubmatch(code), factorCode.FindStringSubmatch(code)
	if m := constantCode.FindStringSubmatch(code); m != nil {
		value, factor = m[:2], []string{"", m[2]}
	}
	if value == nil || factor == nil {
		return c, false
	}
	f, ok := pyFloat(factor[1])
	return Computation{Kind: Conversion, Values: value[1:], Factor: f}, ok
}

// Value computes it.
func (c Computation) Value() (int64, error) {
	switch c.Kind {
	case Conversion:
		return Convert(schemas.AARValue(c.Values[0]), c.Factor)
	case DaysKind:
		return Days(c.Values[0], c.Values[1])
	}
	return Merge(c.Kind, schemas.AARValue(c.Values[0]), schemas.AARValue(c.Values[1]))
}
