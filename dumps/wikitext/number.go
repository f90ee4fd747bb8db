package wikitext

import (
	"strings"

	"github.com/wikinav/wikinav/schemas"
)

// number reads a decimal number with an optional sign and thousands in groups, and gives it in canonical form:
// without sign "+", groups, leading zeros, and zeros after the decimals.
func number(s string) (canonical string, ok bool) {
	sign := ""
	for _, minus := range []string{"-", "−"} {
		if rest, found := strings.CutPrefix(s, minus); found && sign == "" {
			s, sign = rest, "-"
		}
	}
	if sign == "" {
		s = strings.TrimPrefix(s, "+")
	}
	whole, decimals, point := strings.Cut(s, ".")
	if whole, ok = ungrouped(whole); !ok || point && !isDigits(decimals) {
		return "", false
	}
	whole, decimals = strings.TrimLeft(whole, "0"), strings.TrimRight(decimals, "0")
	if whole == "" {
		whole = "0"
	}
	switch {
	case decimals != "":
		return sign + whole + "." + decimals, true
	case whole == "0":
		return whole, true
	}
	return sign + whole, true
}

// ungrouped takes the commas out of the whole part of a number. The last group has three digits, those before two
// (as in India) or three.
func ungrouped(s string) (string, bool) {
	first, rest, grouped := strings.Cut(s, ",")
	if !grouped {
		return s, isDigits(s)
	}
	if !isDigits(first) || len(first) > 3 {
		return "", false
	}
	groups := strings.Split(rest, ",")
	for i, g := range groups {
		last := i == len(groups)-1
		if !isDigits(g) || len(g) != 3 && (last || len(g) != 2) {
			return "", false
		}
	}
	return first + strings.Join(groups, ""), true
}

func isDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// units are those that may follow a number in an infobox, with the name under which they are stored.
var units = map[string]string{
	"%": "%", "°C": "°C", "°F": "°F", "mm": "mm", "cm": "cm", "m": "m", "km": "km", "in": "in", "ft": "ft", "yd": "yd", "mi": "mi",
	"metres": "m", "meters": "m", "kilometres": "km", "kilometers": "km", "miles": "mi", "feet": "ft", "ha": "ha", "acres": "acre",
	"m²": "m2", "m2": "m2", "km²": "km2", "km2": "km2", "sq km": "km2", "sqkm": "km2", "sq mi": "mi2", "sqmi": "mi2",
	"g": "g", "kg": "kg", "lb": "lb", "t": "t", "L": "L", "km/h": "km/h", "mph": "mph", "kW": "kW", "MW": "MW", "GW": "GW",
}

// approximations begin values that are not exact. In small letters.
var approximations = []string{
	"c.", "ca.", "circa", "~", "≈", "about", "approx", "around", "almost", "nearly", "over", "under", "more than", "less than", "at least",
	"up to", "<", ">", "±", "est.", "$", "£", "€",
}

// plainValue tells number and text apart. Text that begins as a number does but is more than one number and its unit is
// neither: ranges, several values, years with an era and so on.
func plainValue(text string) (v factValue, ok bool) {
	digits := len(text) - len(strings.TrimLeft(text, "+-−.,0123456789"))
	if digits == 0 {
		return factValue{kind: schemas.FactText, value: text}, !isApproximate(text)
	}
	v = factValue{kind: schemas.FactNumber}
	if v.value, ok = number(text[:digits]); !ok {
		return v, false
	}
	unit := strings.TrimSpace(text[digits:])
	if unit == "" {
		return v, true
	}
	v.unit, ok = units[unit]
	return v, ok
}

func isApproximate(text string) bool {
	const longest = 32 // no start of the table is longer
	head := strings.ToLower(text[:min(len(text), longest)])
	for _, start := range approximations {
		if strings.HasPrefix(head, start) && strings.ContainsAny(text, "0123456789") {
			return true
		}
	}
	return false
}
