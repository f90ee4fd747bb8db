package aar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/wikinav/wikinav/schemas"
)

func TestTheSamplesHaveNoCriticalIssue(t *testing.T) {
	t.Parallel()
	codes := map[string]int{}
	for _, f := range readSamples(t) {
		for _, issue := range Validate(f.Leg, true) {
			codes[issue.Code]++
			if issue.Severity == Critical {
				t.Errorf("%s: %+v", f.Path, issue)
			}
			switch issue.Code {
			case "depends_on_rule", "merge", "merge_value", "branches", "unreachable", "stop_count", "clues", "reason_source_order":
				t.Errorf("%s: %+v", f.Path, issue)
			}
		}
	}
	t.Log(codes)
}

// TestTheValuesOfSamplesAreComputedAnew computes every finish, reason, merge, conversion and date of the samples.
func TestTheValuesOfSamplesAreComputedAnew(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for _, f := range readSamples(t) {
		e, value, err := FinishOf(f.Leg)
		printed, err2 := e.Value()
		if err != nil || err2 != nil || value != int64(f.Leg.Passcode) || printed != value {
			t.Errorf("%s: %s is %d, over the stops %d, want %d (%v, %v)", f.Path, e, printed, value, f.Leg.Passcode, err, err2)
		}
		count["finish"]++
		for i := range f.Leg.Stops {
			s := &f.Leg.Stops[i]
			if s.Type == schemas.AARReason {
				count["reason"]++
				if isStale(f.Leg, s) {
					t.Errorf("%s: stop %d is stale", f.Path, i)
				}
			}
			last := lastCall(s)
			if last == nil || last.ToolName != "python_execute_code" {
				continue
			}
			var args struct{ Code string }
			_ = json.Unmarshal(last.Arguments, &args)
			c, ok := ReadPython(args.Code)
			got, err := c.Value()
			stored, _ := Operand(s.ExtractedValue)
			if count[c.Kind]++; !ok || err != nil || got != stored {
				t.Errorf("%s: stop %d: %q is %d (%v), want %d", f.Path, i, args.Code, got, err, stored)
			}
		}
	}
	want := map[string]int{"finish": 40, "reason": 127, MergeAdd: 20, MergeAbsDiff: 20, Conversion: 25, DaysKind: 5}
	if count[MergeAdd]+count[MergeAbsDiff] != 40 || count["reason"] != want["reason"] || count[Conversion] != 25 || count[DaysKind] != 5 {
		t.Errorf("computed %v, want about %v", count, want)
	}
}

// mutant changes the JSON of a leg and names the rule that must reject it.
type mutant struct {
	name, code string
	stop       int
	change     func(leg map[string]any, stop func(kind string) map[string]any)
}

func mutants() []mutant {
	type leg = map[string]any
	set := func(kind string, path ...any) func(leg, func(string) leg) {
		return func(l leg, stop func(string) leg) {
			at := l
			if kind != "" {
				at = stop(kind)
			}
			for _, key := range path[:len(path)-2] {
				at = at[key.(string)].(leg)
			}
			at[path[len(path)-2].(string)] = path[len(path)-1]
		}
	}
	return []mutant{
		{"missing key", "missing_key", -1, func(l leg, _ func(string) leg) { delete(l, "seed_title") }},
		{"extra key", "unknown_key", -1, set("", "answer", 4)},
		{"passcode 10", "passcode", -1, set("", "passcode", 10)},
		{"unknown stop type", "stop_type", 0, set("page", "stop_type", "visit")},
		{"page stop with null URL", "page_url", 0, set("page", "page_url", nil)},
		{"tool stop with empty chain", "empty_chain", 4, set("tool", "bridge", "tool_chain", []any{})},
		{"reason stop without source", "reason_source", 7, set("reason", "reason_source_stop", nil)},
		{"finish 1 + 2", "expression", 9, set("compute", "bridge", "expression", "1 + 2")},
		{"five operands", "operands", 9, set("compute", "bridge", "expression", "(1 + 2 + 3 + 4 + 5) % 10")},
		{"unknown tool", "unknown_tool", 4, func(_ leg, stop func(string) leg) {
			stop("tool")["bridge"].(leg)["tool_chain"].([]any)[0].(leg)["tool_name"] = "guess"
		}},
		// And the rest of what is critical.
		{"no stops", "no_stops", -1, set("", "stops", []any{})},
		{"last stop no compute", "last_stop", 9, set("compute", "stop_type", "page")},
		{"unknown bridge", "bridge_type", 0, set("page", "bridge", "bridge_type", "jump")},
		{"other passcode", "passcode", -1, set("", "passcode", 5)},
		{"short riddle", "riddle_short", -1, set("", "riddle", strings.Repeat("é", 49))},
		{"null value", "value_null", 0, set("page", "extracted_value", nil)},
		{"true value", "value", 0, set("page", "extracted_value", true)},
		{"infinite value", "value_not_finite", 0, set("page", "extracted_value", json.RawMessage("1e999"))},
		{"zero of geocode", "value_zero", 4, set("tool", "extracted_value", json.RawMessage("0.0"))},
		{"citation in a value", "citation", 0, set("page", "extracted_value", "2007[1]")},
		{"citation in an argument", "citation", 4, func(_ leg, stop func(string) leg) {
			stop("tool")["bridge"].(leg)["tool_chain"].([]any)[0].(leg)["arguments"] = leg{"address": "Pakistan [note 2]"}
		}},
		{"stock on a Sunday", "weekend", 4, func(_ leg, stop func(string) leg) {
			call := stop("tool")["bridge"].(leg)["tool_chain"].([]any)[0].(leg)
			call["tool_name"], call["arguments"] = "stock_volume", leg{"ticker": "X", "date": "2024-06-16"}
		}},
		{"depends on itself", "depends_on", 4, set("tool", "depends_on", []int{4})},
		{"another wiki", "released_url", 0, set("page", "page_url", "https://de.wikipedia.org/wiki/X")},
		{"wrong id", "trail_id", -1, set("", "trail_id", "trail_8961DB22")},
		{"sample path", "sample_id", -1, set("", "metadata", "sample_id", "sample_../../x")},
		{"merge of another value", "merge_value", 6, func(_ leg, stop func(string) leg) { stop("merge")["extracted_value"] = 1693 }},
	}
}

// mutate returns the sample with the change.
func mutate(t *testing.T, data []byte, m mutant) []byte {
	t.Helper()
	var leg map[string]any
	if err := json.Unmarshal(data, &leg); err != nil {
		t.Fatal(err)
	}
	m.change(leg, func(kind string) map[string]any {
		i := map[string]int{"page": 0, "tool": 4, "merge": 6, "reason": 7, "compute": 9}[kind]
		return leg["stops"].([]any)[i].(map[string]any)
	})
	return raw(leg)
}

// issuesOf validates the bytes of a leg.
func issuesOf(data []byte) []Issue {
	l, _, err := DecodeLeg(data)
	if err != nil {
		return []Issue{Unreadable("", err)}
	}
	return Validate(l, true)
}

func TestMutantsAreRejectedByTheirRule(t *testing.T) {
	t.Parallel()
	data := aSample(t)
	if slices.ContainsFunc(issuesOf(data), func(i Issue) bool { return i.Severity == Critical }) {
		t.Fatal("the sample itself is rejected")
	}
	for _, m := range mutants() {
		severity := Critical
		if m.code == "merge_value" {
			severity = Warning
		}
		issues := issuesOf(mutate(t, data, m))
		if !slices.ContainsFunc(issues, func(i Issue) bool { return i.Code == m.code && i.Stop == m.stop && i.Severity == severity }) {
			t.Errorf("%s: %+v, want %s at stop %d", m.name, issues, m.code, m.stop)
		}
	}
}

// schemaCodes are the rules of leg.schema.json beyond keys and types.
var schemaCodes = []string{
	"trail_id", "seed_url", "seed_title", "no_stops", "stops", "passcode", "level", "extraction_difficulty", "bridge_obscurity", "depth", "stop_count",
	"riddle_short", "sample_id", "pages_crawled", "stop_type", "index", "value_null", "value", "value_type", "reason_transform", "depends_on", "page_url",
	"bridge_type", "extraction_section", "empty_chain", "reason_source", "reason_code", "chain", "expression_code", "referenced_stops", "expression", "operands",
	"unknown_tool", "arguments", "output_key",
}

// TestTheReaderAgreesWithTheSchema changes fields of samples at random and asks the reader with the rules of form, and
// leg.schema.json by a library.
func TestTheReaderAgreesWithTheSchema(t *testing.T) {
	t.Parallel()
	text, err := tables.ReadFile("tables/leg.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, verdicts := rand.New(rand.NewPCG(7, 8)), map[bool]int{}
	list := readSamples(t)
	for n := range 1500 {
		var leg any
		if err := json.Unmarshal(list[n%len(list)].Data, &leg); err != nil {
			t.Fatal(err)
		}
		where := ""
		if n >= len(list) {
			where = change(r, leg)
		}
		want := resolved.Validate(leg)
		l, _, err := DecodeLeg(raw(leg))
		if err == nil {
			f := &finder{leg: l}
			f.form()
			if len(f.issues) > 0 {
				err = fmt.Errorf("%+v", f.issues)
			}
			for _, issue := range f.issues {
				if !slices.Contains(schemaCodes, issue.Code) {
					t.Errorf("%s is no rule of the schema", issue.Code)
				}
			}
		}
		if verdicts[want == nil]++; (want == nil) != (err == nil) {
			t.Fatalf("%s, %s: the schema says %v, the reader %v", list[n%len(list)].Path, where, want, err)
		}
	}
	if verdicts[true] < 200 || verdicts[false] < 800 {
		t.Errorf("%d accepted and %d refused are too few of one kind", verdicts[true], verdicts[false])
	}
	t.Logf("%d accepted, %d refused", verdicts[true], verdicts[false])
}

// change puts another value somewhere into a leg, takes one out or adds one, and says what.
func change(r *rand.Rand, v any) string {
	for {
		var keys []any
		switch v := v.(type) {
		case map[string]any:
			for k := range v {
				keys = append(keys, k)
			}
			slices.SortFunc(keys, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		case []any:
			for i := range v {
				keys = append(keys, i)
			}
		}
		if len(keys) == 0 {
			return "nothing"
		}
		key := keys[r.IntN(len(keys))]
		var child any
		if m, ok := v.(map[string]any); ok {
			child = m[key.(string)]
		} else {
			child = v.([]any)[key.(int)]
		}
		kind := reflect.ValueOf(child).Kind()
		if (kind == reflect.Map || kind == reflect.Slice) && reflect.ValueOf(child).Len() > 0 && r.IntN(10) > 0 {
			v = child
			continue
		}
		m, ok := v.(map[string]any)
		if !ok {
			v.([]any)[key.(int)] = other(r)
			return fmt.Sprintf("[%d] another", key)
		}
		switch r.IntN(8) {
		case 0:
			delete(m, key.(string))
			return fmt.Sprintf("%s away", key)
		case 1:
			m["x"] = 1
			return "x added"
		}
		m[key.(string)] = other(r)
		return fmt.Sprintf("%s = %v", key, m[key.(string)])
	}
}

func other(r *rand.Rand) any {
	return []any{
		nil, true, 0, 5, -1, 3.5, "", "hard", "page", "tool", "reason", "compute", "link_follow", "tool_call", "number", "text", "sample_123", "trail_0123abcd",
		"https://x", "(1 + 2) % 10", "1 + 2", "coords", "merged", "digit_sum", "python_execute_code", strings.Repeat("é ", 30),
		[]any{},
		[]any{1, 2},
		map[string]any{},
		map[string]any{"x": 1},
	}[r.IntN(30)]
}

// FuzzValidate validates and audits whatever can be read.
func FuzzValidate(f *testing.F) {
	f.Add(EncodeLeg(randomLeg(rand.New(rand.NewPCG(5, 6))), true))
	if _, err := os.Stat(samplesDir); err == nil {
		f.Add(aSample(f))
	}
	f.Fuzz(func(_ *testing.T, data []byte) { look(data) })
}

// look does with a leg all that can be done with one.
func look(data []byte) {
	l, newline, err := DecodeLeg(data)
	if err != nil {
		return
	}
	Validate(l, true)
	NewAudit([]AuditLeg{AuditOf(File{Leg: l, Newline: newline, Variant: "dag"})}).Tables()
	_, _ = LegID(l), File{Leg: l}.Same()
}

// TestOddLegsAreJudgedWithoutPanic judges legs whose fields are drawn, and samples with fields of others.
func TestOddLegsAreJudgedWithoutPanic(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	for range 1000 {
		look(EncodeLeg(randomLeg(r), true))
	}
	data := aSample(t)
	for range 1000 {
		var leg any
		if err := json.Unmarshal(data, &leg); err != nil {
			t.Fatal(err)
		}
		for range 1 + r.IntN(4) {
			change(r, leg)
		}
		look(raw(leg))
	}
	huge := bytes.ReplaceAll(data, []byte(`"extracted_value": 65,`), []byte(`"extracted_value": 9223372036854775807,`))
	look(bytes.ReplaceAll(huge, []byte("digit"), []byte("next")))
}

func TestFilesAreFoundInTreesAndReleases(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), aSample(t)
	l, _, _ := DecodeLeg(data)
	put := func(name string, data []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	find := func() (list []string) {
		err := ReadFiles(dir, func(f File) error {
			list = append(list, fmt.Sprintf("%s %s %s %s %v", f.Path, f.Variant, f.Level, f.Sample, f.Same()))
			return nil
		})
		return append(list, fmt.Sprint(err)[:min(len(fmt.Sprint(err)), 5)])
	}
	check := func(want ...string) {
		t.Helper()
		if got := find(); !slices.Equal(got, want) {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	check(dir[:5])
	put("one.json", data)
	check("one.json dag easy one true", "<nil>")
	put("aar-linear/hard/sample_007.json", data)
	put("expected.json", []byte("{}"))
	check("aar-linear/hard/sample_007.json linear hard sample_007 true", "<nil>")
	put("aar/legs-dag-easy.jsonl", append(EncodeLine(l), "\n{}\n"...))
	check("aar/legs-dag-easy.jsonl: line 1 dag easy sample_003 true", "aar/legs-dag-easy.jsonl: line 2 dag easy  false", "<nil>")
}
