package board

import (
	"cmp"
	"encoding/hex"
	"os"
	"slices"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Submission is a result that wants to enter.
type Submission struct {
	Path         string         // as the user named it
	Scores       *family.Scores // which our judge made, or which are claimed
	Summary      []byte         // the file that holds them
	Trajectories *string        // digest of what was replayed, nil for a claim
	Submitted    string         // YYYY-MM-DD
	Source       string         // "" for the run's name
	Splits       []string       // which of its splits are meant, nil for all
	Guest        bool           // comes from elsewhere, and must replace nothing
	Pack         *Pack          // is kept next to the entries; nil for a claim
}

// SHA256 names the submission: the digest of its summary.
func (s Submission) SHA256() string { return digest.SHA256(s.Summary) }

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
		if err := b.put(r, s.Guest); err != nil {
			b.rows = before
			return fault.New(fault.KindOf(err), "%w", err).At(s.Path, "")
		}
		b.summaries[r.SummarySHA256] = s.Summary
		if s.Pack != nil {
			b.packs[r.SummarySHA256] = *s.Pack
		}
	}
	return nil
}

// Has reports whether the board has entries of a submission, with the submission itself.
func (b *Board) Has(s Submission) bool {
	_, err := os.Stat(b.Kept(s.SHA256()))
	_, entered := b.packs[s.SHA256()]
	return (err == nil || entered) && slices.ContainsFunc(b.rows, func(r Row) bool {
		return r.SummarySHA256 == s.SHA256() && r.Verified != Claimed
	})
}

// Proves compares the entries of a summary with what a submission was replayed to.
func (b *Board) Proves(s Submission) error {
	for _, r := range b.rows {
		if r.SummarySHA256 != s.SHA256() {
			continue
		}
		s.Submitted, s.Source = r.Submitted, r.Source // which nothing can prove
		said, is := canon.MustMarshal(r.Entry), canon.MustMarshal(s.entry(r.Of))
		if err := differs("the entry of split "+fault.Quote(r.Split), said, is); err != nil {
			return err
		}
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
	for _, row := range s.Scores.Rows {
		if !onBoard(row) || s.Splits != nil && !slices.Contains(s.Splits, row.Split) {
			continue
		}
		if err := b.check(s.Scores, row); err != nil {
			return nil, err
		}
		rows = append(rows, Row{s.entry(row), s.Scores, row})
	}
	if rows == nil {
		return nil, fault.New(fault.Usage, "no game is of a split that was asked for")
	}
	return rows, nil
}

// onBoard reports whether a row is of a whole list of instances that a release froze.
func onBoard(r family.Row) bool { return r.SplitSHA256 != "" && r.Whole() }

// check refuses what no board of this kind has.
func (b *Board) check(s *family.Scores, r family.Row) error {
	refuse := func(format string, args ...any) *fault.Error {
		return fault.New(fault.Usage, "split %s: "+format, append([]any{fault.Quote(r.Split)}, args...)...)
	}
	first := r.Metrics[b.first(r.Metrics).Metric]
	switch {
	case s.Family != b.family.Name():
		return refuse("a score of the family %s", fault.Quote(s.Family)).Hint("enter it with its --family")
	case s.ManifestID == "":
		return refuse("no manifest id, so nobody knows what was played")
	case s.Run == nil || s.Model == nil || s.Model.Name == "":
		return refuse("no model is named").Hint("score a run directory; import makes one of a file")
	case s.Rules == nil || s.RulesSHA256 != family.RulesSHA256(*s.Rules):
		return refuse("no rules with their digest, so nobody knows how it was played")
	case r.Has(judge.FlagOracle) || s.Model.Kind == schemas.KindOracle:
		return refuse("played with an oracle, which no leaderboard takes")
	case r.Metrics == nil || r.Infra > 0:
		return refuse("%d games failed for no fault of the player", r.Infra).Hint("play them again")
	case first.Value == nil || first.Den < 1:
		return refuse("no game was played")
	case b.unfrozen && b.frozen(r.SplitSHA256):
		return refuse("a published split").Hint("leave out --unfrozen, or choose others with --split")
	case !b.unfrozen && !b.frozen(r.SplitSHA256):
		return refuse("UNFROZEN: not a split that this evaluator knows as published, so it has no number on the leaderboard").
			Hint("--unfrozen keeps it on a board of its own, without places")
	}
	return nil
}

func (s Submission) entry(r family.Row) Entry {
	e := Entry{
		ManifestID: s.Scores.ManifestID, Split: r.Split, Variant: variant(r), Model: s.Scores.Model.Name, Submitted: s.Submitted,
		Source: cmp.Or(s.Source, "run "+*s.Scores.Run), SummarySHA256: s.SHA256(), TrajectoriesSHA256: s.Trajectories, Verified: Replayed, Metrics: r.Metrics,
	}
	if s.Scores.Import != nil {
		e.Source, e.Verified = s.Scores.Import.Source, Imported
	}
	if s.Trajectories == nil {
		e.Verified = Claimed
	}
	return e
}

func variant(r family.Row) string {
	if len(r.By) == 0 {
		return ""
	}
	return r.By[0].Value
}

// isSHA256 keeps a digest that is used as a file's name from being anything else.
func isSHA256(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == 32 && hex.EncodeToString(raw) == text
}
