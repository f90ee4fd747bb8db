package wikitext

import (
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas"
)

// coordValue reads the arguments of a coord template up to the first that is named or has a colon, such as type:city:
// two signed numbers, or one to three numbers and a direction for each of the two.
func coordValue(t *Template) (v factValue, ok bool) {
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
	lat, lon, ok := latitudeLongitude(args)
	if !ok {
		return v, false
	}
	return factValue{kind: schemas.FactCoord, value: degrees(lat) + "," + degrees(lon), unit: "deg"}, true
}

// latitudeLongitude gives both in millionths of a degree.
func latitudeLongitude(args []string) (lat, lon int64, ok bool) {
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
	rest, negative := strings.CutPrefix(s, "-")
	if !negative {
		rest, negative = strings.CutPrefix(s, "−")
	}
	if !negative {
		rest = strings.TrimPrefix(s, "+")
	}
	size, ok := sexagesimal([]string{rest}, limit)
	if negative {
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

// sexagesimal reads degrees, minutes and seconds, of which the last may have decimals, and gives millionths of a
// degree, rounded half up.
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

// billionths reads a number of at most three digits before the point; decimals beyond the ninth do not matter.
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
	text := strconv.FormatInt(micro+1_000_000, 10) // the seventh digit from the right keeps the zeros after the point
	whole := strconv.FormatInt(micro/1_000_000, 10)
	decimals := strings.TrimRight(text[len(text)-6:], "0")
	if decimals == "" {
		return sign + whole
	}
	return sign + whole + "." + decimals
}
