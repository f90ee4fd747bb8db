package canon

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas/fault"
)

// parse reads one document into objects, []any, strings, json.Number, bool and nil, and refuses
// keys that stand twice, integers beyond MaxInt, trailing data, and what the rules refuse.
//
// What is valid JSON is read by a reader that need not look for errors; what is wrong with anything else package json says.
func parse(data []byte, rules rules) (any, error) {
	if !json.Valid(data) {
		return nil, fault.Plain(json.Unmarshal(data, new(any)))
	}
	r := reader{data: data, rules: rules}
	return r.value(0)
}

// rules say how deep values may be nested, and whether keys must be ASCII and numbers integers that
// every reader keeps.
type rules struct {
	depth int
	ascii bool
	exact bool
}

// reader reads valid JSON. i is the place of the next byte.
type reader struct {
	rules
	data []byte
	i    int
}

// next skips blanks and gives the byte that follows, without taking it.
func (r *reader) next() byte {
	for {
		switch c := r.data[r.i]; c {
		case ' ', '\t', '\n', '\r':
			r.i++
		default:
			return c
		}
	}
}

func (r *reader) value(depth int) (any, error) {
	if depth > r.depth {
		return nil, fmt.Errorf("JSON nested deeper than %d", r.depth)
	}
	switch c := r.next(); c {
	case '{':
		return r.object(depth + 1)
	case '[':
		return r.list(depth + 1)
	case '"':
		return r.text(), nil
	case 't':
		r.i += len("true")
		return true, nil
	case 'f':
		r.i += len("false")
		return false, nil
	case 'n':
		r.i += len("null")
		return nil, nil
	}
	return r.number()
}

func (r *reader) object(depth int) (any, error) {
	obj := object{}
	var seen map[string]bool // once there are many
	r.i++
	for r.next() != '}' {
		if r.data[r.i] == ',' {
			r.i++
			r.next()
		}
		key := r.text()
		if seen == nil && len(obj) == manyKeys {
			seen = make(map[string]bool, 2*manyKeys)
			for _, m := range obj {
				seen[m.key] = true
			}
		}
		if seen[key] || seen == nil && slices.ContainsFunc(obj, func(m member) bool { return m.key == key }) {
			return nil, fmt.Errorf("key %s stands twice", fault.Quote(key))
		}
		if r.ascii && strings.ContainsFunc(key, func(c rune) bool { return c >= utf8.RuneSelf }) {
			return nil, fmt.Errorf("key %s is not ASCII", fault.Quote(key))
		}
		if seen != nil {
			seen[key] = true
		}
		r.next()
		r.i++ // the colon
		v, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		obj = append(obj, member{key, v})
	}
	r.i++
	return obj, nil
}

// manyKeys is the number of keys beyond which looking each up in a map is faster than comparing them.
const manyKeys = 32

func (r *reader) list(depth int) (any, error) {
	items := []any{}
	r.i++
	for r.next() != ']' {
		if r.data[r.i] == ',' {
			r.i++
		}
		v, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	r.i++
	return items, nil
}

// text reads a string; one with escapes, or with bytes that are no text, is left to package json.
func (r *reader) text() string {
	start, plain := r.i, true
	for r.i++; r.data[r.i] != '"'; r.i++ {
		if r.data[r.i] == '\\' {
			r.i++
			plain = false
		}
	}
	r.i++
	quoted := r.data[start:r.i]
	if plain && utf8.Valid(quoted) {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		panic(fmt.Sprintf("canon: %q is not a string: %v", quoted, err)) // it was valid
	}
	return s
}

func (r *reader) number() (any, error) {
	start := r.i
	for r.i < len(r.data) && isNumeric(r.data[r.i]) {
		r.i++
	}
	n := json.Number(r.data[start:r.i])
	if !r.exact {
		return n, nil
	}
	return n, checkNumber(n)
}

func isNumeric(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}
