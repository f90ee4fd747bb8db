package pairs

import (
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// enumerate draws from all pairs that are left at the distance, unless there are too many to look
// at.
func (r *round) enumerate(slot int) (pair, bool) {
	if r.Candidates() > r.ExhaustivePairs {
		return pair{}, false
	}
	r.out.report.Mode = schemas.ModeExhaustive
	if r.ledger == nil {
		r.ledger = newLedger(r.What, r.Sources, r.near, r.taken)
	}
	if r.ledger.leftPairs == 0 {
		return pair{}, false
	}
	r.tally.filled++
	s := r.stream(r.fills, slot)
	return r.ledger.pick(int64(s.Below(int(r.ledger.leftPairs)))), true
}

// short records a slot that got no pair. The counts are those of the first such slot; after an
// enumeration they hold for all, because pairs that are barred stay so.
func (r *round) short() {
	report := &r.out.report
	if report.Status == schemas.StatusShort {
		return
	}
	report.Status = schemas.StatusShort
	if r.ledger == nil {
		return
	}
	left, all := r.ledger.leftPairs, r.ledger.allPairs
	report.EligiblePairs, report.EligiblePairsReuseAny = &left, &all
	if all <= r.MatchingPairs {
		bound := r.ledger.bound()
		report.MatchingBound = &bound
	}
}

// Report says, for one distance of one split, how many pairs were asked for and found, and how. A
// pointer is nil where nothing was counted.
type Report struct {
	Split                 string
	Distance              int
	Requested             int
	Got                   int
	Attempts              int
	SourcesTried          int
	Mode                  string // schemas.ModeSampled or ModeExhaustive
	EligiblePairs         *int64
	EligiblePairsReuseAny *int64
	MatchingBound         *int64
	Status                string // schemas.StatusOK or StatusShort
}

func (r Report) Quota() schemas.Quota {
	why := "the attempts were used up, and there are too many pairs to look at all of them"
	if r.Mode == schemas.ModeExhaustive {
		why = "no other pair passes the filters and the reuse rule"
	}
	q := schemas.NewQuota(r.Split, r.Requested, r.Got, why, map[string]int64{"attempts": int64(r.Attempts), "sources_tried": int64(r.SourcesTried)})
	q.Distance, q.Mode = r.Distance, r.Mode
	for name, n := range map[string]*int64{
		"eligible_pairs": r.EligiblePairs, "eligible_pairs_reuse_any": r.EligiblePairsReuseAny, "matching_bound": r.MatchingBound,
	} { // each has a count of its own
		if n != nil {
			q.Counts[name] = *n
		}
	}
	return q
}

func Quotas(reports []Report) []schemas.Quota {
	out := []schemas.Quota{}
	for _, r := range reports {
		out = append(out, r.Quota())
	}
	return out
}

// ShortageError names everything that fell short, or is nil.
func ShortageError(stage string, reports []Report) error {
	var short []string
	for _, r := range reports {
		if r.Status == schemas.StatusShort {
			short = append(short, fmt.Sprintf("%s got %d of %d at distance %d", r.Split, r.Got, r.Requested, r.Distance))
		}
	}
	if short == nil {
		return nil
	}
	return fault.New(fault.Shortage, "%s: %s", stage, strings.Join(short, "; ")).
		Hint("allow more with reuse=any, a smaller size, other distances or a larger target set; or keep what there is with on_shortage=short")
}
