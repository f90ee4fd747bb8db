package release

import (
	"cmp"
	"fmt"

	"github.com/wikinav/wikinav/schemas/fault"
)

// Finding is one thing that is wrong. Path is relative to the release; Where is a row, line, offset
// or field in it.
type Finding struct {
	Check    string `json:"check"`
	Path     string `json:"path"`
	Where    string `json:"where"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
}

// Report is what Verify found. Checked counts files; Covered says what was computed anew, and
// Skipped what was not checked, and why.
type Report struct {
	Level   int       `json:"level"`
	Checked int       `json:"checked"`
	Failed  []Finding `json:"failed"`
	Covered []string  `json:"covered"`
	Skipped []string  `json:"skipped"`

	perFile   map[string]int
	malformed bool // the manifest is what its maker sealed, and cannot be read
	untrusted bool // a signature is missing or wrong
}

// maxFindings is the number of findings that are listed for one file; the rest is counted.
const maxFindings = 1000

func newReport(level int) *Report {
	return &Report{Level: level, Failed: []Finding{}, Covered: []string{}, Skipped: []string{}, perFile: map[string]int{}}
}

// add lists a finding, unless its file has too many already.
func (r *Report) add(check, path, where string, expected, found any) {
	if r.perFile[path]++; r.perFile[path] <= maxFindings {
		r.Failed = append(r.Failed, Finding{check, path, where, fmt.Sprint(expected), fmt.Sprint(found)})
	}
}

// Add lists a finding of a check that another package makes.
func (r *Report) Add(check, path, where string, expected, found any) {
	r.add(check, path, where, expected, found)
}

// Skip notes what another package could not check.
func (r *Report) Skip(format string, args ...any) { r.skip(format, args...) }

// Cover notes what another package computed anew.
func (r *Report) Cover(format string, args ...any) { r.cover(format, args...) }

// differ lists a finding if found is not what was expected, and tells whether it did.
func differ[T comparable](r *Report, check, path, where string, expected, found T) bool {
	if expected == found {
		return false
	}
	r.add(check, path, where, expected, found)
	return true
}

// fail lists err, which a reader gave, as a finding of the file that it names, or of the one at
// path; joined errors are a finding each.
func (r *Report) fail(check, path string, err error) {
	switch e := err.(type) {
	case *fault.Error:
		r.add(check, cmp.Or(e.File, path), e.Where, "valid", e.What)
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			r.fail(check, path, one)
		}
	default:
		r.add(check, path, "", "valid", err)
	}
}

// skip notes what could not be checked.
func (r *Report) skip(format string, args ...any) {
	r.Skipped = append(r.Skipped, fmt.Sprintf(format, args...))
}

// closeCounts says for each file how many of its findings were not listed. Files come in the order
// of their first finding.
func (r *Report) closeCounts() {
	said := map[string]bool{}
	for _, f := range r.Failed[:len(r.Failed):len(r.Failed)] {
		if n := r.perFile[f.Path]; n > maxFindings && !said[f.Path] {
			said[f.Path] = true
			r.Failed = append(r.Failed, Finding{"findings", f.Path, "", "0 more", fmt.Sprintf("%d more", n-maxFindings)})
		}
	}
}

// Err is nil for a release without findings, else fault.Mismatch with the number of findings and
// the first of them; fault.Malformed for a manifest that no reader takes although SHA256SUMS has
// it; fault.Untrusted, whatever else is wrong, for a signature that is missing or wrong.
func (r *Report) Err() error {
	if len(r.Failed) == 0 {
		return nil
	}
	f := r.Failed[0]
	noun := "findings"
	if len(r.Failed) == 1 {
		noun = "finding"
	}
	kind := fault.Mismatch
	switch {
	case r.untrusted:
		kind = fault.Untrusted
	case r.malformed:
		kind = fault.Malformed
	}
	return fault.New(kind, "%d %s; %s: expected %s, found %s", len(r.Failed), noun, f.Check, f.Expected, f.Found).
		At(f.Path, f.Where)
}
