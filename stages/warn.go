package stages

import (
	"math/bits"

	"github.com/wikinav/wikinav/schemas"
)

// WarnAbove warns if measured is larger than threshold; a measure of nothing (denominator 0) is never implausible.
func WarnAbove(env Env, code string, measured, threshold schemas.Ratio) {
	if measured.Den > 0 && less(threshold, measured) {
		env.Warn(schemas.Warning{Code: code, Measured: measured, Threshold: threshold})
	}
}

func WarnBelow(env Env, code string, measured, threshold schemas.Ratio) {
	if measured.Den > 0 && less(measured, threshold) {
		env.Warn(schemas.Warning{Code: code, Measured: measured, Threshold: threshold})
	}
}

// less compares fractions exactly, in 128 bits. Terms are not negative.
func less(a, b schemas.Ratio) bool {
	ahi, alo := bits.Mul64(uint64(a.Num), uint64(b.Den))
	bhi, blo := bits.Mul64(uint64(b.Num), uint64(a.Den))
	return ahi < bhi || ahi == bhi && alo < blo
}
