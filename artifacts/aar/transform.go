package aar

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// maxFactored is the largest number that is taken apart into factors.
const maxFactored = 1e12

var (
	numberTransforms = map[string]func(n int64) (int64, error){
		"next_prime":                 nextPrime,
		"num_divisors":               numDivisors,
		"sum_prime_factors":          sumPrimeFactors,
		"largest_prime_factor":       largestPrimeFactor,
		"roman_numeral_letter_count": romanLetters,
		"binary_1bit_count":          func(n int64) (int64, error) { return int64(bits.OnesCount64(uint64(n))), nil },
		"digit_reversal":             digitReversal,
		"digital_root":               func(n int64) (int64, error) { return DigitalRoot(n), nil },
		"digit_sum":                  digitSum,
		"day_of_week":                dayOfWeek,
		"leap_years_to_2000":         leapYears,
	}
	textTransforms = map[string]func(s string) (int64, error){
		"scrabble_score":              scrabbleScore,
		"vowel_count":                 vowelCount,
		"alpha_position_first_letter": firstLetter,
	}
)

// transformTable is the part of templates.json about transforms, by name.
var transformTable = sync.OnceValue(func() map[string]transformRow {
	out := map[string]transformRow{}
	for _, row := range templateTable().Transforms {
		out[row.Name] = row
	}
	return out
})

type transformRow struct {
	Name  string `json:"name"`
	Input string `json:"input"` // number or text
	Min   *int64 `json:"min_abs"`
	Max   *int64 `json:"max_abs"`
}

// Transform returns the value of a transform, of which Transforms has the names. The bounds of
// Applies are not asked: released legs go beyond them.
func Transform(name string, v schemas.AARValue) (int64, error) {
	if f := textTransforms[name]; f != nil {
		s, ok := text(v)
		if !ok {
			return 0, errNoText
		}
		return f(s)
	}
	f := numberTransforms[name]
	if f == nil {
		return 0, fmt.Errorf("no transform is named %s", fault.Quote(name))
	}
	n, err := Operand(v)
	if err == nil {
		n, err = absDiff(n, 0)
	}
	if err != nil {
		return 0, err
	}
	return f(n)
}

// Transforms lists the names of transforms in the order of their table.
func Transforms() (names []string) {
	for _, row := range templateTable().Transforms {
		names = append(names, row.Name)
	}
	return names
}

// Applies reports whether a leg of ours may use a transform on a value of a type: within its
// bounds, and for texts in ASCII that begin with a letter, because readers differ on whether é is a
// vowel.
func Applies(name string, v schemas.AARValue, valueType string) bool {
	row, known := transformTable()[name]
	if s, ok := text(v); known && row.Input == "text" {
		isASCII := !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
		return ok && valueType == "text" && isASCII && len(s) >= 2 && unicode.IsLetter(rune(s[0]))
	}
	n, err := Operand(v)
	return known && err == nil && valueType != "text" && abs(n) >= *row.Min &&
		(row.Max == nil || abs(n) <= *row.Max) && (abs(n) <= maxFactored || !slices.Contains(factoring, name))
}

var factoring = []string{"next_prime", "num_divisors", "sum_prime_factors", "largest_prime_factor"}

func nextPrime(n int64) (int64, error) {
	for n < math.MaxInt64 {
		n++
		if n >= 2 && big.NewInt(n).ProbablyPrime(0) { // no mistakes below 2^64
			return n, nil
		}
	}
	return 0, errOverflow
}

// factors visits the prime factors of n with their multiplicity, in ascending order.
func factors(n int64, visit func(p, times int64)) error {
	if n > maxFactored {
		return fmt.Errorf("%d is above %d, the largest number that is taken apart", n, int64(maxFactored))
	}
	for p := int64(2); p*p <= n; p += 1 + p&1 {
		times := int64(0)
		for ; n%p == 0; n /= p {
			times++
		}
		if times > 0 {
			visit(p, times)
		}
	}
	if n > 1 {
		visit(n, 1)
	}
	return nil
}

func numDivisors(n int64) (int64, error) {
	count := min(n, 1) // of 0 none are counted
	err := factors(n, func(_, times int64) { count *= times + 1 })
	return count, err
}

func sumPrimeFactors(n int64) (sum int64, err error) {
	err = factors(n, func(p, _ int64) { sum += p })
	return sum, err
}

func largestPrimeFactor(n int64) (int64, error) {
	last := n // 0 and 1 have none
	err := factors(n, func(p, _ int64) { last = p })
	return last, err
}

// romanLetters counts the letters of a Roman numeral; thousands are an M each.
func romanLetters(n int64) (int64, error) {
	letters := n / 1000
	for _, d := range strconv.FormatInt(n%1000, 10) {
		letters += [...]int64{0, 1, 2, 3, 2, 1, 2, 3, 4, 2}[d-'0']
	}
	return letters, nil
}

func digitReversal(n int64) (int64, error) {
	digits := []byte(strconv.FormatInt(n, 10))
	slices.Reverse(digits)
	if n, err := strconv.ParseInt(string(digits), 10, 64); err == nil {
		return n, nil
	}
	return 0, errOverflow
}

// DigitalRoot returns 0 for 0, else 1 + (abs(n) - 1) mod 9.
func DigitalRoot(n int64) int64 {
	if n == 0 {
		return 0
	}
	return 1 + int64((uint64(abs(n))-1)%9)
}

func digitSum(n int64) (sum int64, err error) {
	for ; n > 0; n /= 10 {
		sum += n % 10
	}
	return sum, nil
}

func dayOfWeek(year int64) (int64, error) {
	if year < 1 || year > 9999 {
		return 0, fmt.Errorf("%d is not a year from 1 to 9999", year)
	}
	sunday0 := time.Date(int(year), time.January, 1, 0, 0, 0, 0, time.UTC).Weekday()
	return int64(sunday0+6)%7 + 1, nil
}

func leapYears(year int64) (int64, error) {
	upTo := func(y int64) int64 { return y/4 - y/100 + y/400 } // from the year 1 on
	if year == 0 {
		return upTo(2000) + 1, nil
	}
	return upTo(max(year, 2000)) - upTo(min(year, 2000)-1), nil
}

// letterValues are those of Scrabble, A to Z.
const letterValues = "\x01\x03\x03\x02\x01\x04\x02\x04\x01\x08\x05\x01\x03\x01\x01\x03\x0a\x01\x01\x01\x01\x04\x04\x08\x04\x0a"

func scrabbleScore(s string) (sum int64, err error) {
	for _, c := range []byte(s) {
		if i := int(c|0x20) - 'a'; i >= 0 && i < 26 {
			sum += int64(letterValues[i])
		}
	}
	return sum, nil
}

// lower is str.lower of Python, but for the final sigma.
func lower(s string) string { return strings.ToLower(strings.ReplaceAll(s, "İ", "i̇")) }

func vowelCount(s string) (count int64, err error) {
	for _, r := range lower(s) {
		if strings.ContainsRune("aeiou", r) {
			count++
		}
	}
	return count, nil
}

// firstLetter counts from A = 1; letters beyond A to Z have the value of their code point, as in
// released legs.
func firstLetter(s string) (int64, error) {
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) {
		return 0, errors.New("the text does not begin with a letter")
	}
	return int64(unicode.ToUpper(first)) - 'A' + 1, nil
}
