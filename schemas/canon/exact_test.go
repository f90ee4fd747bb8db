package canon

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"
)

// everything has a field of every type that has a form.
type everything struct {
	inner
	B    bool              `json:"b"`
	I    int8              `json:"i"`
	U    uint16            `json:"u"`
	Big  int64             `json:"big"`
	S    string            `json:"s"`
	P    *string           `json:"p"`
	List []uint32          `json:"list"`
	Of   []*inner          `json:"of"`
	Two  [2]int            `json:"two"`
	Map  map[string][]bool `json:"map"`
	Raw  json.RawMessage   `json:"raw"`
	Opt  *inner            `json:"opt,omitempty"`
	None string            `json:"none,omitempty"`
	Many []string          `json:"many,omitempty"`
	Skip int               `json:"-"`
	own  int
}

type inner struct {
	Name string `json:"name"`
	Up   uint64 `json:"an_up"`
}

func canonicalSamples() [][]byte {
	text := "a\"\\\b\t\n\f\r\x00\x1f\x7f\u2028é\ufffd<&>"
	return [][]byte{
		MustMarshal(everything{Raw: json.RawMessage("null")}),
		MustMarshal(everything{
			inner{"n", MaxInt},
			true, -128, 65535, -MaxInt, text, &text,
			[]uint32{},
			[]*inner{nil, {"", 1}},
			[2]int{3, -4},
			map[string][]bool{"": nil, "a": {}, "b": {true, false}},
			json.RawMessage(`{"a":[1,{"b":"\n"},-5,null,true]}`),
			&inner{text, 2}, "x",
			[]string{""},
			0, 0,
		}),
	}
}

// TestAChangedByteIsAcceptedAsBefore tries every change of one byte, and every byte left out, on the
// one-pass decoder and on the packages that it stands for.
func TestAChangedByteIsAcceptedAsBefore(t *testing.T) {
	t.Parallel()
	accepted := 0
	for _, doc := range canonicalSamples() {
		if !decodeExactly(doc, reflect.ValueOf(new(everything)).Elem()) {
			t.Fatalf("left to package json: %s", doc)
		}
		for i := range doc {
			checkExact(t, append(bytes.Clone(doc[:i]), doc[i+1:]...))
			for _, c := range []byte("0129-+.eE,:[]{}\"\\ntfau/ \n\x00\x1f\x80\xff") {
				changed := bytes.Clone(doc)
				changed[i] = c
				if checkExact(t, changed) {
					accepted++
				}
			}
		}
	}
	if accepted < 100 {
		t.Errorf("%d changes make another canonical document", accepted)
	}
}

// TestWhatIsWrittenAtOnceIsWhatTheTreeWrites tries random values, most of which hold something that
// canonical JSON has not, and as many that do not.
func TestWhatIsWrittenAtOnceIsWhatTheTreeWrites(t *testing.T) {
	t.Parallel()
	good := 0
	check := func(i int8, u uint16, big int64, up uint64, s, raw string, list []uint32, keys map[string][]bool, tame bool) bool {
		if tame {
			big, up, raw, keys = big%MaxInt, up%MaxInt, `[{"a":1}]`, map[string][]bool{"x": nil, "a": {true}}
			good++
		}
		v := everything{
			inner{s, up},
			i > 0, i, u, big, s, &s, list,
			[]*inner{nil, {s, 1}},
			[2]int{int(i), -1},
			keys, json.RawMessage(raw),
			&inner{}, s[:len(s)/3], []string{s}[:i&1], 0, 0,
		}
		got, ok := formOf(reflect.TypeFor[everything]()).put(nil, reflect.ValueOf(v))
		want, err := marshalTree(v)
		return ok && err == nil && bytes.Equal(got, want) || !ok && (!tame || err != nil || !utf8.ValidString(v.None))
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 3000}); err != nil || good < 500 {
		t.Errorf("%d good values: %v", good, err)
	}
}

func TestDeepValuesAreLeftToTheTree(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{MaxDepth - 2, MaxDepth - 1, MaxDepth, MaxDepth + 1, 2 * MaxDepth} {
		raw := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		checkExact(t, bytes.Replace(canonicalSamples()[0], []byte(`"raw":null`), []byte(`"raw":`+raw), 1))
	}
}

func TestTypesOfAFormOfTheirOwnAreLeftToPackageJSON(t *testing.T) {
	t.Parallel()
	type within struct{ Next []within }
	for _, v := range []any{
		1.5, new(any), json.Number("1"), []byte("x"),
		map[int]bool{},
		within{},
		reflect.ValueOf,
		struct{ T json.Number }{},
		struct {
			N int `json:"n,string"`
		}{},
		struct {
			N int `json:"n,omitzero"`
		}{},
		struct {
			inner
			Name string `json:"name"`
		}{},
		struct{ *inner }{},
	} {
		if formOf(reflect.TypeOf(v)) != nil {
			t.Errorf("%T has a form", v)
		}
	}
}

func FuzzExactIsPackageJSON(f *testing.F) {
	for _, doc := range canonicalSamples() {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkExact(t, data) })
}

// checkExact compares the one-pass decoder with what it stands for, and reports whether it accepts.
// It must accept whatever Marshal writes back, but for what is nested deeper than Decode allows.
func checkExact(t *testing.T, data []byte) bool {
	t.Helper()
	var got, want, strict everything
	accepts := decodeExactly(data, reflect.ValueOf(&got).Elem())
	again, err := []byte(nil), json.Unmarshal(data, &want)
	if err == nil {
		again, err = marshalTree(want)
	}
	canonical := err == nil && bytes.Equal(data, again)
	refused := decode(data, MaxLine, &strict, rules{MaxDepth, true, true})
	written, ok := formOf(reflect.TypeFor[everything]()).put(nil, reflect.ValueOf(got))
	switch {
	case accepts && (!ok || !bytes.Equal(written, data)):
		t.Errorf("writes %q as %q", data, written)
	case accepts && (!canonical || refused != nil):
		t.Errorf("accepts %q, which is canonical: %v, strict: %v", data, canonical, refused)
	case accepts && (!reflect.DeepEqual(got, want) || !reflect.DeepEqual(got, strict)):
		t.Errorf("reads %q as\n%+v, want\n%+v", data, got, want)
	case !accepts && canonical && refused == nil && !bytes.Contains(data, bytes.Repeat([]byte("["), MaxDepth)):
		t.Errorf("leaves %q to others", data)
	}
	return accepts
}

func TestWithoutCutsMembers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ names, want string }{
		{"", `{"a":1,"b":{"a":[2,"]"]},"c":"d"}`},
		{"a", `{"b":{"a":[2,"]"]},"c":"d"}`},
		{"b", `{"a":1,"c":"d"}`},
		{"c", `{"a":1,"b":{"a":[2,"]"]}}`},
		{"a b c", `{}`},
		{"a c x", `{"b":{"a":[2,"]"]}}`},
	} {
		if got := Without([]byte(`{"a":1,"b":{"a":[2,"]"]},"c":"d"}`), strings.Fields(c.names)...); string(got) != c.want {
			t.Errorf("without %s: %s, want %s", c.names, got, c.want)
		}
	}
}
