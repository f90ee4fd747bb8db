package canon

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func appendValue(dst []byte, v any) ([]byte, error) {
	switch t := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, t), nil
	case json.Number:
		i, err := t.Int64()
		return strconv.AppendInt(dst, i, 10), err
	case string:
		return AppendString(dst, t), nil
	case []any:
		return appendList(dst, t)
	case object:
		return appendObject(dst, t)
	}
	panic(fmt.Sprintf("canon: unexpected %T", v))
}

func appendList(dst []byte, list []any) ([]byte, error) {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendValue(dst, v); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, obj object) ([]byte, error) {
	sorted := slices.Clone(obj)
	slices.SortFunc(sorted, func(a, b member) int { return strings.Compare(a.key, b.key) })
	dst = append(dst, '{')
	for i, m := range sorted {
		if i > 0 {
			dst = append(dst, ',')
		}
		if strings.IndexFunc(m.key, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
			return nil, fmt.Errorf("canonical JSON: key %q is not ASCII", m.key)
		}
		dst = append(AppendString(dst, m.key), ':')
		var err error
		if dst, err = appendValue(dst, m.value); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
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
