package files

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/schemas/fault"
)

// CodeRangeGap is the code of the warning that no file of a dump covers some page ids.
const CodeRangeGap = "W_RANGE_GAP"

// CodeNoIndex is the code of the warning that a dump of several streams was read without its index.
const CodeNoIndex = "W_NO_INDEX"

// Warning is something that the user should look at and that is no error.
type Warning struct{ Code, Text string }

// NoIndex warns of streams that could be missing.
func NoIndex(path string, streams int64) Warning {
	return Warning{CodeNoIndex, fmt.Sprintf("%s: %d streams were read without an index, so that a missing one is not noticed: "+
		"put the file -index.txt.bz2 of the dump next to it, or name it with --index", filepath.Base(path), streams)}
}

// Overlap is the error that two files hold the same pages.
func Overlap(a, pages, b, others string) error {
	return fault.New(fault.Malformed, "%s overlap with %s of %s", pages, others, filepath.Base(b)).At(a, "").
		Hint("give each page once: one packing of the dump, and no file of another run")
}

// rangeName is p<first>p<last>, or p<page>r<first revision>r<last revision> of one huge page.
var rangeName = regexp.MustCompile(`-p(\d+)(?:p(\d+)|r\d+r\d+)(?:\.|$)`)

// declared gives the page range in a file's name; ok is false when there is none.
func (p Part) declared() (first, last uint64, ok bool) {
	m := rangeName.FindStringSubmatch(filepath.Base(p.Path))
	if m == nil {
		return 0, 0, false
	}
	first, err1 := strconv.ParseUint(m[1], 10, 32)
	last, err2 := strconv.ParseUint(cmp.Or(m[2], m[1]), 10, 32)
	return first, last, err1 == nil && err2 == nil
}

// inOrder sorts parts by their first pages and refuses those that begin with the same page, or whose names say that they overlap.
func inOrder(parts []Part) error {
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(a.First, b.First) })
	for i, p := range parts {
		if i > 0 && p.First != 0 && p.First == parts[i-1].First {
			return Overlap(p.Path, fmt.Sprintf("pages from %d on", p.First), parts[i-1].Path, "those")
		}
	}
	return eachDeclared(parts, func(a, b Part, first, last uint64) error {
		if first > last {
			return nil
		}
		from, to, _ := b.declared()
		return Overlap(b.Path, fmt.Sprintf("pages %d to %d", from, to), a.Path, fmt.Sprintf("those up to %d", last))
	})
}

// eachDeclared gives each part that names its range, and the next that does: first begins the range of b, last ends that of a.
func eachDeclared(parts []Part, see func(a, b Part, first, last uint64) error) error {
	var before *Part
	var last uint64
	for i := range parts {
		from, to, ok := parts[i].declared()
		if !ok {
			continue
		}
		if before != nil {
			if err := see(*before, parts[i], from, last); err != nil {
				return err
			}
		}
		before, last = &parts[i], to
	}
	return nil
}

// Gaps warns of page ids between the ranges that the names of files declare.
func Gaps(parts []Part) (warnings []Warning) {
	_ = eachDeclared(parts, func(a, b Part, first, last uint64) error {
		if first > last+1 {
			warnings = append(warnings, Warning{CodeRangeGap, fmt.Sprintf(
				"no file covers the page ids %d to %d, between %s and %s", last+1, first-1, filepath.Base(a.Path), filepath.Base(b.Path))})
		}
		return nil
	})
	return warnings
}
