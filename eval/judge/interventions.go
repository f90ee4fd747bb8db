package judge

import (
	"github.com/wikinav/wikinav/artifacts/worlds"
	"github.com/wikinav/wikinav/schemas"
)

// Arm is one configuration of the six, played once on a list of instances. Games is parallel to it; nil is a game that is missing.
type Arm struct {
	Config string
	Games  []*Result
}

// ArmRow is what is said of an arm.
type ArmRow struct {
	Config  string            `json:"config"`
	N       int               `json:"n"` // denominator of the success rate
	Metrics map[string]Metric `json:"metrics"`
}

// Interventions compares the arms of one player on a split: each arm's own metrics, then what each oracle changes, paired by instance.
// lengths are those of the instances, of shortest paths that may be walked. Lumina specification, 9 and 12.
func Interventions(split string, lengths []int, arms []Arm, partial bool, seed int64) ([]ArmRow, []LuminaPair, []LuminaEffect) {
	rows, cells := []ArmRow{}, map[string]*luminaCell{}
	for _, a := range arms {
		c := a.cell(split, lengths, partial)
		cells[a.Config] = c
		rows = append(rows, ArmRow{a.Config, c.n(), a.metrics(c, seed)})
	}
	pairs, effects := comparePairs(cells, seed, split, "")
	return rows, pairs, effects
}

// cell puts the arm as episodes of instances whose optimal policy takes their length.
func (a Arm) cell(split string, lengths []int, partial bool) *luminaCell {
	c := &luminaCell{split: split, config: a.Config, partial: partial}
	for i, g := range a.Games {
		inst := &worlds.Instance{LuminaHead: schemas.LuminaHead{TStar: lengths[i]}}
		c.instances = append(c.instances, inst)
		var v *luminaVerdict
		if g != nil {
			v = &luminaVerdict{inst: inst, outcome: g.Outcome, optimal: g.Optimal, counted: g.Counted}
			if g.Outcome == schemas.OutcomeSuccess && !g.Success() {
				v.outcome = outcomeBroken
			}
		}
		c.verdicts = append(c.verdicts, v)
	}
	return c
}

// outcomeBroken stands for a target that was reached across banned pages.
const outcomeBroken = "broken"

func (a Arm) metrics(c *luminaCell, seed int64) map[string]Metric {
	all := c.metrics()
	m := map[string]Metric{}
	for _, name := range []string{MetricSuccess, MetricMicro, MetricMacro, MetricPredicted, MetricGap} {
		m[name] = all[name]
	}
	looping, recovered := 0, 0
	var visits []int64
	for _, g := range a.Games {
		if g == nil || g.Outcome == schemas.OutcomeInfra {
			continue
		}
		visits = append(visits, int64(g.Visits))
		if g.Visits > 1 {
			looping++
			recovered += int(toInt(g.Success()))
		}
	}
	m[MetricLoops], m[MetricRecovery] = Share(looping, len(visits)), Share(recovered, looping)
	m[MetricVisitation] = MeanOf(seed, MetricVisitation, c.split, visits)
	return m
}
