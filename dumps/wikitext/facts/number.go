package facts

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/dumps/wikitext/ascii"
	"github.com/wikinav/wikinav/dumps/wikitext/markup"
	"github.com/wikinav/wikinav/schemas"
)

// number reads a decimal number with an optional sign and thousands in groups, and returns it in
// canonical form: without sign "+", groups, leading zeros, and zeros after the decimals.
func number(s string) (canonical string, ok bool) {
	s, sign := cutSign(s)
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

// cutSign takes the sign off a number and gives it as "-" or "".
func cutSign(s string) (rest, sign string) {
	for _, minus := range []string{"-", "−"} {
		if rest, found := strings.CutPrefix(s, minus); found {
			return rest, "-"
		}
	}
	return strings.TrimPrefix(s, "+"), ""
}

// ungrouped takes the commas out of the whole part of a number. The last group has three digits,
// those before two (as in India) or three.
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
		if !ascii.IsDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// units are those that may follow a number in an infobox, with the name under which they are
// stored.
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

// plainValue tells number and text apart. Text that begins as a number does but is more than one
// number and its unit is neither: ranges, several values, years with an era and so on.
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

// convertValue reads the arguments of a convert template. A third number without a unit of its own
// is a precision.
func convertValue(t *markup.Template) (v factValue, ok bool) {
	args := t.Positional()
	if len(args) < 2 || markup.RangeWords[args[1]] || !isUnit(args[1]) {
		return v, false
	}
	v = factValue{kind: schemas.FactConvert, unit: args[1]}
	if v.value, ok = number(args[0]); !ok {
		return v, false
	}
	if len(args) < 4 {
		return v, true
	}
	rest, compound := number(args[2])
	if !compound {
		return v, true
	}
	v.value, v.unit = v.value+" "+rest, v.unit+" "+args[3]
	another := false
	if len(args) > 4 {
		_, another = number(args[4])
	}
	return v, markup.CompoundUnits[args[1]][args[3]] && !(another && len(args) > 5)
}

func isUnit(s string) bool {
	for _, r := range s {
		if r == '°' || r == '%' || ascii.IsLetter(byte(r)) && r < 0x80 || r == 'µ' || r == 'μ' {
			return true
		}
	}
	return false
}

// coordValue reads the arguments of a coord template up to the first that is named or has a colon,
// such as type:city: two signed numbers, or one to three numbers and a direction for each of the
// two.
func coordValue(t *markup.Template) (v factValue, ok bool) {
	var args []string
	for i, a := range t.Args {
		if a.Key != strconv.Itoa(i+1) || strings.Contains(a.Value, ":") {
			break
		}
		args = append(args, a.Value)
	}
	for len(args) > 0 && args[len(args)-1] == "" {
		args = args[:len(args)-1]
	}
	lat, lon, ok := LatitudeLongitude(args)
	if !ok {
		return v, false
	}
	return factValue{kind: schemas.FactCoord, value: degrees(lat) + "," + degrees(lon), unit: "deg"}, true
}

// LatitudeLongitude returns both in millionths of a degree. Args are two signed numbers, or one to
// three numbers and a direction for each of the two.
func LatitudeLongitude(args []string) (lat, lon int64, ok bool) {
	var okLat, okLon bool
	switch half := len(args) / 2; len(args) {
	case 2:
		lat, okLat = signedAngle(args[0], 90)
		lon, okLon = signedAngle(args[1], 180)
	case 4, 6, 8:
		lat, okLat = angle(args[:half], "N", "S", 90)
		lon, okLon = angle(args[half:], "E", "W", 180)
	}
	return lat, lon, okLat && okLon
}

func signedAngle(s string, limit int64) (int64, bool) {
	rest, sign := cutSign(s)
	size, ok := sexagesimal([]string{rest}, limit)
	if sign != "" {
		size = -size
	}
	return size, ok
}

// angle reads numbers that a direction follows, in any letter case.
func angle(args []string, positive, negative string, limit int64) (int64, bool) {
	last := len(args) - 1
	size, ok := sexagesimal(args[:last], limit)
	switch {
	case strings.EqualFold(args[last], positive):
		return size, ok
	case strings.EqualFold(args[last], negative):
		return -size, ok
	}
	return 0, false
}

// sexagesimal reads degrees, minutes and seconds, of which the last may have decimals, and returns
// millionths of a degree, rounded half up.
func sexagesimal(parts []string, limit int64) (int64, bool) {
	const micro, scale = 1_000_000, 1_000_000_000 // scale counts the billionths that decimals are read to
	total, unit := int64(0), int64(3600)
	for i, p := range parts {
		whole, decimals, point := strings.Cut(p, ".")
		n, ok := billionths(whole, decimals)
		if !ok || point && (i < len(parts)-1 || !isDigits(decimals)) || i > 0 && n >= 60*scale || n > limit*scale {
			return 0, false
		}
		total += n * unit
		unit /= 60
	}
	if total > limit*3600*scale {
		return 0, false
	}
	const step = 3600 * scale / micro
	return (total + step/2) / step, true
}

// billionths reads a number of at most three digits before the point; decimals beyond the ninth do
// not matter.
func billionths(whole, decimals string) (int64, bool) {
	const places = 9
	decimals = (decimals + strings.Repeat("0", places))[:places]
	if len(whole) > 3 || !isDigits(whole) || !isDigits(decimals) {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+decimals, 10, 64)
	return n, err == nil
}

// degrees writes millionths of a degree as a number.
func degrees(micro int64) string {
	sign := ""
	if micro < 0 {
		micro, sign = -micro, "-"
	}
	text := fmt.Sprintf("%s%d.%06d", sign, micro/1_000_000, micro%1_000_000)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}
