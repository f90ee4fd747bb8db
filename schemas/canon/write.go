package canon

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/schemas/order"
)

// appendValue writes a tree that parse gave.
func appendValue(dst []byte, v any) []byte {
	switch t := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, t)
	case json.Number:
		i, _ := t.Int64() // parse accepts no other number
		return strconv.AppendInt(dst, i, 10)
	case string:
		return AppendString(dst, t)
	case []any:
		return appendList(dst, t)
	case object:
		return appendObject(dst, t)
	}
	panic(fmt.Sprintf("canon: unexpected %T", v))
}

func appendList(dst []byte, list []any) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, v)
	}
	return append(dst, ']')
}

func appendObject(dst []byte, obj object) []byte {
	sorted := slices.Clone(obj)
	order.Sort(sorted, func(a, b member) int { return strings.Compare(a.key, b.key) })
	dst = append(dst, '{')
	for i, m := range sorted {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(append(AppendString(dst, m.key), ':'), m.value)
	}
	return append(dst, '}')
}

// Decimal gives a real number as text with six significant digits, the one form in our JSON.
func Decimal(x float64) string {
	if x == 0 {
		return "0"
	}
	return strconv.FormatFloat(x, 'e', 5, 64)
}

// AppendString appends s as a canonical JSON string: only the quote, the backslash and control characters
// are escaped; U+2028 and U+2029, which Go's encoder escapes, stay raw.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= 0x20:
			dst = append(dst, c)
		default:
			dst = appendControl(dst, c)
		}
	}
	return append(dst, '"')
}

func appendControl(dst []byte, c byte) []byte {
	if i := strings.IndexByte("\b\t\n\f\r", c); i >= 0 {
		return append(dst, '\\', "btnfr"[i])
	}
	return fmt.Appendf(dst, `\u%04x`, c)
}
