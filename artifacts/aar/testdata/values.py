"""Computes the values of section 3 and 4 of the specification: a JSON list [operation, arguments...] a line in,
the value or an error a line out."""
import calendar
import datetime
import json
import sys


def number(v):
    return float(v.replace(",", "")) if isinstance(v, str) else float(v)


def factors(n):
    out, d = [], 2
    while d * d <= n:
        while n % d == 0:
            out.append(d)
            n //= d
        d += 1
    return out + [n] if n > 1 else out


def divisors(n):
    count = 1 if n > 0 else 0
    for p in set(factors(n)):
        count *= factors(n).count(p) + 1
    return count


def next_prime(n):
    n += 1
    while len(factors(n)) != 1:
        n += 1
    return n


ROMAN = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
         (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def roman(n):
    out = ""
    for value, letters in ROMAN:
        out += letters * (n // value)
        n %= value
    return out


def fits(n):
    """Refuses what a program with 64-bit integers cannot hold, partial sums too."""
    if not -(2**63) <= n < 2**63:
        raise OverflowError
    return n


def total(numbers):
    out = 0
    for n in numbers:
        out = fits(out + n)
    return out


def root(n):
    return 0 if n == 0 else 1 + (abs(n) - 1) % 9


def first(s):
    if not s[0].isalpha():
        raise ValueError
    return ord(s[0].upper()) - 64


SCRABBLE = {c: p for p, letters in {1: "AEILNORSTU", 2: "DG", 3: "BCMP", 4: "FHVWY", 5: "K", 8: "JX", 10: "QZ"}.items()
            for c in letters + letters.lower()}
NUMBERS = {
    "next_prime": next_prime,
    "num_divisors": divisors,
    "sum_prime_factors": lambda n: sum(set(factors(n))),
    "largest_prime_factor": lambda n: max(factors(n), default=n),
    "roman_numeral_letter_count": lambda n: len(roman(n)),
    "binary_1bit_count": lambda n: bin(n).count("1"),
    "digit_reversal": lambda n: int(str(n)[::-1]),
    "digital_root": root,
    "digit_sum": lambda n: sum(int(d) for d in str(n)),
    "day_of_week": lambda n: datetime.date(n, 1, 1).isoweekday(),
    "leap_years_to_2000": lambda n: sum(map(calendar.isleap, range(min(n, 2000), max(n, 2000) + 1))),
}
TEXTS = {
    "scrabble_score": lambda s: sum(SCRABBLE.get(c, 0) for c in s),
    "vowel_count": lambda s: sum(c in "aeiou" for c in s.lower()),
    "alpha_position_first_letter": first,
}
OTHERS = {
    "root": lambda *a: root(total(a)),
    "mod10": lambda *a: total(a) % 10,
    "abs_diff": lambda a, b: fits(abs(a - b)) % 10,
    "operand": lambda v: int(number(v)),
    "add": lambda a, b: int(a) + int(b),
    "merge_diff": lambda a, b: abs(int(a) - int(b)),
    "convert": lambda v, factor: int(v * factor),
    "days": lambda a, b: abs((datetime.date.fromisoformat(a) - datetime.date.fromisoformat(b)).days),
    "repr": repr,
}


def value(op, *args):
    if op in NUMBERS:
        return NUMBERS[op](abs(int(number(args[0]))))
    if op in TEXTS:
        if not isinstance(args[0], str):
            raise ValueError
        return TEXTS[op](args[0])
    return OTHERS[op](*args)


for line in sys.stdin:
    try:
        got = value(*json.loads(line))
        print(fits(got) if isinstance(got, int) else got)
    except (ValueError, OverflowError):
        print("error")
