package aar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// samplesDir has forty released legs.
const samplesDir = "../../../shared/data/aar"

// samples returns the files of the forty legs by their path below samplesDir.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	if _, err := os.Stat(samplesDir); err != nil {
		t.Skip("the folder ../shared/data/aar is absent")
	}
	out := map[string][]byte{}
	err := filepath.WalkDir(samplesDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(d.Name(), "sample_") {
			return err
		}
		name, _ := filepath.Rel(samplesDir, path)
		out[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(out) != 40 {
		t.Fatalf("%d samples (%v), want 40", len(out), err)
	}
	return out
}

// aSample returns one of them, a DAG leg.
func aSample(t testing.TB) []byte { return samples(t)["aar-dag/easy/sample_003.json"] }

func TestSamplesAreWrittenAsTheyWere(t *testing.T) {
	t.Parallel()
	for name, data := range samples(t) {
		for _, newline := range []bool{true, false} {
			data := bytes.TrimSuffix(data, []byte("\n"))
			if newline {
				data = append(bytes.Clone(data), '\n')
			}
			l, ended, err := DecodeLeg(data)
			if err != nil || ended != newline {
				t.Fatalf("%s: newline %v (%v), want %v", name, ended, err, newline)
			}
			if !bytes.Equal(EncodeLeg(l, ended), data) {
				t.Errorf("%s is written differently", name)
			}
			again, err := DecodeLine(EncodeLine(l))
			if err != nil || !reflect.DeepEqual(again, l) {
				t.Errorf("%s: as a line it is another leg (%v)", name, err)
			}
			if want := strings.NewReplacer("/sample_", "-", ".json", "", "/", "-").Replace(name); LegID(l) != want {
				t.Errorf("the id %s, want %s", LegID(l), want)
			}
		}
	}
}

// randomLeg fills every field of a leg with something that its type may hold.
func randomLeg(r *rand.Rand) *schemas.AARLeg {
	l := new(schemas.AARLeg)
	randomly(r, reflect.ValueOf(l).Elem())
	return l
}

func randomly(r *rand.Rand, v reflect.Value) {
	switch {
	case v.Type() == rawType:
		v.SetBytes(randomValue(r, 0))
		return
	case v.Kind() == reflect.Pointer && r.IntN(2) == 0:
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		randomly(r, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			randomly(r, v.Field(i))
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]int]() && r.IntN(4) == 0 {
			return // no depends_on; of other lists it is an empty one
		}
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		for i := range v.Len() {
			randomly(r, v.Index(i))
		}
	case reflect.String:
		v.SetString(randomString(r))
	case reflect.Int:
		v.SetInt(int64(r.Uint64()) >> r.IntN(64))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	}
}

func randomString(r *rand.Rand) string {
	runes := []rune("ab,:{}[] \"\\/<>&é日\u00a0\u2028\u2029\ufeff\ufffd\U0001F600\x7f\x00\x01\x1f\b\f\n\r\t'")
	out := make([]rune, r.IntN(12))
	for i := range out {
		out[i] = runes[r.IntN(len(runes))]
	}
	return string(out)
}

func randomValue(r *rand.Rand, depth int) []byte {
	if depth > 4 {
		return []byte("0")
	}
	out := []byte{}
	switch r.IntN(7) {
	case 0:
		return []byte([]string{"null", "true", "false", "-0", "-0.0", "1e5", "1E+05", "2.50", "1e-400", "123456789012345678901234567890"}[r.IntN(10)])
	case 1:
		return []byte(Repr(math.Ldexp(r.NormFloat64(), r.IntN(200)-100)))
	case 2:
		out = append(out, '[')
		for range r.IntN(4) {
			out = append(comma(out, '['), randomValue(r, depth+1)...)
		}
		return append(out, ']')
	case 3:
		out = append(out, '{')
		for i := range r.IntN(4) {
			out = append(appendString(comma(out, '{'), fmt.Sprint(randomString(r), 9-i)), ':')
			out = append(out, randomValue(r, depth+1)...)
		}
		return append(out, '}')
	case 4:
		return fmt.Append(out, int64(r.Uint64())>>r.IntN(64))
	}
	return appendString(out, randomString(r))
}

func TestRandomLegsAreWrittenReadAndWrittenAlike(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		first := EncodeLeg(randomLeg(r), true)
		l, newline, err := DecodeLeg(first)
		if err != nil || !newline {
			t.Fatalf("%v (newline %v) of\n%s", err, newline, first)
		}
		if second := EncodeLeg(l, newline); !bytes.Equal(first, second) {
			t.Fatalf("written\n%s, then\n%s", first, second)
		}
		if !json.Valid(first) {
			t.Fatalf("no JSON: %s", first)
		}
	}
}

func TestOtherSpellingsAreReadAndWrittenAsPythonDoes(t *testing.T) {
	t.Parallel()
	data := aSample(t)
	plain, _, _ := DecodeLeg(data)
	var shuffled map[string]json.RawMessage // marshalled by name
	if err := json.Unmarshal(data, &shuffled); err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string][]byte{
		"escapes":    bytes.ReplaceAll(data, []byte("https://en"), []byte(`\u0068ttps:\/\/en`)),
		"surrogates": bytes.ReplaceAll(data, []byte("—"), []byte(`\u2014`)),
		"blanks":     bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n\t ")),
		"order":      raw(shuffled),
		"compact":    EncodeLine(plain),
	} {
		l, _, err := DecodeLeg(other)
		if err != nil || bytes.Equal(other, data) || !bytes.Equal(EncodeLeg(l, true), append(bytes.TrimSpace(bytes.Clone(data)), '\n')) {
			t.Errorf("%s: read as another leg (%v)", name, err)
		}
		if _, err := DecodeLine(other); err == nil && name != "compact" {
			t.Errorf("%s: taken as the line of a release", name)
		}
	}
}

// hostile is legs that must be refused, each with its rule and place.
func hostile(data string) map[string][3]string {
	change := func(from, to string) string {
		if !strings.Contains(data, from) {
			panic("no " + from)
		}
		return strings.Replace(data, from, to, 1)
	}
	args := func(v string) string {
		return change(`"address": "Provincial Assembly of Balochistan"`, `"address": `+v)
	}
	const argsPlace = "stops[4].bridge.tool_chain[0].arguments.address"
	return map[string][3]string{
		"missing key":      {change(`"seed_title": "Jamiat Ulama-e-Islam Nazryati",`, ""), "missing_key", "seed_title"},
		"missing deep key": {change(`"search_query": null,`, ""), "missing_key", "stops[0].bridge.search_query"},
		"extra key":        {change(`"passcode"`, `"answer": 4, "passcode"`), "unknown_key", "answer"},
		"key in caps":      {change(`"passcode"`, `"Passcode"`), "unknown_key", "Passcode"},
		"odd key":          {change(`"passcode"`, `"a b\nc"`), "unknown_key", `"a b\nc"`},
		"key twice":        {change(`"passcode"`, `"riddle": "", "passcode"`), "duplicate_key", "riddle"},
		"argument twice":   {args(`"a", "\u0061ddress": "b"`), "duplicate_key", argsPlace},
		"null title":       {change(`"seed_title": "Jamiat Ulama-e-Islam Nazryati"`, `"seed_title": null`), "bad_type", "seed_title"},
		"null source":      {change(`"source": "trail_puzzles_v2"`, `"source": null`), "bad_type", "metadata.source"},
		"float index":      {change(`"index": 0`, `"index": 0.0`), "bad_type", "stops[0].index"},
		"minus zero":       {change(`"index": 0`, `"index": -0`), "bad_type", "stops[0].index"},
		"huge index":       {change(`"index": 0`, `"index": 9223372036854775808`), "bad_type", "stops[0].index"},
		"text index":       {change(`"index": 0`, `"index": "0"`), "bad_type", "stops[0].index"},
		"list for object":  {change(`"metadata": {`, `"metadata": [], "x": {`), "bad_type", "metadata"},
		"NaN":              {args("NaN"), "not_finite", argsPlace},
		"infinite":         {args("[1, -Infinity]"), "not_finite", argsPlace + "[1]"},
		"half a pair":      {args(`"\ud83d"`), "bad_text", argsPlace},
		"the other half":   {args(`"\ude00\ud83d"`), "bad_text", argsPlace},
		"a pair and a bit": {args(`"\ud83d\u0041"`), "bad_text", argsPlace},
		"not UTF-8":        {args("\"\xff\""), "bad_text", argsPlace},
		"overlong":         {args("\"\xc0\x80\""), "bad_text", argsPlace},
		"control":          {args("\"\x01\""), "bad_json", argsPlace},
		"no escape":        {args(`"\x41"`), "bad_json", argsPlace},
		"short escape":     {args(`"\u00"`), "bad_json", argsPlace},
		"number 01":        {args(`01`), "bad_json", "stops[4].bridge.tool_chain[0].arguments"},
		"number .5":        {args(`.5`), "bad_json", argsPlace},
		"number +5":        {args(`+5`), "bad_json", argsPlace},
		"comma at the end": {args(`[1,]`), "bad_json", argsPlace + "[1]"},
		"deep":             {args(strings.Repeat("[", 100_000)), "too_deep", ""},
		"deep objects":     {args(strings.Repeat(`{"a":`, 100_000)), "too_deep", ""},
		"more follows":     {data + "{}", "bad_json", ""},
		"cut":              {data[:len(data)-3], "bad_json", ""},
		"nothing":          {"", "bad_json", ""},
		"a list":           {"[]", "bad_json", ""},
		"a mark at front":  {"\ufeff" + data, "bad_json", ""},
		"many references":  {change(`"referenced_stops": []`, `"referenced_stops": [`+strings.Repeat("0,", 2000)+`0]`), "too_large", "stops[0].bridge.referenced_stops"},
		"too large":        {data + strings.Repeat(" ", MaxLeg), "too_large", ""},
	}
}

func TestHostileLegsAreRefusedByRuleAndPlace(t *testing.T) {
	t.Parallel()
	for name, c := range hostile(string(aSample(t))) {
		_, _, err := DecodeLeg([]byte(c[0]))
		var b *Bad
		if !errors.As(err, &b) || b.Rule != c[1] || !strings.HasPrefix(b.Place, c[2]) || c[2] != "" && b.Place != c[2] {
			t.Errorf("%s: %v, want %s at %s", name, err, c[1], c[2])
			continue
		}
		if fault.Code(err) != fault.Malformed.Code() || len(b.Place) > 2000 {
			t.Errorf("%s: exit code %d, the place has %d bytes", name, fault.Code(err), len(b.Place))
		}
	}
}

// FuzzLegs reads anything without a panic, and what it reads it writes, reads and writes alike.
func FuzzLegs(f *testing.F) {
	f.Add([]byte("{}"))
	f.Add(EncodeLeg(randomLeg(rand.New(rand.NewPCG(5, 6))), true))
	if _, err := os.Stat(samplesDir); err == nil {
		f.Add(aSample(f))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, newline, err := DecodeLeg(data)
		if err != nil {
			return
		}
		first := EncodeLeg(l, newline)
		again, _, err := DecodeLeg(first)
		if err != nil || !bytes.Equal(EncodeLeg(again, newline), first) {
			t.Fatalf("%q is written as %q, which is read otherwise (%v)", data, first, err)
		}
	})
}
