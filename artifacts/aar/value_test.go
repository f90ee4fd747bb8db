package aar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
)

func raw(v any) schemas.AARValue {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return out
}

func TestTheChecksOfTheSpecificationHold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		v    any
		want int64
	}{
		{"next_prime", 13, 17},
		{"num_divisors", 12, 6},
		{"sum_prime_factors", 12, 5},
		{"largest_prime_factor", 84, 7},
		{"roman_numeral_letter_count", 1999, 7},
		{"binary_1bit_count", 55, 5},
		{"digit_reversal", 120, 21},
		{"digit_sum", 9725, 23},
		{"day_of_week", 2000, 6},
		{"leap_years_to_2000", 1996, 2},
		{"scrabble_score", "quiz", 22},
		{"vowel_count", "Abjad", 2},
		{"digital_root", "1,234.9", 1},
		{"alpha_position_first_letter", "zebra", 26},
	} {
		if got, err := Transform(c.name, raw(c.v)); err != nil || got != c.want {
			t.Errorf("%s(%v) = %d (%v), want %d", c.name, c.v, got, err, c.want)
		}
	}
	for expression, want := range map[string]int64{
		"digital_root(150 + 2 + 2)": 1, "(11 + 25) % 10": 6, "abs(389 - 18) % 10": 1, "(-3 + 0) % 10": 7,
		"digital_root(-5 + 5)": 0, "abs(-3 - -14) % 10": 1,
	} {
		f, err := Finish(expression)
		got, err2 := f.Value()
		if err != nil || err2 != nil || got != want || f.String() != expression {
			t.Errorf("%s = %d as %s (%v, %v), want %d", expression, got, f, err, err2, want)
		}
	}
	if n, err := Convert(raw(26.0), 0.621371); n != 16 || err != nil {
		t.Errorf("26 km are %d miles (%v)", n, err)
	}
	if n, err := Merge(MergeAdd, raw(389.09), raw(18.0)); n != 407 || err != nil {
		t.Errorf("389.09 + 18.0 = %d (%v)", n, err)
	}
	if n, err := Int(-2.7); n != -2 || err != nil {
		t.Errorf("int(-2.7) = %d (%v)", n, err)
	}
}

func TestOtherExpressionsAreRefused(t *testing.T) {
	t.Parallel()
	for _, e := range []string{
		"", "1 + 2", "(1 + 2)", "(1 + 2) % 9", "digital_root(1)", "(1 + 2 + 3 + 4 + 5) % 10", "abs(1 - 2 - 3) % 10",
		"abs(1 + 2) % 10", "digital_root(1 - 2)", "(1 + +2) % 10", "(1 +  2) % 10", "(01e3 + 2) % 10", "(1 + 2) % 10\n",
		"(9223372036854775808 + 1) % 10", "digital_root(1 + )", "digital_root()", "(٣ + 4) % 10",
	} {
		if f, err := Finish(e); err == nil {
			t.Errorf("%q was read as %+v", e, f)
		}
	}
	if _, err := (Expression{ReduceMod, []int64{math.MaxInt64, 1}}).Value(); err == nil {
		t.Error("a sum beyond 64 bits has a value")
	}
	if _, err := (Expression{ReduceDiff, []int64{math.MinInt64, 0}}).Value(); err == nil {
		t.Error("a difference beyond 64 bits has a value")
	}
}

// question is an operation with its arguments, and our answer.
type question struct {
	in  string
	got string
}

func ask(n int64, err error, op string, args ...any) question {
	q := question{string(raw(append([]any{op}, args...))), strconv.FormatInt(n, 10)}
	if err != nil {
		q.got = "error"
	}
	return q
}

// someNumber draws integers and floats of both signs and of many sizes, as numbers and as texts.
func someNumber(r *rand.Rand, most float64) any {
	f := math.Pow(most, r.Float64())
	if r.IntN(2) == 0 {
		f = -f
	}
	switch r.IntN(5) {
	case 0:
		return json.RawMessage(Repr(f))
	case 1:
		return strconv.FormatFloat(f, 'f', r.IntN(4), 64)
	case 2:
		return " " + strings.ReplaceAll(fmt.Sprintf("%d,%03d", int64(f)/1000, int64(math.Abs(f))%1000), "--", "-") + "\u00a0"
	}
	return int64(f)
}

// someText draws words with letters of many kinds.
func someText(r *rand.Rand) string {
	letters := []rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ  --'.,0123456789éÉüñőŁİσΩжЖ日本\u2028\"\\")
	out := make([]rune, 1+r.IntN(20))
	for i := range out {
		out[i] = letters[r.IntN(len(letters))]
	}
	return string(out)
}

// mostOf is the largest input of a transform that python computes quickly.
func mostOf(r *rand.Rand, name string) float64 {
	row := transformTable()[name]
	switch {
	case row.Max != nil:
		return float64(*row.Max)
	case !strings.Contains(strings.Join(factoring, " "), name):
		return 1e17
	case r.IntN(1000) == 0:
		return 1e12
	}
	return 1e6
}

// TestValuesAreThoseOfPython asks python3 for the values of 10,000 random inputs of every operation.
func TestValuesAreThoseOfPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	const inputs = 10_000
	r := rand.New(rand.NewPCG(1, 2))
	var list []question
	for _, name := range Transforms() {
		for range inputs {
			var v any = someText(r)
			if transformTable()[name].Input == "number" && r.IntN(50) > 0 {
				v = someNumber(r, mostOf(r, name))
			}
			n, err := Transform(name, raw(v))
			list = append(list, ask(n, err, name, v))
		}
	}
	for range inputs {
		list = append(list, someOthers(r)...)
	}
	compare(t, python, list)
}

// someOthers asks one question of each operation that is no transform.
func someOthers(r *rand.Rand) (list []question) {
	for _, reduction := range Reductions {
		e := Expression{Reduction: reduction}
		var args []any
		for range 2 + r.IntN(3) {
			if reduction == ReduceDiff && len(args) == 2 {
				break
			}
			n := int64(r.Uint64()) >> r.IntN(64)
			e.Operands, args = append(e.Operands, n), append(args, n)
		}
		n, err := e.Value()
		op := map[string]string{ReduceRoot: "root", ReduceMod: ReduceMod, ReduceDiff: ReduceDiff}[reduction]
		list = append(list, ask(n, err, op, args...))
	}
	number := func() any {
		for {
			if v := someNumber(r, 1e19); raw(v)[0] != '"' {
				return v
			}
		}
	}
	a, b := number(), number()
	n, err := Merge(MergeAdd, raw(a), raw(b))
	list = append(list, ask(n, err, "add", a, b))
	n, err = Merge(MergeAbsDiff, raw(a), raw(b))
	list = append(list, ask(n, err, "merge_diff", a, b))
	factor := []float64{3.28084, 0.621371, 1.09361, 1.8}[r.IntN(4)]
	n, err = Convert(raw(a), factor)
	list = append(list, ask(n, err, "convert", a, factor))
	v := someNumber(r, 1e19)
	n, err = Operand(raw(v))
	list = append(list, ask(n, err, "operand", v))
	date := func() string {
		return fmt.Sprintf("%04d-%02d-%02d", r.IntN(10000), 1+r.IntN(12), 1+r.IntN(31))
	}
	from, to := date(), date()
	n, err = Days(from, to)
	list = append(list, ask(n, err, "days", from, to))
	f := math.Float64frombits(r.Uint64())
	if math.IsNaN(f) || math.IsInf(f, 0) {
		f = 0.1
	}
	return append(list, question{string(raw([]any{"repr", json.RawMessage(Repr(f))})), Repr(f)})
}

func compare(t *testing.T, python string, list []question) {
	t.Helper()
	var in bytes.Buffer
	for _, q := range list {
		in.WriteString(q.in + "\n")
	}
	cmd := exec.Command(python, "-I", "testdata/values.py")
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(answers) != len(list) {
		t.Fatalf("%d answers to %d questions", len(answers), len(list))
	}
	wrong, errs := 0, 0
	for i, q := range list {
		if q.got == "error" {
			errs++
		}
		if answers[i] != q.got {
			if wrong++; wrong <= 20 {
				t.Errorf("%s: %s, python3 has %s", q.in, q.got, answers[i])
			}
		}
	}
	t.Logf("%d questions, %d of them without a value, %d wrong", len(list), errs, wrong)
}
