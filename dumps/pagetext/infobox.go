package pagetext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parameterKey is the name of a parameter of an infobox as the rules see it.
func parameterKey(name string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(unmarked(name), func(r rune) bool { return r == '_' || isBlank(r) }), "_"))
}

// Parameters about pictures, maps and layout, by their beginnings, ends and whole names, and the
// one that only looks like it.
var (
	layoutStarts = strings.Fields("image img photo picture logo flag seal coat map pushpin signature footnote module")
	layoutEnds   = strings.Fields("_size _caption _alt _width _link _note _notes _ref _color _colour")
	layoutNames  = strings.Fields("name caption alt embed child bgcolor")
	keptNames    = strings.Fields("crew_size")
)

// leftOut reports whether a parameter makes no row.
func leftOut(key string) bool {
	in := func(match func(s, part string) bool) func(string) bool {
		return func(part string) bool { return match(key, part) }
	}
	return !slices.Contains(keptNames, key) && (slices.Contains(layoutNames, key) ||
		slices.ContainsFunc(layoutStarts, in(strings.HasPrefix)) || slices.ContainsFunc(layoutEnds, in(strings.HasSuffix)))
}

// labelUnits are the units that end the name of a parameter, a longer one before its own end.
var labelUnits = []struct{ end, unit string }{
	{"_sq_mi", "sq mi"},
	{"_km2", "km²"},
	{"_km", "km"},
	{"_cm", "cm"},
	{"_mm", "mm"},
	{"_m", "m"},
	{"_ft", "ft"},
	{"_mi", "mi"},
	{"_ha", "ha"},
	{"_in", "in"},
	{"_kg", "kg"},
	{"_lb", "lb"},
}

// parameterLabel is what the row of a parameter is called.
func parameterLabel(key string) string {
	unit := ""
	for _, u := range labelUnits {
		if rest, found := strings.CutSuffix(key, u.end); found && rest != "" {
			key, unit = rest, " ("+u.unit+")"
			break
		}
	}
	first, size := utf8.DecodeRuneInString(key)
	if size == 0 {
		return ""
	}
	return strings.ReplaceAll(string(unicode.ToUpper(first))+key[size:], "_", " ") + unit
}
