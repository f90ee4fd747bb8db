package judge

import (
	"math/big"
	"slices"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

// OneStepScoresSchema names the record's version. 1: first layout. 2: counts failures of an endpoint apart.
const OneStepScoresSchema = "onestep.scores/2"

// Names of the rewards: MetricReward is 1 for a best link and 0 for all else, MetricGraded also pays for a near miss.
const (
	MetricReward = "reward"
	MetricGraded = "reward_graded"
)

// OneStepScores is the rewards of a one-step set (wikirace specification, 8).
type OneStepScores struct {
	Schema     string            `json:"schema"`
	Release    string            `json:"release"`
	ManifestID string            `json:"manifest_id"`
	N          int               `json:"n"`
	Missing    int               `json:"missing"` // without a reply: reward 0
	Unknown    int               `json:"unknown"` // replies to no instance of the set
	Infra      int               `json:"infra"`   // the endpoint failed: in no denominator
	Unparsed   int               `json:"unparsed"`
	Metrics    map[string]Metric `json:"metrics"` // one, under the name of the reward
	ByDistance []Row             `json:"by_distance"`
}

// tenths is a reward in tenths, so that sums are exact: of 0, 1 and 2 links more than the best.
var gradedTenths = []int64{10, 5, 1}

// ScoreOneStep gives the rewards of replies; graded chooses the reward. Instances that the graph contradicts are fault.Mismatch.
func ScoreOneStep(rel Release, set []schemas.OneStepInstance, replies map[string]trace.Reply, graded bool, seed int64) (*OneStepScores, error) {
	s := &OneStepScores{Schema: OneStepScoresSchema, Release: rel.Name, ManifestID: rel.ID, N: len(set), Unknown: len(replies)}
	name := MetricReward
	if graded {
		name = MetricGraded
	}
	rewards, by := []int64{}, map[int][]int64{}
	for _, inst := range set {
		distance, err := menuDistances(rel.World, inst)
		if err != nil {
			return nil, err
		}
		r, ok := replies[inst.ID]
		if ok {
			s.Unknown--
		} else {
			s.Missing++
		}
		if r.Infra != nil {
			s.Infra++
			continue
		}
		tenths := int64(0)
		if excess, parsed := excessOf(inst, distance, r.Reply); !parsed {
			s.Unparsed++
		} else if excess < len(gradedTenths) && (graded || excess == 0) {
			tenths = gradedTenths[excess]
		}
		rewards = append(rewards, tenths)
		by[inst.Distance] = append(by[inst.Distance], tenths)
	}
	s.Metrics = map[string]Metric{name: reward(seed, name, "all", rewards)}
	for d := range int(schemas.Unreached) + 1 {
		if list := by[d]; len(list) > 0 {
			s.ByDistance = append(s.ByDistance, Row{d, len(list), map[string]Metric{name: reward(seed, name, "all", list)}})
		}
	}
	return s, nil
}

// menuDistances gives the distance of each link of the menu, from the graph, and compares the best ones with the record.
func menuDistances(w game.World, inst schemas.OneStepInstance) ([]int, error) {
	bad := func(what string) error {
		return fault.New(fault.Mismatch, "one-step instance %s: %s", inst.ID, what)
	}
	s, t := inst.Source.Node, inst.Target.Node
	if int64(s) >= int64(w.Len()) || int64(t) >= int64(w.Len()) || len(inst.Menu) == 0 {
		return nil, bad("a page outside the graph, or no menu")
	}
	column, err := w.Column(t)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(inst.Menu))
	for i, l := range inst.Menu {
		if !slices.Contains(w.Successors(s), l.Node) {
			return nil, bad("a link of its menu is none of the graph")
		}
		out[i] = int(column[l.Node])
	}
	var best []uint32
	for i, d := range out {
		if d == slices.Min(out) {
			best = append(best, uint32(i))
		}
	}
	if !slices.Equal(best, inst.Best) {
		return nil, bad("its best links are not those of the graph")
	}
	return out, nil
}

// excessOf gives how many links more than the best one the chosen link needs; false for a reply without a link of the menu.
func excessOf(inst schemas.OneStepInstance, distance []int, text string) (int, bool) {
	titles := make([]string, len(inst.Menu))
	for i, l := range inst.Menu {
		titles[i] = l.Title
	}
	m := reply.Parser{}.Parse(text, titles)
	if m.Choice == nil || *m.Choice >= len(distance) {
		return 0, false
	}
	return distance[*m.Choice] - slices.Min(distance), true
}

// reward is the mean of rewards in tenths, with its bootstrap interval. It has no integer numerator.
func reward(seed int64, name, split string, tenths []int64) Metric {
	if len(tenths) == 0 {
		return Metric{}
	}
	sum := int64(0)
	for _, n := range tenths {
		sum += n
	}
	m := MeanOfSum(big.NewRat(sum, 10), int64(len(tenths)))
	lo, hi := bootstrap(seed, name, split, tenths)
	m.Lo, m.Hi = Decimal(lo/10), Decimal(hi/10)
	return m
}
