package aar

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// readSamples returns the forty legs as ReadFiles finds them.
func readSamples(t testing.TB) (list []File) {
	t.Helper()
	samples(t)
	if err := ReadFiles(samplesDir, func(f File) error {
		list = append(list, f)
		return f.Err
	}); err != nil || len(list) != 40 {
		t.Fatalf("%d legs (%v)", len(list), err)
	}
	return list
}

func auditSamples(t testing.TB) Audit {
	t.Helper()
	var rows []AuditLeg
	for _, f := range readSamples(t) {
		rows = append(rows, AuditOf(f))
	}
	return NewAudit(rows)
}

// TestTheAuditHasEveryExpectedField compares every field of expected.json, in the JSON form and in the table.
func TestTheAuditHasEveryExpectedField(t *testing.T) {
	t.Parallel()
	a := auditSamples(t)
	data, err := os.ReadFile(filepath.Join(samplesDir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct{ Legs map[string]map[string]any }
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	table, fields := a.Tables()[0], 0
	for i, row := range a.Legs {
		var got map[string]any
		if err := json.Unmarshal(raw(row), &got); err != nil {
			t.Fatal(err)
		}
		for name, v := range want.Legs[row.File] {
			fields++
			if !reflect.DeepEqual(got[name], v) {
				t.Errorf("%s: %s is %v, want %v", row.File, name, got[name], v)
			}
			cell := table[i+1][slices.Index(table[0], name)]
			if want := strings.Trim(string(raw(v)), `"`); cell != want {
				t.Errorf("%s: the table has %s = %s, want %s", row.File, name, cell, want)
			}
		}
		if p := fmt.Sprintf("aar-%s/%s/%s.json", row.Variant, row.Level, row.Sample); p != row.File {
			t.Errorf("%s is taken for %s", row.File, p)
		}
		for _, i := range row.Cone {
			if !slices.Contains(row.DepCone, i) {
				t.Errorf("%s: dep_cone %v lacks %d of the cone", row.File, row.DepCone, i)
			}
		}
	}
	if fields != 40*27 {
		t.Errorf("%d fields were compared, want 27 of 40 legs", fields)
	}
}

func TestTotalsAndGroupsCountTheFlags(t *testing.T) {
	t.Parallel()
	a := auditSamples(t)
	if len(a.Groups) != 8 || a.Totals.Legs != 40 {
		t.Fatalf("%d groups, %d legs", len(a.Groups), a.Totals.Legs)
	}
	sum := map[string]int{}
	for _, g := range a.Groups {
		passcodes := 0
		for _, n := range g.Passcodes {
			passcodes += n
		}
		if g.Legs != 5 || passcodes != 5 || g.PageJaccard == nil || *g.PageJaccard < 0 || *g.PageJaccard > 0.2 {
			t.Errorf("%s %s: %d legs, %d passcodes, overlap %v", g.Variant, g.Level, g.Legs, passcodes, *g.PageJaccard)
		}
		for name, f := range g.Flags {
			sum[name] += f.Count
		}
	}
	if !maps.Equal(sum, a.Totals.Flags) || len(sum) != 16 {
		t.Errorf("the groups have %v, the totals %v", sum, a.Totals.Flags)
	}
	for flag, want := range map[string]int{"twin": 24, "no_page_in_cone": 8, "expression_leak": 3, "title_leak": 6, "title_issues": 10, "missing_output": 40, "unserved": 4, "stale_reason": 0, "stale_finish": 0, "non_dag": 0, "level_mismatch": 0, "clue_count": 0} {
		if a.Totals.Flags[flag] != want {
			t.Errorf("%s: %d legs, want %d", flag, a.Totals.Flags[flag], want)
		}
	}
}

func TestTargetsThatCountPartsOfAPageAreNamed(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]bool{
		"number of language editions listed at the top of the article":  true,
		"the number of languages the article is available in":           true,
		"the number of languages listed in the interlanguage links":     true,
		"the number of subsections listed under the Contents":           true,
		"the number of languages in which works are reviewed":           false,
		"the number of official languages Zimbabwe has since 2013":      false,
		"number of tracks listed in the Track listing section":          false,
		"the number of seats won by the Indian National Congress (INC)": false,
	} {
		if got := pageObject.MatchString(target); got != want {
			t.Errorf("%s: %v", target, got)
		}
	}
}
