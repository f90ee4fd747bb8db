package wikitext

import (
	"cmp"
	"slices"
)

// shift says that from offset flat on, up to the next shift, raw text is delta bytes ahead of flat text.
type shift struct{ flat, delta int }

// shift notes where the text after what was just cut comes from. Notes about text that a comment took back go.
func (f *flattener) shift() {
	n := len(f.shifts)
	for n > 0 && f.shifts[n-1].flat >= len(f.out) {
		n--
	}
	f.shifts = append(f.shifts[:n], shift{len(f.out), f.copied - len(f.out)})
}

// rawOffset gives the offset in the raw text of the byte at offset flat of the flat text.
func (f *flattener) rawOffset(flat int) int {
	i, _ := slices.BinarySearchFunc(f.shifts, flat, func(s shift, at int) int { return cmp.Compare(s.flat, at+1) })
	if i == 0 {
		return flat
	}
	return flat + f.shifts[i-1].delta
}

// rawEnd gives the offset in the raw text after the bytes from and to of the flat text.
func (f *flattener) rawEnd(from, to int) int {
	switch {
	case to == from:
		return f.rawOffset(from)
	case f.copied > 0 && f.out[to-1] == marker:
		return f.rawOffset(to)
	}
	return f.rawOffset(to-1) + 1
}
