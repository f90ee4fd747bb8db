package board

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Published is what scores that nobody replayed are compared with.
type Published struct {
	Family              family.Family
	Release, ManifestID string
	FreshSince          string                                   // as family.Scores has it
	Open                func(*schemas.Rules) (family.Set, error) // the release under rules
}

// Claim reads the bytes of a summary.json that nobody replayed, and compares them with the release and with
// themselves: whose splits these are, how many items there can be, and that shares and intervals are those
// of their counts. What it cannot know is whether the counts are true. Rows of groups are not looked at.
// Errors: fault.Malformed, fault.Mismatch.
func Claim(path string, data []byte, p Published) (Submission, error) {
	s := Submission{Path: path, Summary: data, Scores: &family.Scores{}}
	err := decodeScores(data, s.Scores)
	if err == nil {
		err = p.check(s.Scores)
	}
	if err != nil {
		return s, fault.New(fault.KindOf(err), "%w", err).At(path, "")
	}
	return s, nil
}

func decodeScores(data []byte, s *family.Scores) error {
	if err := canon.Decode(data, canon.MaxManifest, s); err != nil {
		return fault.New(fault.Malformed, "%w", err).Hint("a summary of version %s is needed; score the run again", family.ScoresSchema)
	}
	if s.Schema != family.ScoresSchema {
		return fault.New(fault.Malformed, "schema is %s, want %s", fault.Quote(s.Schema), family.ScoresSchema).Hint("score the run again")
	}
	return nil
}

// claimed is a value of a claim beside what it must be.
type claimed struct {
	field     string
	got, want any
}

func differing(list []claimed) error {
	for _, c := range list {
		if !reflect.DeepEqual(c.got, c.want) {
			return fault.New(fault.Mismatch, "%s is %v, want %v", c.field, c.got, c.want)
		}
	}
	return nil
}

func (p Published) check(s *family.Scores) error {
	err := differing([]claimed{
		{"family", s.Family, p.Family.Name()},
		{"manifest_id", s.ManifestID, p.ManifestID},
		{"release", s.Release, p.Release},
		{"fresh_since", s.FreshSince, p.FreshSince},
	})
	if err == nil && s.Rules != nil {
		err = differing([]claimed{{"rules_sha256", s.RulesSHA256, family.RulesSHA256(*s.Rules)}})
	}
	if err != nil {
		return err
	}
	if s.Attempts < 1 || s.Attempts > trace.MaxAttempts {
		return fault.New(fault.Mismatch, "attempts is %d, want 1 to %d", s.Attempts, trace.MaxAttempts)
	}
	set, err := p.Open(s.Rules)
	if err != nil {
		return err
	}
	for _, row := range s.Rows {
		if !row.Whole() || row.SplitSHA256 == "" {
			continue
		}
		if err := checkRow(set, s, row); err != nil {
			return fault.New(fault.Mismatch, "split %s: %w", fault.Quote(row.Split), err)
		}
	}
	return nil
}

// checkRow compares the counts of a row with the number of its tasks, and its metrics with its counts.
func checkRow(set family.Set, s *family.Scores, r family.Row) error {
	splits := set.Splits()
	i := slices.IndexFunc(splits, func(x family.Split) bool { return x.Name == r.Split })
	if i < 0 {
		return fmt.Errorf("the release has no such split")
	}
	expected, played := 0, 0
	tasks, err := set.Tasks(r.Split, 0)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if len(r.By) == 0 || r.By[0].Value == t.Variant {
			expected += s.Attempts
		}
	}
	for outcome, n := range r.Outcomes {
		if n < 0 || n > expected {
			return fmt.Errorf("%s is %d, want 0 to %d", fault.Quote(outcome), n, expected)
		}
		played += n
	}
	err = differing([]claimed{
		{"split_sha256", r.SplitSHA256, splits[i].SHA256},
		{"items and missing", played + r.Missing, expected},
		{"infra", r.Infra, r.Outcomes[schemas.OutcomeInfra]},
		{judge.FlagShort, r.Has(judge.FlagShort), splits[i].Short()},
		{judge.FlagContaminated, r.Has(judge.FlagContaminated), splits[i].Contaminated},
	})
	if err != nil || r.Metrics == nil {
		return err
	}
	most := expected - r.Infra
	if r.Has(judge.FlagPartial) {
		most = played - r.Infra
	}
	return checkMetrics(r, most)
}

// shares are the metrics that count items in items, with the interval that follows.
var shares = []string{judge.MetricSuccess, judge.MetricLoops, judge.MetricRecovery}

// checkMetrics computes again what follows from counts; most is the number of items that
// count, -1 where it is not known.
func checkMetrics(r family.Row, most int) error {
	success, ok := r.Metrics[judge.MetricSuccess]
	if ok {
		want := judge.Share(r.Outcomes[schemas.OutcomeSuccess], r.N)
		if most >= 0 && r.N != most || !success.Equal(want) {
			return fmt.Errorf("%s is %s, want %s; n is %d, want %d", judge.MetricSuccess, canon.MustMarshal(success), canon.MustMarshal(want), r.N, most)
		}
	}
	if r.N < 0 || most >= 0 && r.N > most {
		return fmt.Errorf("n is %d, want 0 to %d", r.N, most)
	}
	for name, m := range r.Metrics {
		if err := m.Check(); err != nil {
			return fmt.Errorf("%s: %w", fault.Quote(name), err)
		}
		if !slices.Contains(shares, name) || m.Num == nil {
			continue
		}
		if *m.Num < 0 || *m.Num > m.Den || most >= 0 && m.Den > int64(most) || !m.Equal(judge.Share(int(*m.Num), int(m.Den))) {
			return fmt.Errorf("%s is %s, which is not a share of items with its interval", name, canon.MustMarshal(m))
		}
	}
	return nil
}
