package aar

import (
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/schemas"
)

// transformCode is the Python of each transform of n, a number without its sign, or of s, a text.
var transformCode = map[string]string{
	"next_prime": `def next_prime(n):
    n += 1
    while n < 2 or any(n % d == 0 for d in range(2, int(n ** 0.5) + 1)):
        n += 1
    return n
result = next_prime(n)`,
	"num_divisors": `def num_divisors(n):
    count, d = 1, 2
    while d * d <= n:
        times = 1
        while n % d == 0:
            n, times = n // d, times + 1
        count, d = count * times, d + 1
    return count * 2 if n > 1 else count
result = num_divisors(n)`,
	"sum_prime_factors":    primeFactors + "result = sum(prime_factors(n))",
	"largest_prime_factor": primeFactors + "result = max(prime_factors(n))",
	"roman_numeral_letter_count": `def letters(n):
    return n // 1000 + sum([0, 1, 2, 3, 2, 1, 2, 3, 4, 2][int(c)] for c in str(n % 1000))
result = letters(n)`,
	"binary_1bit_count": "result = bin(n).count('1')",
	"digit_reversal":    "result = int(str(n)[::-1])",
	"digital_root":      "result = 1 + (n - 1) % 9 if n > 0 else 0",
	"digit_sum":         "result = sum(int(c) for c in str(n))",
	"day_of_week": `from datetime import date
result = date(n, 1, 1).isoweekday()`,
	"leap_years_to_2000": `def is_leap(y):
    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)
result = sum(is_leap(y) for y in range(min(n, 2000), max(n, 2000) + 1))`,
	"scrabble_score": `points = dict(zip('abcdefghijklmnopqrstuvwxyz',
    [1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10]))
result = sum(points.get(c, 0) for c in s.lower())`,
	"vowel_count":                 "result = sum(c in 'aeiou' for c in s.lower())",
	"alpha_position_first_letter": "result = ord(s[0].upper()) - ord('A') + 1",
}

const primeFactors = `def prime_factors(n):
    found, d = set(), 2
    while d * d <= n:
        while n % d == 0:
            found.add(d)
            n //= d
        d += 1
    return found | {n} if n > 1 else found
`

// reasonCode returns the Python of a reason stop: it prints the value.
func reasonCode(transform string, source schemas.AARValue) string {
	given := "n = abs(int(float('" + string(source) + "')))"
	if s, ok := aar.TextOf(source); ok {
		given = "s = '" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
	}
	return given + "\n" + transformCode[transform] + "\nprint(result)"
}

// finishCode returns the Python of the finish.
func finishCode(e aar.Expression) string {
	code := fmt.Sprintf("result = %s\nprint(result)", e)
	if e.Reduction == aar.ReduceRoot {
		code = "def digital_root(n):\n    return 1 + (abs(n) - 1) % 9 if n else 0\n" + code
	}
	return code
}
