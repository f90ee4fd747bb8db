package schemas

import "fmt"

// QuotasFile is the file in which every stage that was asked for a number of things says what it got: a JSON list of Quota.
const QuotasFile = "quotas.json"

// QuotasSchema names the version of that file. 1: first layout; it replaces shortage.json in its three forms.
const QuotasSchema = "wikinav.quotas/1"

// Quota says how many things were asked for and got. Of is the split, the set or the class; where it has a file of its own, that is
// the file's name without its ending.
type Quota struct {
	Of        string           `json:"of"`
	Distance  int              `json:"distance"` // links between the ends of a pair, where the quota is for one distance; else 0
	Requested int              `json:"requested"`
	Got       int              `json:"got"`
	Status    string           `json:"status"` // StatusOK or StatusShort
	Why       string           `json:"why"`    // why it is short; "" where it is not
	Mode      string           `json:"mode"`   // one of the Mode words; "" where there is only one way
	Counts    map[string]int64 `json:"counts"` // of the draw, by a name that the family's page explains
}

// NewQuota returns a quota whose status follows from its numbers; why is kept for a short one.
func NewQuota(of string, requested, got int, why string, counts map[string]int64) Quota {
	q := Quota{Of: of, Requested: requested, Got: got, Status: StatusOK, Counts: counts}
	if q.Counts == nil {
		q.Counts = map[string]int64{}
	}
	if got < requested {
		q.Status, q.Why = StatusShort, why
	}
	return q
}

func (q Quota) Short() bool { return q.Status != StatusOK || q.Got < q.Requested }

func (q Quota) What() string {
	if q.Distance == 0 {
		return q.Of
	}
	return fmt.Sprintf("%s at distance %d", q.Of, q.Distance)
}

// Words of quotas and of a manifest's splits.
const (
	ModeSampled    = "sampled"
	ModeExhaustive = "exhaustive"
	ModeListed     = "listed" // the pairs are those of a file
	StatusOK       = "ok"
	StatusShort    = "short"
)
