package board

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/internal/lock"
	"github.com/wikinav/wikinav/eval/report"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// patience is how long a board waits for another writer, who holds it for as long as writing takes.
var patience = 20 * time.Second

const pause = 50 * time.Millisecond

// claim locks the folder.
func (b *Board) claim() error {
	err := os.MkdirAll(b.dir, 0o755)
	for left := patience; err == nil; left -= pause {
		if b.lock, err = lock.TryDir(b.dir); b.lock != nil || left <= 0 {
			break
		}
		time.Sleep(pause)
	}
	if err == nil && b.lock == nil {
		err = fault.New(fault.Locked, "another wikinav-eval is at work on this leaderboard").At(b.dir, "").
			Hint("run the command again when it has ended")
	}
	return err
}

func (b *Board) path(parts ...string) string {
	return filepath.Join(append([]string{b.dir}, parts...)...)
}

// load reads the entries, each with the summary that it names.
func (b *Board) load() error {
	file := b.path(b.name + ".jsonl")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if err := b.loadLine(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return fault.New(fault.KindOf(err), "%w", err).At(file, fmt.Sprintf("line %d", n))
		}
	}
	order.Sort(b.rows, b.compareRows)
	return nil
}

func (b *Board) loadLine(line []byte) error {
	var e Entry
	if err := canon.Decode(line, canon.MaxLine, &e); err != nil {
		return fault.New(fault.Malformed, "%w", err)
	}
	if err := e.check(); err != nil {
		return fault.New(fault.Malformed, "%w", err)
	}
	r, err := b.row(e)
	if err != nil {
		return err
	}
	if !b.unfrozen {
		if err := b.check(r.Scores, r.Of); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(b.rows, func(old Row) bool { return old.id() == r.id() }) {
		return fault.New(fault.Malformed, "run %s stands on the board twice", fault.Quote(*r.Scores.Run))
	}
	b.rows = append(b.rows, r)
	return nil
}

// check looks at what is used as a name or a word.
func (e Entry) check() error {
	if !isSHA256(e.SummarySHA256) || e.TrajectoriesSHA256 != nil && !isSHA256(*e.TrajectoriesSHA256) {
		return errors.New("a digest is no SHA-256")
	}
	if strings.Contains(e.ManifestID, "/") || !schemas.ValidPath(e.ManifestID) || !schemas.ValidPath(e.Split) {
		return errors.New("manifest id or split is no name")
	}
	if _, err := time.Parse(time.DateOnly, e.Submitted); err != nil {
		return fmt.Errorf("submitted is %s, want a date as 2026-01-31", fault.Quote(e.Submitted))
	}
	if !slices.Contains([]string{Replayed, Claimed, Imported}, e.Verified) || (e.Verified == Claimed) != (e.TrajectoriesSHA256 == nil) {
		return fmt.Errorf("verified is %s, which does not fit the digests", fault.Quote(e.Verified))
	}
	return nil
}

// row reads the summary that e names; a number of e that is not in it has no place on the board.
func (b *Board) row(e Entry) (r Row, err error) {
	name := b.path(b.name, e.SummarySHA256+".json")
	data, err := os.ReadFile(name)
	if err != nil {
		return r, fault.New(fault.Mismatch, "the summary of this entry cannot be read: %w", err)
	}
	if digest.SHA256(data) != e.SummarySHA256 {
		return r, fault.New(fault.Mismatch, "%s does not hold what its name says", name)
	}
	r = Row{Entry: e, Scores: &family.Scores{}}
	if err := decodeScores(data, r.Scores); err != nil {
		return r, err
	}
	i := slices.IndexFunc(r.Scores.Rows, func(x family.Row) bool { return onBoard(x) && x.Split == e.Split && variant(x) == e.Variant })
	if i < 0 {
		return r, fault.New(fault.Mismatch, "its summary has no split %s", fault.Quote(e.Split))
	}
	r.Of, b.summaries[e.SummarySHA256] = r.Scores.Rows[i], data
	return r, b.agrees(r)
}

func (b *Board) agrees(r Row) error {
	s := r.Scores
	same := s.Family == b.family.Name() && s.Run != nil && s.Model != nil && s.Model.Name == r.Model && s.ManifestID == r.ManifestID &&
		bytes.Equal(canon.MustMarshal(r.Of.Metrics), canon.MustMarshal(r.Metrics))
	if !same {
		return fault.New(fault.Mismatch, "family, model, manifest or metrics are not those of its summary")
	}
	metric := b.first(r.Metrics).Metric
	if m := r.Metrics[metric]; m.Value == nil || m.Den < 1 {
		return fault.New(fault.Mismatch, "it has no %s", metric)
	}
	if s.Rules == nil || s.RulesSHA256 != family.RulesSHA256(*s.Rules) {
		return fault.New(fault.Mismatch, "its rules do not have the SHA-256 that it says")
	}
	if err := checkMetrics(r.Of, -1); err != nil && r.Of.Metrics != nil {
		return fault.New(fault.Mismatch, "%w", err)
	}
	return nil
}

// Write puts the board into its folder: summaries and submissions first, so that no line ever names
// one that is not there; then the lines, and what is made of them. What no line names any more goes
// last.
func (b *Board) Write() error {
	keep := map[string]bool{}
	for _, r := range b.rows {
		if err := b.writeProof(r.SummarySHA256, keep); err != nil {
			return err
		}
	}
	for _, f := range b.drawn() {
		if err := whole.WriteFile(filepath.Dir(b.path(f.Name)), filepath.Base(f.Name), f.Data); err != nil {
			return err
		}
		keep[filepath.Base(f.Name)] = true
	}
	return b.sweep(keep)
}

// writeProof writes what a summary's digest names, once.
func (b *Board) writeProof(sum string, keep map[string]bool) error {
	name, kept := sum+".json", sum+packExt
	if keep[name] {
		return nil
	}
	keep[name], keep[kept] = true, true
	if err := whole.WriteFile(b.path(b.name), name, b.summaries[sum]); err != nil {
		return err
	}
	p, entered := b.packs[sum]
	if !entered {
		return nil
	}
	_, err := whole.Write(whole.OS{}, b.path(b.name), kept, p.Write)
	return err
}

const packExt = ".tar"

// Kept returns where the submission lies whose summary has a digest.
func (b *Board) Kept(summarySHA256 string) string { return b.path(b.name, summarySHA256+packExt) }

// drawn lists what the entries alone make: their lines, and the tables.
func (b *Board) drawn() []report.File {
	var lines bytes.Buffer
	for _, r := range b.rows {
		lines.Write(append(canon.MustMarshal(r.Entry), '\n'))
	}
	files := []report.File{{Name: b.name + ".jsonl", Data: lines.Bytes()}}
	for _, t := range b.tables() {
		files = append(files, report.File{Name: filepath.Join(b.name, t.file), Data: t.csv()})
	}
	return append(files, report.File{Name: b.name + ".md", Data: b.Markdown()})
}

// Names lists the files that the board should have in its folder, from there.
func (b *Board) Names() []string {
	var names []string
	for _, f := range b.drawn() {
		names = append(names, f.Name)
	}
	for sum := range b.summaries {
		names = append(names, filepath.Join(b.name, sum+".json"), filepath.Join(b.name, sum+packExt))
	}
	return names
}

// Undrawn lists the files that are not what the entries make.
func (b *Board) Undrawn() (list []string) {
	for _, f := range b.drawn() {
		if data, err := os.ReadFile(b.path(f.Name)); err != nil || !bytes.Equal(data, f.Data) {
			list = append(list, f.Name)
		}
	}
	return list
}

// sweep removes what is ours and the board no longer has.
func (b *Board) sweep(keep map[string]bool) error {
	list, err := os.ReadDir(b.path(b.name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range list {
		name := f.Name()
		ext := filepath.Ext(name)
		proof := (ext == ".json" || ext == packExt) && isSHA256(strings.TrimSuffix(name, ext))
		ours := proof || ext == ".csv" || strings.HasPrefix(name, whole.TempPrefix)
		if ours && !keep[name] {
			if err := os.Remove(b.path(b.name, name)); err != nil {
				return err
			}
		}
	}
	return nil
}
