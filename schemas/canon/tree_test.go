package canon

import (
	"reflect"
	"strings"
	"testing"
)

// FuzzParse holds the fast reader to the slow one: the same tree, or an error from both.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{"a":1,"b":[true,false,null,"x",{"c":-0}]}`, " { \"a\" :\t[ 1 ,2 ]\r\n} ", `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `"\ud800\n\"\\"`, `[1.5]`, `1e3`,
		`9007199254740991`, `9007199254740992`, `-9007199254740993`, `[]`, `{}`, `[[],{}]`, `{"a":}`, `[1,]`, `1 2`, ``, `nul`, `"`, "\"\xff\"", `{"":{"":""}}`,
		strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65) + strings.Repeat("]", 65), strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65),
		"{" + manyMembers(40, "k") + "}", "{" + manyMembers(40, "k") + `,"k7":1}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := parse(data)
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
