package board

import (
	"encoding/hex"
	"slices"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Submission is a result that wants to enter.
type Submission struct {
	Path         string        // as the user named it
	Scores       *judge.Scores // which our judge made, or which are claimed
	Summary      []byte        // the file that holds them
	Trajectories *string       // digest of what was replayed, nil for a claim
	Submitted    string        // YYYY-MM-DD
	Source       string        // "" for the run's name
	Splits       []string      // which of its splits are meant, nil for all
}

// SHA256 names the submission: the digest of its summary.
func (s Submission) SHA256() string { return digest.SHA256(s.Summary) }

// Claim reads the bytes of a summary.json that nobody replayed, and holds them against the release.
func Claim(path string, data []byte, rel judge.Release) (Submission, error) {
	s := Submission{Path: path, Summary: data, Scores: &judge.Scores{}}
	if err := decodeScores(data, s.Scores); err != nil {
		return s, fault.New(fault.KindOf(err), "%w", err).At(path, "")
	}
	for _, sum := range s.Scores.Summaries {
		if !ofSplit(sum) {
			continue
		}
		if err := judge.CheckClaim(rel, sum); err != nil {
			return s, fault.New(fault.KindOf(err), "%w", err).At(path, "")
		}
	}
	return s, nil
}

func decodeScores(data []byte, s *judge.Scores) error {
	if err := canon.Decode(data, canon.MaxManifest, s); err != nil {
		return fault.New(fault.Malformed, "%w", err)
	}
	if s.Schema != judge.ScoresSchema {
		return fault.New(fault.Malformed, "schema is %s, want %s", fault.Quote(s.Schema), judge.ScoresSchema)
	}
	return nil
}

// Add admits the scores of every split of a submission, or none.
func (b *Board) Add(s Submission) error {
	if _, err := time.Parse(time.DateOnly, s.Submitted); err != nil {
		return fault.New(fault.Usage, "submitted on %s: want a date as 2026-01-31", fault.Quote(s.Submitted))
	}
	rows, err := b.admit(s)
	if err != nil {
		return fault.New(fault.KindOf(err), "%w", err).At(s.Path, "")
	}
	before := slices.Clone(b.rows)
	for _, r := range rows {
		if err := b.put(r); err != nil {
			b.rows = before
			return fault.New(fault.KindOf(err), "%w", err).At(s.Path, "")
		}
		b.summaries[r.SummarySHA256] = s.Summary
	}
	return nil
}

func (b *Board) admit(s Submission) ([]Row, error) {
	if n := len(s.Scores.Disagreements) + s.Scores.Unlisted; n > 0 {
		return nil, fault.New(fault.Mismatch, "the replay contradicts the log in %d places: no entry", n)
	}
	if im := s.Scores.Import; im != nil && (im.Human || im.Unchecked) {
		return nil, fault.New(fault.Usage, "games of people, and games on another graph, are no entries of a leaderboard")
	}
	var rows []Row
	for _, sum := range s.Scores.Summaries {
		if !ofSplit(sum) {
			continue // pairs that are no instances
		}
		if s.Splits != nil && !slices.Contains(s.Splits, sum.Split) {
			continue
		}
		if err := b.check(sum); err != nil {
			return nil, err
		}
		rows = append(rows, Row{s.entry(sum), sum})
	}
	if rows == nil {
		return nil, fault.New(fault.Usage, "no game is of a split that was asked for")
	}
	return rows, nil
}

// ofSplit tells whether a summary is of a list that a release froze.
func ofSplit(s judge.Summary) bool { return s.SplitSHA256 != "" }

// check refuses what no board of this kind has.
func (b *Board) check(s judge.Summary) error {
	success := s.Metrics[judge.MetricSuccess]
	switch {
	case s.ManifestID == "":
		return refuse(s, "no manifest id, so nobody knows what was played")
	case s.Run == nil || s.Model == nil || s.Model.Name == "":
		return refuse(s, "no model is named").Hint("score a run directory; import titles-jsonl makes one of a file of paths")
	case !isSHA256(s.OptionsSHA256):
		return refuse(s, "no digest of the options, so nobody knows the rules")
	case s.Has(judge.FlagOracle) || s.Model.Kind == schemas.KindOracle:
		return refuse(s, "played with an oracle, which no leaderboard takes")
	case s.Metrics == nil || s.Infra > 0:
		return refuse(s, "%d games failed for no fault of the player", s.Infra).Hint("play them again")
	case success.Num == nil || success.Den < 1:
		return refuse(s, "no game was played")
	case b.unfrozen && b.frozen(s.SplitSHA256):
		return refuse(s, "a published split").Hint("leave out --unfrozen, or choose others with --split")
	case !b.unfrozen && !b.frozen(s.SplitSHA256):
		return refuse(s, "UNFROZEN: not a split that this evaluator knows as published, so it has no number on the leaderboard").
			Hint("--unfrozen keeps it on a board of its own, without places")
	}
	return nil
}

func refuse(s judge.Summary, format string, args ...any) *fault.Error {
	args = append([]any{fault.Quote(s.Split)}, args...)
	return fault.New(fault.Usage, "split %s: "+format, args...)
}

func (s Submission) entry(sum judge.Summary) Entry {
	e := Entry{
		ManifestID: sum.ManifestID, Split: sum.Split, Model: sum.Model.Name, Submitted: s.Submitted, Source: s.Source,
		SummarySHA256: s.SHA256(), TrajectoriesSHA256: s.Trajectories, Verified: Replayed, Metrics: sum.Metrics,
	}
	if e.Source == "" {
		e.Source = "run " + *sum.Run
	}
	if s.Scores.Import != nil {
		e.Source, e.Verified = s.Scores.Import.Source, Imported
	}
	if s.Trajectories == nil {
		e.Verified = Claimed
	}
	return e
}

// isSHA256 keeps a digest that is used as a file's name from being anything else.
func isSHA256(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == 32 && hex.EncodeToString(raw) == text
}
