package replay

import (
	"slices"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/schemas"
)

const (
	MetricSR          = "sr"        // reached the target and kept to the ban
	MetricCR          = "cr"        // reached the target
	MetricCVR         = "cvr"       // broke the ban
	MetricCVRReach    = "cvr_reach" // broke it and reached the target: CR - SR
	MetricPE          = "pe"        // shortest allowed path / moves, mean over SR successes
	MetricPEReach     = "pe_cr"     // the same over all that reached, at most 1 for those that broke the ban
	MetricPerStep     = "violations_per_step"
	MetricFirst       = "first_violation"          // its step, mean over games that broke the ban
	MetricRecoverBan  = "recovery_after_violation" // reached the target, of those that broke the ban
	MetricInvalidEnd  = "invalid_share"
	MetricRevisitEnd  = "revisit_share"
	MetricLimitEnd    = "step_limit_share"
	MetricNoPath      = "no_path_share"   // said that there is no path
	MetricRefusal     = "correct_refusal" // the same, of pairs without a path
	MetricStuckEnd    = "stuck_share"
	MetricGaveUpShare = "gave_up_share"
)

const banNote = "SR: reached the target and broke no ban. CR - SR is CVR reach: the paper's SR = CR - CVR holds where " +
	"all that broke the ban reached the target."

var endShares = map[string][]string{
	MetricInvalidEnd:  {schemas.OutcomeInvalidAction, schemas.OutcomeFormat},
	MetricRevisitEnd:  {schemas.OutcomeRevisit},
	MetricLimitEnd:    {schemas.OutcomeStepLimit},
	MetricNoPath:      {schemas.OutcomeNoPath},
	MetricStuckEnd:    {schemas.OutcomeStuck},
	MetricGaveUpShare: {schemas.OutcomeGaveUp},
}

// banMetrics computes every metric of games with a ban and a path. A missing game fails in sr, cr
// and cvr_reach unless the score is partial; the others are of games that were played.
func (c *cell) banMetrics() map[string]judge.Metric {
	played := c.played()
	reached := filter(played, (*verdict).success)
	breaking := filter(played, (*verdict).breaks)
	both := filter(reached, (*verdict).breaks)
	clean := filter(reached, func(v *verdict) bool { return !v.breaks() })
	m := map[string]judge.Metric{
		MetricSR:         judge.Share(len(clean), c.n()),
		MetricCR:         judge.Share(len(reached), c.n()),
		MetricCVR:        judge.Share(len(breaking), len(played)),
		MetricCVRReach:   judge.Share(len(both), c.n()),
		MetricPE:         judge.MeanOfReals(c.seed, MetricPE, c.stream, efficiencies(clean)),
		MetricPEReach:    judge.MeanOfReals(c.seed, MetricPEReach, c.stream, efficiencies(reached)),
		MetricPerStep:    c.perStep(played),
		MetricFirst:      c.mean(MetricFirst, breaking, func(v *verdict) int { return v.breach.first }),
		MetricRecoverBan: judge.Share(len(both), len(breaking)),
	}
	c.addPlay(m, played)
	return m
}

// refusalMetrics are those of pairs without a path, whose only success is to say so.
func (c *cell) refusalMetrics() map[string]judge.Metric {
	played := c.played()
	m := map[string]judge.Metric{
		MetricRefusal: judge.Share(len(ended(played, schemas.OutcomeNoPath)), c.n()),
		MetricCVR:     judge.Share(len(filter(played, (*verdict).breaks)), len(played)),
		MetricPerStep: c.perStep(played),
	}
	c.addPlay(m, played)
	return m
}

// addPlay adds what games of any kind have.
func (c *cell) addPlay(m map[string]judge.Metric, played []*verdict) {
	for name, outcomes := range endShares {
		m[name] = judge.Share(len(ended(played, outcomes...)), len(played))
	}
	addAccuracy(m, played)
	addExpense(m, played)
}

func ended(games []*verdict, outcomes ...string) []*verdict {
	return filter(games, func(v *verdict) bool { return slices.Contains(outcomes, v.outcome) })
}

// efficiencies returns the path efficiency of games that reached their target. Who broke the ban on
// a way shorter than every allowed one counts as no better than that.
func efficiencies(games []*verdict) []float64 {
	values := make([]float64, len(games))
	for i, v := range games {
		values[i] = float64(v.task.Length) / float64(v.moves)
		if v.breaks() {
			values[i] = min(values[i], 1)
		}
	}
	return values
}

func (c *cell) perStep(played []*verdict) judge.Metric {
	counts := make([][2]int64, len(played))
	for i, v := range played {
		counts[i] = [2]int64{int64(v.breach.moves), int64(v.moves)}
	}
	return judge.RatioOf(c.seed, MetricPerStep, c.stream, counts)
}
