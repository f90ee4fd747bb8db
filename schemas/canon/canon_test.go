package canon

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
)

func TestMarshalEqualsThePublishedVector(t *testing.T) {
	v := map[string]any{
		"a": "<&>\u2028\n", "b": []int{1, -2, 0}, "c": map[string]any{"y": nil, "z": true},
	}
	got, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(got)
	if hex.EncodeToString(sum[:]) != "6c6c8c1b082db10f85f056c81d69212e0cc0c4dd4d13718f2a74baf49203516c" || len(got) != 53 {
		t.Errorf("got %d bytes %q", len(got), got)
	}
}

func TestMarshalSortsStructFieldsAndRefusesFloats(t *testing.T) {
	got, err := Marshal(struct {
		Z int    `json:"z"`
		A string `json:"a"`
	}{1, "x"})
	if err != nil || string(got) != `{"a":"x","z":1}` {
		t.Errorf("got %s, %v", got, err)
	}
	if out, err := Marshal(1.5); err == nil {
		t.Errorf("a float was written: %s", out)
	}
}

func TestDecodeRefusesWhatItCannotKeepExactly(t *testing.T) {
	type rec struct {
		ID    int    `json:"id"`
		Name  string `json:"name"`
		Inner []struct {
			N int `json:"n"`
		} `json:"inner"`
	}
	for name, in := range map[string]string{
		"duplicate key":       `{"id":1,"id":2}`,
		"case variant":        `{"ID":1}`,
		"nested case variant": `{"id":1,"inner":[{"N":1}]}`,
		"unknown field":       `{"id":1,"x":2}`,
		"trailing data":       `{"id":1}{}`,
		"2^53":                `{"id":9007199254740992}`,
		"huge float":          `{"id":1e400}`,
		"float":               `{"id":1.0}`,
		"invalid UTF-8":       "{\"name\":\"\xff\"}",
		"text for a number":   `{"id":"1"}`,
		"null for a number":   `{"id":null}`,
		"cut":                 `{"id":1`,
		"nothing":             ``,
	} {
		var r rec
		if err := Decode([]byte(in), MaxLine, &r); err == nil {
			t.Errorf("%s: %q was accepted", name, in)
		}
	}
	var r rec
	if err := Decode([]byte(`{"id":9007199254740991,"name":"A","inner":[{"n":3}]}`), MaxLine, &r); err != nil || r.ID != MaxInt || r.Inner[0].N != 3 {
		t.Errorf("a good record: %+v, %v", r, err)
	}
	deep := make([]byte, 100_000)
	for i := range deep {
		deep[i] = '['
	}
	if err := Decode(deep, MaxLine, &r); err == nil {
		t.Error("nesting of 100,000 was accepted")
	}
}

func TestWhatDecodeAcceptsMarshalWrites(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	for text, ok := range map[string]bool{
		`{"é":1}`: false, `[{"a":{"\u00e9":1}}]`: false, `{"\ud800":1}`: false, `{"a":"é"}`: true, deep: true, "[[" + deep + "]]": false,
	} {
		var raw json.RawMessage
		if err := Decode([]byte(text), MaxLine, &raw); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
		if ok {
			MustMarshal(map[string]any{"inside": []any{raw}})
		}
	}
	var kept map[string]any
	if err := DecodeForeign([]byte(`{"é":1}`), MaxLine, &kept); err != nil || kept["é"] == nil {
		t.Errorf("%v, %v", kept, err)
	}
	if _, err := Marshal(kept); err == nil {
		t.Error("a key that is not ASCII was written")
	}
}
