package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode"
)

// FuzzParse holds the fast reader to the slow one: the same tree, or an error from both.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"a":1,"b":[true,false,null,"x",{"c":-0}]}`, " { \"a\" :\t[ 1 ,2 ]\r\n} ", `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `"\ud800\n\"\\"`, `[1.5]`, `1e3`,
		`9007199254740991`, `9007199254740992`, `-9007199254740993`, `[]`, `{}`, `[[],{}]`, `{"a":}`, `[1,]`, `1 2`, ``, `nul`, `"`, "\"\xff\"", `{"":{"":""}}`, `{"é":1}`, `[{"a":{"\u00e9":1}}]`,
		strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65) + strings.Repeat("]", 65), strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65),
		"{" + manyMembers(40, "k") + "}", "{" + manyMembers(40, "k") + `,"k7":1}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := parse(data, rules{MaxDepth, true, true})
		want, wantErr := parseTokens(data)
		if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, %v; want %v, %v", data, got, err, want, wantErr)
		}
	})
}

func manyMembers(n int, name string) string {
	var parts []string
	for i := range n {
		parts = append(parts, `"`+name+string(rune('0'+i/10))+string(rune('0'+i%10))+`":1`)
	}
	return strings.ReplaceAll(strings.Join(parts, ","), `"k07"`, `"k7"`)
}

// parseTokens is parse by the tokens of package json: slow, and nothing of it is ours.
func parseTokens(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := parseValue(dec, 0)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("data after the JSON document")
	}
	return v, nil
}

func parseValue(dec *json.Decoder, depth int) (any, error) {
	if depth > MaxDepth {
		return nil, errors.New("too deep")
	}
	tok, err := dec.Token()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	switch t := tok.(type) {
	case json.Delim:
		if t == '{' {
			return parseObject(dec, depth+1)
		}
		return parseArray(dec, depth+1)
	case json.Number:
		return t, checkNumber(t)
	}
	return tok, nil
}

func parseObject(dec *json.Decoder, depth int) (any, error) {
	obj, seen := object{}, map[string]bool{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key := tok.(string)
		if seen[key] || strings.ContainsFunc(key, func(r rune) bool { return r > unicode.MaxASCII }) {
			return nil, errors.New("a key twice, or none of ASCII")
		}
		seen[key] = true
		v, err := parseValue(dec, depth)
		if err != nil {
			return nil, err
		}
		obj = append(obj, member{key, v})
	}
	_, err := dec.Token()
	return obj, err
}

func parseArray(dec *json.Decoder, depth int) (any, error) {
	list := []any{}
	for dec.More() {
		v, err := parseValue(dec, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.Token()
	return list, err
}
