package maze

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendString appends s as Python's json.dumps prints it: ASCII, short escapes where JSON has them, all else outside 0x20..0x7e
// as \u and four lower-case digits, above U+FFFF as a surrogate pair. s is UTF-8: every reader of names checks that, and a replaced
// character would give a wrong id, so that anything else panics.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !validAt(s[i:]):
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

func validAt(s string) bool {
	_, size := utf8.DecodeRuneInString(s)
	return size > 1
}

func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendUnit(appendUnit(b, high), low)
	}
	return appendUnit(b, r)
}

func appendUnit(b []byte, u rune) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}

// object prints one object member by member, in Python's one-line form.
type object struct{ b []byte }

func (o *object) key(name string) {
	if last := len(o.b) - 1; o.b[last] != '{' {
		o.b = append(o.b, ", "...)
	}
	o.b = append(AppendString(o.b, name), ": "...)
}

func (o *object) text(name, value string) {
	o.key(name)
	o.b = AppendString(o.b, value)
}

func (o *object) number(name string, value int) {
	o.key(name)
	o.b = strconv.AppendInt(o.b, int64(value), 10)
}
