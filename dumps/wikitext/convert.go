package wikitext

import "github.com/wikinav/wikinav/schemas"

// rangeWords stand between the two numbers of a convert template that gives a range or several values.
var rangeWords = map[string]bool{
	"to": true, "-": true, "–": true, "—": true, "and": true, "&": true, "and(-)": true, "or": true, "by": true, "x": true, "×": true,
	"*": true, "xx": true, "+": true, "+/-": true, "±": true, "to(-)": true, "to about": true, ",": true, "/": true, "to-": true,
}

// compoundUnits are what may follow a unit for the rest of a value, as inches follow feet.
var compoundUnits = map[string]map[string]bool{
	"ft": {"in": true},
	"yd": {"ft": true, "in": true},
	"mi": {"yd": true, "ft": true, "ch": true, "chain": true, "furlong": true},
	"st": {"lb": true},
	"lb": {"oz": true},
}

// convertValue reads the arguments of a convert template. A third number without a unit of its own is a precision.
func convertValue(t *Template) (v factValue, ok bool) {
	args := t.positional()
	if len(args) < 2 || rangeWords[args[1]] || !isUnit(args[1]) {
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
	return v, compoundUnits[args[1]][args[3]] && !(another && len(args) > 5)
}

func isUnit(s string) bool {
	for _, r := range s {
		if r == '°' || r == '%' || isLetter(byte(r)) && r < 0x80 || r == 'µ' || r == 'μ' {
			return true
		}
	}
	return false
}
