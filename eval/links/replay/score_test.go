package replay_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/game/gametest"
	"github.com/wikinav/wikinav/eval/links/replay"
	"github.com/wikinav/wikinav/eval/wikirace/racetest"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/rng"
)

// TestScoresEqualThoseOfAnIndependentScorer compares every metric over 1,000 games with one computed from the records alone.
func TestScoresEqualThoseOfAnIndependentScorer(t *testing.T) {
	w := gametest.Random(seed, 150, 90, 60)
	instances := racetest.Instances(w, seed, 1000, 2)
	log := simulate(t, w, instances, atRandom, atBest, inLoops, withErrors)
	scores, err := log.Score(release(w, instances), family.Request{Seed: 42})
	if err != nil {
		t.Fatalf("%v: %+v", err, scores.Disagreements[:min(5, len(scores.Disagreements))])
	}
	sum := scores.Rows[0]
	if sum.N != 1000 || sum.Missing != 0 || sum.Infra != 0 {
		t.Errorf("n %d, missing %d, infra %d", sum.N, sum.Missing, sum.Infra)
	}
	checkMetrics(t, "all", sum.Metrics, independent(w, log.Games, instances, func(int) bool { return true }))
	for _, row := range scores.Rows[1:] {
		want := independent(w, log.Games, instances, func(d int) bool { return strconv.Itoa(d) == row.By[0].Value })
		checkMetrics(t, row.By[0].Name+" "+row.By[0].Value, row.Metrics, want)
	}
	if len(scores.Rows) < 4 {
		t.Errorf("only %d rows: the test shows too little", len(scores.Rows))
	}
	for _, outcome := range []string{schemas.OutcomeSuccess, schemas.OutcomeStepLimit, schemas.OutcomeFormat} {
		if sum.Outcomes[outcome] < 10 {
			t.Errorf("only %d games end with %s: the test shows too little", sum.Outcomes[outcome], outcome)
		}
	}
}

// TestEveryRuleOfTheGameIsReplayed scores honest logs of games under each option that is not the default.
func TestEveryRuleOfTheGameIsReplayed(t *testing.T) {
	w := gametest.Random(seed, 150, 160, 120)
	instances := racetest.Instances(w, seed, 40, 2)
	for name, value := range map[string]string{
		"max_steps": "4", "max_links": "5", "pruning": "none", "order": "title", "revisit": "hide", "invalid": "retry", "max_invalid": "1",
	} {
		checkRule(t, w, instances, name, value)
	}
	for _, rule := range [][2]string{{"pruning", "random"}, {"pruning", "top1-random"}, {"revisit", "fail"}, {"invalid", "end"}} {
		checkRule(t, w, instances, rule[0], rule[1])
	}
}

func checkRule(t *testing.T, w *gametest.World, instances []schemas.WikiraceInstance, name, value string) {
	t.Helper()
	opts := game.Defaults()
	if err := game.SetOption(&opts, name, value); err != nil {
		t.Fatal(err)
	}
	log := simulateUnder(t, opts, w, instances, atRandom, inLoops, withErrors)
	scores, err := log.Score(release(w, instances), family.Request{})
	if err != nil {
		t.Fatalf("%s=%s: %v: %+v", name, value, err, scores.Disagreements[0])
	}
	if sum := scores.Rows[0]; scores.RulesSHA256 != log.Run.RulesSHA256 || len(sum.Outcomes) < 2 {
		t.Errorf("%s=%s: rules %s, outcomes %v", name, value, scores.RulesSHA256, sum.Outcomes)
	}
	setRules(log.Run, game.Defaults())
	if _, err := log.Score(release(w, instances), family.Request{}); err == nil {
		t.Errorf("%s=%s: the log also holds under the default", name, value)
	}
}

func BenchmarkScore450Games(b *testing.B) {
	w := gametest.Random(seed, 150, 90, 60)
	instances := racetest.Instances(w, seed, 450, 2)
	log := simulate(b, w, instances, atRandom, inLoops)
	for b.Loop() {
		if _, err := log.Score(release(w, instances), family.Request{Seed: 42}); err != nil {
			b.Fatal(err)
		}
	}
}

// figure is a metric of the independent scorer, in plain floating point.
type figure struct{ value, lo, hi float64 }

// independent scores the games from their paths, choices and menus, with none of the judge's code.
func independent(w *gametest.World, games []replay.Game, instances []schemas.WikiraceInstance, keep func(d int) bool) map[string]figure {
	var success, loops, recovered, turns, invalid, optimal, counted, dead, output, prompt float64
	var n, cost, macroSum, macroN float64
	var excess, moves, visits []float64
	for i, g := range games {
		inst := instances[i]
		if !keep(inst.Distance) {
			continue
		}
		n++
		path, column := g.Record.Path, columnOf(w, inst.Target.Node)
		count, most := map[uint32]int{}, 0
		for _, u := range path {
			count[u]++
			most = max(most, count[u])
		}
		won := path[len(path)-1] == inst.Target.Node
		if won {
			success++
			excess = append(excess, float64(len(g.Steps)-inst.Distance))
			moves = append(moves, float64(len(path)-1-inst.Distance))
		}
		if most > 1 {
			loops++
			if won {
				recovered++
			}
		}
		visits = append(visits, float64(most))
		at, good, live := 0, 0.0, 0.0
		for j, s := range g.Steps {
			turns++
			output, prompt = output+float64(s.Usage.Output), prompt+float64(s.Usage.Prompt)
			cost += (float64(s.Usage.Output)*10 + float64(s.Usage.Prompt)*2.5) / 1e6
			isLive := int(column[path[at]]) <= 30-j
			if isLive {
				live++
			} else {
				dead++
			}
			if s.Choice == nil || *s.Choice >= len(s.Menu) {
				invalid++
				continue
			}
			best := uint8(255)
			for _, v := range s.Menu {
				best = min(best, column[v])
			}
			at++
			if isLive && column[path[at]] == best {
				good++
			}
		}
		optimal, counted = optimal+good, counted+live
		if live > 0 {
			macroSum, macroN = macroSum+good/live, macroN+1
		}
	}
	interval := func(metric string, values []float64) figure {
		lo, hi := resample(metric, values)
		return figure{average(values), lo, hi}
	}
	return map[string]figure{
		judge.MetricSuccess:     scoreInterval(success, n),
		judge.MetricSuboptimal:  interval("suboptimal_steps", excess),
		judge.MetricSubMoves:    interval("suboptimal_moves", moves),
		judge.MetricLoops:       scoreInterval(loops, n),
		judge.MetricRecovery:    scoreInterval(recovered, loops),
		judge.MetricVisitation:  interval("average_maximum_visitation", visits),
		judge.MetricInvalid:     {value: invalid / turns},
		judge.MetricMicro:       {value: optimal / counted},
		judge.MetricMacro:       {value: macroSum / macroN},
		judge.MetricDead:        {value: dead / (dead + counted)},
		judge.MetricAvail:       {value: 0},
		judge.MetricTokens:      {value: output / turns},
		judge.MetricPrompt:      {value: prompt / turns},
		judge.MetricCostPerStep: {value: cost / turns},
		judge.MetricCostPerGame: {value: cost / n},
	}
}

func columnOf(w *gametest.World, t uint32) []uint8 {
	column, _ := w.Column(t)
	return column
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// resample is the bootstrap of the specification, on means.
func resample(metric string, values []float64) (lo, hi float64) {
	var means []float64
	for b := range 10000 {
		s := rng.New(42, "bootstrap", metric, "easy", strconv.Itoa(b))
		draw := make([]float64, len(values))
		for i := range draw {
			draw[i] = values[s.Below(len(values))]
		}
		means = append(means, average(draw))
	}
	slices.Sort(means)
	return means[250], means[9749]
}

// scoreInterval solves |p - k/n| = z sqrt(p(1-p)/n) for p by bisection: the definition of the Wilson interval, without its formula.
func scoreInterval(k, n float64) figure {
	share := k / n
	solve := func(from, to float64) float64 {
		for range 200 {
			p := (from + to) / 2
			if math.Abs(p-share) > 1.959963984540054*math.Sqrt(p*(1-p)/n) {
				from = p
			} else {
				to = p
			}
		}
		return from
	}
	return figure{share, solve(0, share), solve(1, share)}
}

func checkMetrics(t *testing.T, name string, got map[string]judge.Metric, want map[string]figure) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d metrics, want %d", name, len(got), len(want))
	}
	for metric, f := range want {
		m := got[metric]
		checkDecimal(t, name+" "+metric, m.Value, f.value)
		if m.Lo != nil {
			checkDecimal(t, name+" "+metric+" lo", m.Lo, f.lo)
			checkDecimal(t, name+" "+metric+" hi", m.Hi, f.hi)
		}
	}
}

func checkDecimal(t *testing.T, name string, got *string, want float64) {
	t.Helper()
	if got == nil {
		if !math.IsNaN(want) {
			t.Errorf("%s: got null, want %v", name, want)
		}
		return
	}
	x, err := strconv.ParseFloat(*got, 64)
	if err != nil || math.Abs(x-want) > 1e-5*math.Max(math.Abs(want), 1e-6) {
		t.Errorf("%s: got %s, want %v", name, *got, want)
	}
}
