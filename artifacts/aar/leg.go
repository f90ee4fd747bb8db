package aar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Limits of a leg that is read, because anybody may have written it. Released legs have 45 KB, 40
// stops and a depth of 8.
const (
	MaxLeg   = canon.MaxLine // bytes
	maxItems = 1000          // of a list of the record: stops, calls, references
	maxDepth = 64
)

// Bad is why a leg cannot be read: a rule, the place that breaks it as in stops[2].bridge, and the
// reason.
type Bad struct{ Rule, Place, Reason string }

func (b *Bad) Error() string {
	if b.Place == "" {
		return b.Reason
	}
	return b.Place + ": " + b.Reason
}

func (b *Bad) Unwrap() error { return fault.Malformed }

// at says that what went wrong lies below place, which is .key or [index].
func at(place string, err error) error {
	var b *Bad
	if errors.As(err, &b) {
		b.Place = place + b.Place
	}
	return err
}

// DecodeLeg returns the leg of a file and whether the file ends with a line feed. A key that is
// missing, unknown or there twice, a value of another type and a number or text that EncodeLeg
// could not write again are errors, of type *Bad. What is written in the right form but makes no
// sense is for Validate.
func DecodeLeg(data []byte) (l *schemas.AARLeg, newline bool, err error) {
	if len(data) > MaxLeg {
		return nil, false, &Bad{"too_large", "", fmt.Sprintf("%d bytes, more than %d", len(data), MaxLeg)}
	}
	r, l := &reader{data: data}, new(schemas.AARLeg)
	if err := r.record(reflect.ValueOf(l).Elem(), 0); err != nil {
		return nil, false, trim(err)
	}
	if r.peek(); r.at < len(data) {
		return nil, false, r.bad("bad_json", "byte %d: more follows the leg", r.at)
	}
	return l, bytes.HasSuffix(data, []byte("\n")), nil
}

// DecodeLine returns the leg of a line of a release, without its end, which must have the form of
// EncodeLine.
func DecodeLine(line []byte) (*schemas.AARLeg, error) {
	l, _, err := DecodeLeg(line)
	if err == nil && !bytes.Equal(EncodeLine(l), line) {
		return nil, &Bad{"other_form", "", "the line is not the form in which a release has this leg"}
	}
	return l, err
}

// trim takes the point off the front of a place.
func trim(err error) error {
	var b *Bad
	if errors.As(err, &b) {
		b.Place = strings.TrimPrefix(b.Place, ".")
	}
	return err
}

// EncodeLeg returns the file of a leg as Python's json.dumps(leg, indent=2, ensure_ascii=False)
// writes it.
func EncodeLeg(l *schemas.AARLeg, newline bool) []byte {
	out := indent(EncodeLine(l))
	if newline {
		out = append(out, '\n')
	}
	return out
}

// EncodeLine returns a leg without blanks outside strings, and without an end of line. It panics on
// a value that is no JSON, which no leg that was read has.
func EncodeLine(l *schemas.AARLeg) []byte { return write(nil, reflect.ValueOf(l).Elem()) }

// rawType is the type of values that have no type.
var rawType = reflect.TypeFor[schemas.AARValue]()

// field returns the key of a field of a record and whether it may be absent.
func field(f reflect.StructField) (key string, optional bool) {
	key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return key, options != ""
}

// write appends a value to out; the fields of a record stand in their order.
func write(out []byte, v reflect.Value) []byte {
	switch {
	case v.Type() == rawType:
		raw, err := Compact(v.Bytes())
		if err != nil {
			panic("aar: a value of a leg: " + err.Error())
		}
		return append(out, raw...)
	case v.Kind() == reflect.Pointer && v.IsNil():
		return append(out, "null"...)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return write(out, v.Elem())
	case reflect.String:
		return appendString(out, v.String())
	case reflect.Int:
		return strconv.AppendInt(out, v.Int(), 10)
	case reflect.Bool:
		return strconv.AppendBool(out, v.Bool())
	case reflect.Slice:
		out = append(out, '[')
		for i := range v.Len() {
			out = write(comma(out, '['), v.Index(i))
		}
		return append(out, ']')
	}
	out = append(out, '{')
	for i := range v.NumField() {
		key, optional := field(v.Type().Field(i))
		if !optional || !v.Field(i).IsNil() {
			out = append(appendString(comma(out, '{'), key), ':')
			out = write(out, v.Field(i))
		}
	}
	return append(out, '}')
}

// comma separates an item from what precedes it, unless that is open, which begins the list.
func comma(out []byte, open byte) []byte {
	if out[len(out)-1] == open {
		return out
	}
	return append(out, ',')
}

// appendString writes a string as Python does: only quotes, backslashes and control characters are
// escaped, and DEL is none.
func appendString(out []byte, s string) []byte {
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c >= ' ':
			out = append(out, c)
		case strings.IndexByte("\b\t\n\f\r", c) >= 0:
			out = append(out, '\\', "btn-fr"[c-'\b'])
		default:
			out = fmt.Appendf(out, `\u%04x`, c)
		}
	}
	return append(out, '"')
}

// indent lays compact JSON out over lines, two blanks a level; empty lists and objects stay on one
// line.
func indent(compact []byte) []byte {
	out, depth := make([]byte, 0, 2*len(compact)), 0
	line := func(deeper int) {
		depth += deeper
		out = append(append(out, '\n'), bytes.Repeat([]byte("  "), depth)...)
	}
	for i := 0; i < len(compact); i++ {
		switch c := compact[i]; {
		case c == '"':
			end := i + 1
			for ; compact[end] != '"'; end++ {
				if compact[end] == '\\' {
					end++
				}
			}
			out = append(out, compact[i:end+1]...)
			i = end
		case (c == '{' || c == '[') && compact[i+1] == c+2:
			out = append(out, c, c+2)
			i++
		case c == '{' || c == '[':
			out = append(out, c)
			line(1)
		case c == '}' || c == ']':
			line(-1)
			out = append(out, c)
		case c == ',':
			out = append(out, c)
			line(0)
		case c == ':':
			out = append(out, ": "...)
		default:
			out = append(out, c)
		}
	}
	return out
}

// Compact returns the form in which a leg holds a value: JSON without blanks, with the escapes of
// Python, numbers as they are and keys in their order. A key that stands twice is an error.
func Compact(value []byte) (schemas.AARValue, error) {
	if len(value) == 0 {
		return schemas.AARValue("null"), nil
	}
	r := &reader{data: value}
	out, err := r.raw(make([]byte, 0, len(value)), 0)
	if err == nil && (r.peek() != 0 || r.at < len(value)) {
		err = r.bad("bad_json", "byte %d: more follows the value", r.at)
	}
	return out, trim(err)
}

// reader reads JSON in one pass.
type reader struct {
	data []byte
	at   int
}

func (r *reader) bad(rule, format string, args ...any) error {
	return &Bad{Rule: rule, Reason: fmt.Sprintf(format, args...)}
}

// peek skips blanks and returns the next byte, 0 at the end.
func (r *reader) peek() byte {
	for ; r.at < len(r.data); r.at++ {
		if c := r.data[r.at]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

// want takes the byte c.
func (r *reader) want(c byte) error {
	if got := r.peek(); got != c {
		return r.bad("bad_json", "byte %d: %s, want %q", r.at, r.found(), string(c))
	}
	r.at++
	return nil
}

// found names what stands at the reader's place.
func (r *reader) found() string {
	if r.peek() == 0 && r.at == len(r.data) {
		return "the end"
	}
	return fault.Quote(r.data[r.at:min(len(r.data), r.at+12)])
}

// items visits the items of a list, or the keys of an object, which open begins.
func (r *reader) items(open byte, depth int, visit func(i int) error) error {
	if err := r.want(open); err != nil {
		return err
	}
	if depth > maxDepth {
		return r.bad("too_deep", "values inside more than %d others", maxDepth)
	}
	for i := 0; ; i++ {
		if r.peek() == open+2 && i == 0 {
			break
		}
		if err := visit(i); err != nil {
			return err
		}
		if r.peek() != ',' {
			break
		}
		r.at++
	}
	return r.want(open + 2)
}

// object visits the keys of an object; visit reads the value.
func (r *reader) object(depth int, visit func(i int, key string) error) error {
	seen := map[string]bool{}
	return r.items('{', depth, func(i int) error {
		key, err := r.text()
		if err != nil {
			return err
		}
		if seen[key] {
			return at(place(key), r.bad("duplicate_key", "the key stands twice"))
		}
		seen[key] = true
		if err := r.want(':'); err != nil {
			return at(place(key), err)
		}
		return at(place(key), visit(i, key))
	})
}

// place names a key in places. Long ones are cut.
func place(key string) string {
	if plainKey.MatchString(key) {
		return "." + key
	}
	return "." + fault.Quote(key)
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// value reads a value of the type of v.
func (r *reader) value(v reflect.Value, optional bool, depth int) (err error) {
	switch c := r.peek(); {
	case v.Type() == rawType:
		out, err := r.raw(nil, depth)
		v.SetBytes(out)
		return err
	case v.Kind() == reflect.Pointer && c == 'n' && !optional:
		return r.literal("null")
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(v.Elem(), false, depth)
	case v.Kind() == reflect.Struct && c == '{':
		return r.record(v, depth)
	case v.Kind() == reflect.Slice && c == '[':
		return r.list(v, depth)
	case v.Kind() == reflect.String && c == '"':
		s, err := r.text()
		v.SetString(s)
		return err
	case v.Kind() == reflect.Bool && (c == 't' || c == 'f'):
		v.SetBool(c == 't')
		return r.literal(map[bool]string{true: "true", false: "false"}[c == 't'])
	case v.Kind() == reflect.Int && (c == '-' || c >= '0' && c <= '9'):
		return r.integer(v)
	}
	return r.bad("bad_type", "%s, want %s", r.found(), wanted[v.Kind()])
}

var wanted = map[reflect.Kind]string{
	reflect.Struct: "an object", reflect.Slice: "a list", reflect.String: "a string",
	reflect.Bool: "true or false", reflect.Int: "an integer",
}

// record reads an object with the fields of a struct, in any order.
func (r *reader) record(v reflect.Value, depth int) error {
	have := make([]bool, v.NumField())
	err := r.object(depth, func(_ int, key string) error {
		for i := range have {
			if name, optional := field(v.Type().Field(i)); name == key {
				have[i] = true
				return r.value(v.Field(i), optional, depth+1)
			}
		}
		return r.bad("unknown_key", "no such key is known here")
	})
	if err != nil {
		return err
	}
	for i := range have {
		if name, optional := field(v.Type().Field(i)); !have[i] && !optional {
			return at(place(name), r.bad("missing_key", "the key is missing"))
		}
	}
	return nil
}

// list reads a list; an empty one is not nil.
func (r *reader) list(v reflect.Value, depth int) error {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	return r.items('[', depth, func(i int) error {
		if i == maxItems {
			return r.bad("too_large", "more than %d items", maxItems)
		}
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		return at(fmt.Sprintf("[%d]", i), r.value(v.Index(i), false, depth+1))
	})
}

func (r *reader) literal(word string) error {
	if !bytes.HasPrefix(r.data[r.at:], []byte(word)) {
		return r.bad("bad_json", "byte %d: %s, want %s", r.at, r.found(), word)
	}
	r.at += len(word)
	return nil
}

var (
	numberForm  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?`)
	notFinite   = regexp.MustCompile(`^(NaN|-?Infinity)`)
	integerForm = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)
)

// number takes the text of a number.
func (r *reader) number() ([]byte, error) {
	text := numberForm.Find(r.data[r.at:])
	if text == nil && notFinite.Match(r.data[r.at:]) {
		return nil, r.bad("not_finite", "a number that is not finite")
	}
	if text == nil {
		return nil, r.bad("bad_json", "byte %d: %s, want a value", r.at, r.found())
	}
	r.at += len(text)
	return text, nil
}

func (r *reader) integer(v reflect.Value) error {
	text, err := r.number()
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || !integerForm.Match(text) {
		return r.bad("bad_type", "%s, want an integer", fault.Quote(text))
	}
	v.SetInt(n)
	return nil
}

// raw appends a value of any type to out, without blanks.
func (r *reader) raw(out []byte, depth int) (_ []byte, err error) {
	switch c := r.peek(); c {
	case '{':
		out = append(out, c)
		err = r.object(depth, func(i int, key string) (err error) {
			if i > 0 {
				out = append(out, ',')
			}
			out, err = r.raw(append(appendString(out, key), ':'), depth+1)
			return err
		})
		return append(out, '}'), err
	case '[':
		out = append(out, c)
		err = r.items('[', depth, func(i int) (err error) {
			if i > 0 {
				out = append(out, ',')
			}
			out, err = r.raw(out, depth+1)
			return at(fmt.Sprintf("[%d]", i), err)
		})
		return append(out, ']'), err
	case '"':
		s, err := r.text()
		return appendString(out, s), err
	case 'n', 't', 'f':
		word := map[byte]string{'n': "null", 't': "true", 'f': "false"}[c]
		return append(out, word...), r.literal(word)
	}
	text, err := r.number()
	return append(out, text...), err
}

// text reads a string. What UTF-8 cannot hold, as half a surrogate pair, is refused, because it
// would be lost.
func (r *reader) text() (string, error) {
	if err := r.want('"'); err != nil {
		return "", err
	}
	var out []byte
	for from := r.at; r.at < len(r.data); {
		switch c := r.data[r.at]; {
		case c == '"':
			out = append(out, r.data[from:r.at]...)
			r.at++
			if !utf8.Valid(out) {
				return "", r.bad("bad_text", "a string that is not UTF-8")
			}
			return string(out), nil
		case c < ' ':
			return "", r.bad("bad_json", "byte %d: a control character in a string", r.at)
		case c == '\\':
			out = append(out, r.data[from:r.at]...)
			escape, err := r.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, escape)
			from = r.at
		default:
			r.at++
		}
	}
	return "", r.bad("bad_json", "a string does not end")
}

// escape takes a backslash and what it escapes.
func (r *reader) escape() (rune, error) {
	const names, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if r.at+1 < len(r.data) {
		if i := strings.IndexByte(names, r.data[r.at+1]); i >= 0 {
			r.at += 2
			return rune(values[i]), nil
		}
	}
	first := r.unit()
	switch {
	case first < 0:
		return 0, r.bad("bad_json", "byte %d: no such escape", r.at)
	case !utf16.IsSurrogate(first):
		return first, nil
	}
	if pair := utf16.DecodeRune(first, r.unit()); pair != utf8.RuneError {
		return pair, nil
	}
	return 0, r.bad("bad_text", "half a surrogate pair")
}

// unit takes \uXXXX, or returns -1.
func (r *reader) unit() rune {
	if len(r.data)-r.at < 6 || r.data[r.at] != '\\' || r.data[r.at+1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(r.data[r.at+2:r.at+6]), 16, 16)
	if err != nil {
		return -1
	}
	r.at += 6
	return rune(n)
}

// LegID returns the id of an instance: aar-dag-hard-007 of the leg sample_007 of that variant and
// level.
func LegID(l *schemas.AARLeg) string { return LegIDIn(Variant(l), l) }

// LegIDIn is LegID for a leg whose variant is known otherwise.
func LegIDIn(variant string, l *schemas.AARLeg) string {
	return "aar-" + variant + "-" + l.Metadata.Difficulty + "-" + strings.TrimPrefix(l.Metadata.SampleID, "sample_")
}

// Variant returns linear or dag: only legs of the DAG variant have the key depends_on.
func Variant(l *schemas.AARLeg) string {
	if slices.ContainsFunc(l.Stops, func(s schemas.AARStop) bool { return s.DependsOn != nil }) {
		return schemas.AARVariants[1]
	}
	return schemas.AARVariants[0]
}

// kindOf returns the byte that tells the type of a value: its first.
func kindOf(v schemas.AARValue) byte {
	if len(v) == 0 {
		return 'n'
	}
	return v[0]
}

// text returns the string that a value is, and whether it is one.
func text(v schemas.AARValue) (s string, ok bool) {
	return s, len(v) > 0 && v[0] == '"' && json.Unmarshal(v, &s) == nil
}

// TrailID returns the trail_id of a leg of ours.
func TrailID(seed int64, profile, variant, level string, number int) string {
	sum := xxhash.Sum64String(fmt.Sprintf("%d:%s:%s:%s:%d", seed, profile, variant, level, number))
	return fmt.Sprintf("trail_%016x", sum)[:len("trail_")+8]
}
