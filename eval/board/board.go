// Package board keeps leaderboards: which results enter, in which order they stand, and the tables made of them.
//
// A board is named for its family and has, in its folder:
//
//	FAMILY.jsonl            an Entry a line
//	FAMILY/<sha256>.json    the summaries that the entries name, by their digest
//	FAMILY/<sha256>.tar     the submissions that were replayed, by the digest of their summary
//	FAMILY/<manifest>-<rules>-<split>.csv    a table
//	FAMILY.md               all tables
//
// Results on splits that were not published make up a board of their own, FAMILY.unfrozen, in which nobody
// has a place.
//
// It promises that no number stands on a board that is not in a summary beside it whose digest was checked,
// that no table holds results of two manifests, splits or sets of rules, that the files depend on the
// entries alone and not on the order in which they came, and that a board is replaced whole or not at all.
// It computes no metric, and knows a family by package family alone.
package board

import (
	"cmp"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"slices"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

// Entry is one accepted result: a line of the board.
type Entry struct {
	ManifestID         string                  `json:"manifest_id"`
	Split              string                  `json:"split"`
	Variant            string                  `json:"variant,omitempty"` // of the instances, where they have several
	Model              string                  `json:"model"`
	Submitted          string                  `json:"submitted"` // YYYY-MM-DD
	Source             string                  `json:"source"`    // where it is from: "import:<format>", what the submitter says, or the run
	SummarySHA256      string                  `json:"summary_sha256"`
	TrajectoriesSHA256 *string                 `json:"trajectories_sha256"`
	Verified           string                  `json:"verified"`
	Metrics            map[string]judge.Metric `json:"metrics"`
}

// How the numbers of an entry came about.
const (
	Replayed = "replayed" // from trajectories, by our judge
	Claimed  = "claimed"  // by whoever sent the summary
	Imported = "imported" // from trajectories that another harness wrote
)

// Row is an entry with what its summary says of it.
type Row struct {
	Entry
	Scores *family.Scores
	Of     family.Row
}

// id is what makes two rows results of the same run.
func (r Row) id() [6]string {
	return [6]string{r.ManifestID, r.Split, r.Variant, r.Scores.RulesSHA256, r.Model, *r.Scores.Run}
}

// Board is a leaderboard that is open, and locked against other processes.
type Board struct {
	dir, name string
	family    family.Family
	columns   []family.Column // that its tables show
	unfrozen  bool
	frozen    func(splitSHA256 string) bool
	lock      *os.File
	rows      []Row
	summaries map[string][]byte // by digest
	packs     map[string]Pack   // that entered since it was opened, by the digest of their summary
}

// rankedBy is the number of metrics by which a board is ordered: the first that are better one way.
const rankedBy = 2

// Open opens the board of a family in dir, which need not hold one; frozen tells which splits were published. Errors: fault.Locked,
// fault.Malformed with file and line, fault.Mismatch for a board that was edited.
func Open(dir string, f family.Family, unfrozen bool, frozen func(splitSHA256 string) bool) (*Board, error) {
	b := newBoard(dir, f, unfrozen, frozen)
	if err := b.claim(); err != nil {
		return nil, err
	}
	if err := b.load(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// Read opens a board that nobody will write: it changes nothing in dir, and locks nothing.
func Read(dir string, f family.Family, unfrozen bool, frozen func(splitSHA256 string) bool) (*Board, error) {
	b := newBoard(dir, f, unfrozen, frozen)
	return b, b.load()
}

func newBoard(dir string, f family.Family, unfrozen bool, frozen func(splitSHA256 string) bool) *Board {
	b := &Board{
		dir: dir, name: nameOf(f.Name(), unfrozen), family: f, unfrozen: unfrozen, frozen: frozen,
		summaries: map[string][]byte{}, packs: map[string]Pack{},
	}
	for _, c := range f.Columns() {
		if !c.Detail {
			b.columns = append(b.columns, c)
		}
	}
	return b
}

// ranking lists the columns by which results are ordered that have such metrics, the first of which
// ranks: a family may have several kinds of splits, with metrics of their own.
func (b *Board) ranking(m map[string]judge.Metric) (list []family.Column) {
	for _, c := range b.columns {
		if _, has := m[c.Metric]; has && c.Better != 0 && len(list) < rankedBy {
			list = append(list, c)
		}
	}
	return list
}

// first returns the column that ranks results that have such metrics.
func (b *Board) first(m map[string]judge.Metric) family.Column {
	if list := b.ranking(m); len(list) > 0 {
		return list[0]
	}
	return b.columns[0]
}

func nameOf(family string, unfrozen bool) string {
	if unfrozen {
		return family + ".unfrozen"
	}
	return family
}

func Exists(dir, family string, unfrozen bool) bool {
	_, err := os.Stat(filepath.Join(dir, nameOf(family, unfrozen)+".jsonl"))
	return err == nil
}

// Close gives the board free. What was not written is lost.
func (b *Board) Close() error { return b.lock.Close() }

// Rows lists the board in its order.
func (b *Board) Rows() []Row { return b.rows }

// Name returns the board's name, with which its files begin.
func (b *Board) Name() string { return b.name }

// Summary returns the summary that an entry names.
func (b *Board) Summary(e Entry) []byte { return b.summaries[e.SummarySHA256] }

// put adds a row, or replaces that of the same run. Numbers that were replayed do not give way to a
// claim, and those of a guest to nobody's.
func (b *Board) put(r Row, guest bool) error {
	i := slices.IndexFunc(b.rows, func(old Row) bool { return old.id() == r.id() })
	switch {
	case i < 0:
		b.rows = append(b.rows, r)
	case guest && b.rows[i].Verified != Claimed && b.rows[i].SummarySHA256 == r.SummarySHA256:
		return nil // it is there
	case guest:
		return fault.New(fault.Usage, "run %s of model %s is on the board with other results, entered on %s",
			fault.Quote(*r.Scores.Run), fault.Quote(r.Model), b.rows[i].Submitted).
			Hint("--replace puts these in their place")
	case b.rows[i].Verified != Claimed && r.Verified == Claimed:
		return fault.New(fault.Usage, "run %s is on the board as %s, a claim does not replace it", fault.Quote(*r.Scores.Run), b.rows[i].Verified)
	default:
		b.rows[i] = r
	}
	order.Sort(b.rows, b.compareRows)
	return nil
}

// compareRows is the order of the file: by split, the better first, then by name; what follows keeps the
// order the same for equal results.
func (b *Board) compareRows(x, y Row) int {
	order := cmp.Or(cmp.Compare(x.Split, y.Split), cmp.Compare(x.Variant, y.Variant))
	for _, c := range b.ranking(x.Metrics) {
		order = cmp.Or(order, compareMetrics(x.Metrics[c.Metric], y.Metrics[c.Metric], c.Better))
	}
	return cmp.Or(
		order,
		cmp.Compare(x.Model, y.Model),
		cmp.Compare(x.ManifestID, y.ManifestID),
		cmp.Compare(x.Scores.RulesSHA256, y.Scores.RulesSHA256),
		cmp.Compare(*x.Scores.Run, *y.Scores.Run),
	)
}

// compareMetrics compares two values exactly, as far as they are known, the better first. What has no value,
// such as the excess of a player that never won, is behind all others.
func compareMetrics(a, b judge.Metric, better int) int {
	if a.Value == nil || b.Value == nil {
		return judge.One(a.Value == nil) - judge.One(b.Value == nil)
	}
	return better * exact(b).Cmp(exact(a))
}

func exact(m judge.Metric) *big.Rat {
	if m.Num != nil {
		return big.NewRat(*m.Num, m.Den)
	}
	return new(big.Rat).SetFloat64(judge.Number(*m.Value))
}
