package graph

// transpose64 turns a square of bits over: bit j of word i becomes bit i of word j.
//
// Result:    exact. Idea: swap the off-diagonal quarters of the square, then those of each quarter, six times.
// Time:      192 swaps of two words. Space: in place.
// Reference: H. S. Warren, Hacker's Delight, 2nd ed., 2012, section 7-3, ISBN 9780321842688.
func transpose64(a *[64]uint64) {
	low := uint64(1)<<32 - 1
	for width := 32; width > 0; width /= 2 {
		for i := 0; i < 64; i = (i + width + 1) &^ width {
			swap := (a[i]>>width ^ a[i+width]) & low
			a[i] ^= swap << width
			a[i+width] ^= swap
		}
		low ^= low << (width / 2)
	}
}
