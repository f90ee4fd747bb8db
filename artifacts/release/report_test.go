package release

import (
	"testing"

	"github.com/wikinav/wikinav/schemas/canon"
)

func TestFindingsAreListedUpToACapAndThenCounted(t *testing.T) {
	r := newReport(2)
	for i := range maxFindings + 7 {
		r.add("check", "a", Row(i), 1, 2)
	}
	r.add("check", "b", "", 1, 2)
	r.closeCounts()
	if n, last := len(r.Failed), r.Failed[len(r.Failed)-1]; n != maxFindings+2 || last.Path != "a" || last.Found != "7 more" {
		t.Errorf("%d findings, the last %+v", n, last)
	}
}

func TestAReportIsJSONWithTheFieldsOfTheSpecification(t *testing.T) {
	r := newReport(1)
	r.add("size", "a", "row 3", 1, 2)
	want := `{"checked":0,"covered":[],"failed":[{"check":"size","expected":"1","found":"2","path":"a","where":"row 3"}],"level":1,"skipped":[]}`
	if got := string(canon.MustMarshal(r)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := r.Err().Error(); got != "a: row 3: 1 finding; size: expected 1, found 2" {
		t.Errorf("got %s", got)
	}
}

func TestHostLimitsAreEnforced(t *testing.T) {
	many := func(n int, path func(i int) string) []FileEntry {
		files := make([]FileEntry, n)
		for i := range files {
			files[i].Path = path(i)
		}
		return files
	}
	if err := checkHostLimits(many(9_999, func(int) string { return "d/x" })); err != nil {
		t.Errorf("a folder of 9,999 files: %v", err)
	}
	for name, files := range map[string][]FileEntry{
		"a folder of 10,000 files":     many(10_000, func(int) string { return "d/x" }),
		"a release of 100,000 files":   many(100_000, func(i int) string { return string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + "/x" }),
		"a file of 50 GiB and no less": {{Path: "x", Bytes: 50 << 30}},
	} {
		if err := checkHostLimits(files); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
