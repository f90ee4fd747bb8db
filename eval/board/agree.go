package board

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Replayed compares what an unpacked submission claims, its proof and every number of its summary,
// with what came of playing its run again, and returns that as a submission. Errors:
// fault.Mismatch with the first place that differs, fault.Malformed for a summary that is none.
func (p Pack) Replayed(s Submission, req family.Request) (Submission, error) {
	claimed, err := os.ReadFile(filepath.Join(p.dir, trace.SummaryFile))
	if err != nil {
		return s, err
	}
	if err := decodeScores(claimed, &family.Scores{}); err != nil {
		return s, fault.New(fault.KindOf(err), "%s: %w", trace.SummaryFile, err)
	}
	if err := differs(trace.SummaryFile, claimed, s.Summary); err != nil {
		return s, err
	}
	var files []Packed
	for _, f := range p.Files {
		if f.Path != trace.SummaryFile {
			files = append(files, f)
		}
	}
	want := NewPack(p.dir, files, s, req)
	s.Pack = &want
	return s, differs(ProofFile, canon.MustMarshal(p.Proof), canon.MustMarshal(want.Proof))
}

// differs names the first place at which two documents differ.
func differs(file string, claimed, replay []byte) error {
	var a, b any
	if json.Unmarshal(claimed, &a) != nil || json.Unmarshal(replay, &b) != nil {
		return fault.New(fault.Malformed, "%s is no JSON", file)
	}
	if where, x, y := difference(a, b, ""); where != "" {
		return fault.New(fault.Mismatch, "%s claims %s %s, the replay says %s", file, where, x, y)
	}
	if string(claimed) != string(replay) {
		return fault.New(fault.Mismatch, "%s says what the replay says in other bytes", file).
			Hint("wikinav-eval submit writes it anew")
	}
	return nil
}

// difference returns the path of the first value that two documents do not share, and both values.
func difference(a, b any, at string) (where, x, y string) {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			keys := maps.Clone(a)
			maps.Copy(keys, b)
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				if where, x, y = difference(a[key], b[key], at+"."+key); where != "" {
					return where, x, y
				}
			}
			return "", "", ""
		}
	case []any:
		if b, ok := b.([]any); ok && len(a) == len(b) {
			for i := range a {
				place := fmt.Sprintf("%s[%s]", at, nameOfItem(b[i], i))
				if where, x, y = difference(a[i], b[i], place); where != "" {
					return where, x, y
				}
			}
			return "", "", ""
		}
	}
	if reflect.DeepEqual(a, b) {
		return "", "", ""
	}
	return at[min(1, len(at)):], short(a), short(b)
}

// nameOfItem tells items of a list apart: by their split and group, else by number.
func nameOfItem(item any, i int) string {
	if m, ok := item.(map[string]any); ok && m["split"] != nil {
		name := fmt.Sprint(m["split"])
		by, _ := m["by"].([]any)
		for _, g := range by {
			if g, ok := g.(map[string]any); ok {
				name += fmt.Sprintf(", %v %v", g["name"], g["value"])
			}
		}
		return name
	}
	return fmt.Sprint(i)
}

// short returns a value as a message shows it.
func short(v any) string {
	if text, ok := v.(string); ok {
		return fault.Quote(text)
	}
	text, _ := json.Marshal(v)
	if len(text) > 200 {
		return string(text[:200]) + "…"
	}
	return string(text)
}
