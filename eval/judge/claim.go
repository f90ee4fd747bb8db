package judge

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// CheckClaim compares a summary that nobody replayed with the release and with itself: whose split it is, how many games there can be,
// and that shares and intervals are those of their counts. What it cannot know is whether the counts are true. The rows by distance are not
// looked at. Errors: fault.Mismatch.
func CheckClaim(rel Release, s Summary) error {
	i := slices.IndexFunc(rel.Splits, func(x Split) bool { return x.Name == s.Split })
	if i < 0 {
		return fault.New(fault.Mismatch, "the release has no split %s", fault.Quote(s.Split))
	}
	split := rel.Splits[i]
	err := claimed(s, []field{
		{"schema", s.Schema, SummarySchema},
		{"manifest_id", s.ManifestID, rel.ID},
		{"release", s.Release, rel.Name},
		{"split_sha256", s.SplitSHA256, split.SHA256},
	})
	if err == nil {
		err = checkCounts(s, split)
	}
	if err == nil {
		err = checkNumbers(s)
	}
	return err
}

// claimed tells the first field that differs.
func claimed(s Summary, fields []field) error {
	list := differing(fields)
	if len(list) == 0 {
		return nil
	}
	return claimFault(s, list[0].name, text(list[0].told), text(list[0].replay))
}

func claimFault(s Summary, field, told, want string) error {
	return fault.New(fault.Mismatch, "split %s: %s is %s, want %s", fault.Quote(s.Split), field, told, want)
}

// checkCounts holds the numbers of games against those of the split.
func checkCounts(s Summary, split Split) error {
	if s.Attempts < 1 || s.Attempts > trace.MaxAttempts {
		return claimFault(s, "attempts", fmt.Sprint(s.Attempts), fmt.Sprintf("1 to %d", trace.MaxAttempts))
	}
	expected, games := len(split.Instances)*s.Attempts, 0
	for outcome, n := range s.Outcomes {
		if n < 0 || n > expected {
			return claimFault(s, fault.Quote(outcome), fmt.Sprint(n), fmt.Sprintf("0 to %d", expected))
		}
		games += n
	}
	n := expected - s.Infra
	if s.Has(FlagPartial) {
		n = games - s.Infra
	}
	return claimed(s, []field{
		{"games and missing", games + s.Missing, expected},
		{"infra", s.Infra, s.Outcomes[schemas.OutcomeInfra]},
		{"n", s.N, n},
		{FlagShort, s.Has(FlagShort), len(split.Instances) < split.Requested},
		{FlagContaminated, s.Has(FlagContaminated), split.Contaminated},
	})
}

// checkNumbers computes again what follows from counts.
func checkNumbers(s Summary) error {
	if s.Metrics == nil {
		return nil
	}
	if want := Share(s.Outcomes[schemas.OutcomeSuccess], s.N); !s.Metrics[MetricSuccess].Equal(want) {
		return claimFault(s, MetricSuccess, text(s.Metrics[MetricSuccess]), text(want))
	}
	for name, m := range s.Metrics {
		if err := m.Check(); err != nil {
			return fault.New(fault.Mismatch, "split %s: %s: %w", fault.Quote(s.Split), fault.Quote(name), err)
		}
	}
	for _, name := range []string{MetricLoops, MetricRecovery} {
		m := s.Metrics[name]
		if m.Num == nil {
			continue
		}
		if *m.Num < 0 || *m.Num > m.Den || m.Den > int64(s.N) || !m.Equal(Share(int(*m.Num), int(m.Den))) {
			return claimFault(s, name, text(m), "a share of games with its interval")
		}
	}
	return nil
}

// Has tells whether the summary carries a flag, whatever its counts.
func (s Summary) Has(flag string) bool {
	return slices.ContainsFunc(s.Flags, func(f string) bool { return f == flag || strings.HasPrefix(f, flag+" ") })
}

// Check tells whether the value follows from numerator and denominator where both are known, and whether all decimals are of our form and
// the value lies in its interval.
func (m Metric) Check() error {
	if m.Num != nil {
		if want := Quotient(*m.Num, m.Den); text(m.Value) != text(want) {
			return fmt.Errorf("%d/%d is %s, want %s", *m.Num, m.Den, text(m.Value), text(want))
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

// Equal tells whether two metrics have the same parts.
func (m Metric) Equal(other Metric) bool { return text(m) == text(other) }
