package judge

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// frozen holds the SHA-256 of the splits that were published. There is none yet, so every score is
// UNFROZEN.
var frozen []string

// Frozen reports whether a split with that SHA-256 was published; no other gets on a leaderboard.
func Frozen(sha256 string) bool { return slices.Contains(frozen, sha256) }

// Flags of a row. Some carry counts: "SHORT 4/6".
const (
	FlagShort        = "SHORT"
	FlagPartial      = "PARTIAL"
	FlagServed       = "SERVED BY" // so many models: the name that the endpoint gave changed
	FlagUnlisted     = "UNLISTED"  // nobody lists what was asked: whoever answered chose it
	FlagInfra        = "INFRA"
	FlagMissing      = "MISSING"  // counted as lost where they can be, and not where only what was played counts
	FlagReparsed     = "REPARSED" // read by another parser; so many games went where they were not asked
	FlagOtherGraph   = "GRAPH?"
	FlagHuman        = "HUMAN"
	FlagUnfrozen     = "UNFROZEN"
	FlagOracle       = "ORACLE"
	FlagContaminated = "CONTAMINATED"
	FlagFresh        = "FRESH SINCE" // an older release, which cannot answer the pairs; on boards
)

// Check reports whether the value follows from numerator and denominator where both are known, and
// whether all decimals are of our form and the value lies in its interval.
func (m Metric) Check() error {
	if m.Num != nil {
		if want := Quotient(*m.Num, m.Den); Text(m.Value) != Text(want) {
			return fmt.Errorf("%d/%d is %s, want %s", *m.Num, m.Den, Text(m.Value), Text(want))
		}
	}
	var x [3]float64
	for i, d := range []*string{m.Lo, m.Value, m.Hi} {
		if d == nil {
			continue
		}
		var err error
		if x[i], err = strconv.ParseFloat(*d, 64); err != nil || math.IsNaN(x[i]) || math.IsInf(x[i], 0) || *Decimal(x[i]) != *d {
			return fmt.Errorf("%s is no decimal of ours", fault.Quote(*d))
		}
	}
	switch {
	case (m.Lo == nil) != (m.Hi == nil) || m.Lo != nil && m.Value == nil:
		return fmt.Errorf("an interval has two bounds and a value")
	case m.Lo != nil && (x[0] > x[1] || x[1] > x[2]):
		return fmt.Errorf("%s is not in [%s, %s]", *m.Value, *m.Lo, *m.Hi)
	}
	return nil
}

// Equal reports whether two metrics have the same parts.
func (m Metric) Equal(other Metric) bool { return Text(m) == Text(other) }

// Text returns the JSON of a value, cut so that messages stay readable. A sum may be no integer
// that JSON keeps.
func Text(value any) string {
	data, err := canon.Marshal(value)
	switch {
	case err != nil:
		return fmt.Sprint(value)
	case len(data) > 200:
		return fault.Quote(data)
	}
	return string(data)
}
