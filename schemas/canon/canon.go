// Package canon writes and reads the one JSON form that wikinav hashes, publishes and compares.
//
// Writing follows RFC 8785 restricted to what we use: ASCII keys in byte order, integers of
// magnitude below 2^53, no floats, valid UTF-8, no spaces. Reading is strict, because Go's decoder
// alone takes the last of two equal keys, matches keys in any case, rounds 2^53+1, and replaces
// invalid UTF-8. What Decode accepts, Marshal writes: a value that was decoded may be hashed and
// published wherever it came from.
package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas/fault"
)

// MaxInt is the largest magnitude of an integer that every JSON reader keeps exactly.
const MaxInt = 1<<53 - 1

// MaxDepth is the deepest nesting that Decode accepts. Marshal writes more, so that what was
// decoded may stand inside another document.
const (
	MaxDepth   = 64
	maxWritten = 8 * MaxDepth
)

// Size caps of Decode's usual callers.
const (
	MaxManifest = 16 << 20 // a whole document: receipt, manifest, build
	MaxLine     = 4 << 20  // one line of a JSON-lines file
)

// Marshal returns the canonical form of v. Structs may list their fields in any order.
func Marshal(v any) ([]byte, error) {
	if f := formOf(reflect.TypeOf(v)); f != nil {
		if out, ok := f.put(nil, reflect.ValueOf(v)); ok {
			return out, nil
		}
	}
	return marshalTree(v)
}

// marshalTree is Marshal by way of package json, whatever the type.
func marshalTree(v any) ([]byte, error) {
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	tree, err := parse(plain.Bytes(), rules{maxWritten, true, true})
	if err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	return appendValue(nil, tree), nil
}

// MustMarshal is Marshal for values of our own that cannot fail; it panics if one does.
func MustMarshal(v any) []byte {
	b, err := Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// Decode reads exactly one JSON document of at most limit bytes into v and refuses whatever v has
// no exact field for.
func Decode(data []byte, limit int, v any) error {
	if to := reflect.ValueOf(v).Elem(); to.IsZero() && len(data) <= limit { // most of what we read we wrote
		if decodeExactly(data, to) {
			return nil
		}
		to.SetZero()
	}
	return decode(data, limit, v, rules{MaxDepth, true, true})
}

// DecodeForeign is Decode for what is read and never written again, such as the reply of a model:
// its keys need not be ASCII.
func DecodeForeign(data []byte, limit int, v any) error {
	return decode(data, limit, v, rules{MaxDepth, false, true})
}

// DecodeOpen is DecodeForeign for what holds values of others as they were sent, such as arguments
// of tools: their numbers may be any.
func DecodeOpen(data []byte, limit int, v any) error {
	return decode(data, limit, v, rules{MaxDepth, false, false})
}

func decode(data []byte, limit int, v any, rules rules) error {
	if len(data) > limit {
		return fmt.Errorf("%d bytes of JSON, at most %d are accepted", len(data), limit)
	}
	if !utf8.Valid(data) {
		return errors.New("JSON is not valid UTF-8")
	}
	tree, err := parse(data, rules)
	if err != nil {
		return err
	}
	if err := checkType(tree, reflect.TypeOf(v)); err != nil {
		return err
	}
	return fault.Plain(json.Unmarshal(data, v))
}

// member and object keep an object's keys in the order and number in which they stand.
type member struct {
	key   string
	value any
}
type object []member

// checkNumber accepts the integers that canonical JSON has, from their literal.
func checkNumber(n json.Number) error {
	i, err := n.Int64()
	if err != nil || i > MaxInt || i < -MaxInt {
		return fmt.Errorf("number %.200s is not an integer below 2^53", n)
	}
	return nil
}
