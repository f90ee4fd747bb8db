package maze

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
)

// AppendEdges appends an edges file: an array with indent 4, as json.dumps(edges, indent=4) prints it, without a last newline.
func AppendEdges(b []byte, edges []schemas.MangoEdge) []byte {
	return appendValue(b, reflect.ValueOf(edges), "\n")
}

// AppendList appends a list of locations or moves, sorted by code point, indent 4.
func AppendList(b []byte, names []string) []byte {
	return appendValue(b, reflect.ValueOf(sortedSet(names)), "\n")
}

// AppendRow appends a line of all2all.jsonl or all_pairs.jsonl: a row as json.dumps prints it.
func AppendRow(b []byte, row any) []byte {
	return append(appendValue(b, reflect.ValueOf(row), ""), '\n')
}

// appendValue appends texts, integers, lists and objects of these. line is what starts a line of the value that v is in: a newline with
// an indent, or "" for the form without lines.
func appendValue(b []byte, v reflect.Value, line string) []byte {
	inner, comma := "", ", "
	if line != "" {
		inner = line + "    "
		comma = "," + inner
	}
	switch v.Kind() {
	case reflect.String:
		return AppendString(b, v.String())
	case reflect.Int:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Slice:
		b = append(append(b, '['), inner...)
		for i := range v.Len() {
			if i > 0 {
				b = append(b, comma...)
			}
			b = appendValue(b, v.Index(i), inner)
		}
		return append(append(b, line...), ']')
	case reflect.Struct:
		b = append(append(b, '{'), inner...)
		for i, f := range fieldsOf(v.Type()) {
			if i > 0 {
				b = append(b, comma...)
			}
			b = append(AppendString(b, f.key), ": "...)
			b = appendValue(b, v.FieldByIndex(f.index), inner)
		}
		return append(append(b, line...), '}')
	}
	panic("maze: the published layout has no " + v.Type().String())
}

// field is a member of a published object.
type field struct {
	key   string
	index []int
}

var layouts sync.Map // []field by reflect.Type

// fieldsOf lists the members of an object in the published order, which is that of the fields.
func fieldsOf(t reflect.Type) []field {
	if known, ok := layouts.Load(t); ok {
		return known.([]field)
	}
	var list []field
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			list = append(list, field{f.Tag.Get("json"), f.Index})
		}
	}
	layouts.Store(t, list)
	return list
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as Python's json.dumps prints it: ASCII, short escapes where JSON has them, all else outside 0x20..0x7e
// as \u and four lower-case digits, above U+FFFF as a surrogate pair. s is UTF-8: every reader of names checks that, and a replaced
// character would give a wrong id, so that anything else panics.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			panic("maze: a name is not UTF-8: " + strconv.Quote(s))
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= 0x20 && r < 0x7f:
			b = append(b, byte(r))
		default:
			b = appendEscape(b, r)
		}
	}
	return append(b, '"')
}

func appendEscape(b []byte, r rune) []byte {
	if i := strings.IndexRune("\n\r\t\b\f", r); i >= 0 {
		return append(b, '\\', "nrtbf"[i])
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendUnit(appendUnit(b, high), low)
	}
	return appendUnit(b, r)
}

func appendUnit(b []byte, u rune) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}
