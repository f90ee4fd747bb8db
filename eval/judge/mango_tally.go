package judge

import (
	"maps"
	"math/big"
	"slices"
)

// mangoTally counts what came of the answers of one row, by maze.
type mangoTally struct {
	unreadable, unknown, duplicates, unanswerable int
	mazes                                         map[string]*mangoSums
}

// mangoSums are the sums of one maze.
type mangoSums struct {
	scored, illFormed, missing int
	strict, reasoning, steps   int64
	loose                      map[int64]int64 // numerators by denominator: an exact sum that grows no fractions
}

func (t *mangoTally) maze(id string) *mangoSums {
	if t.mazes[id] == nil {
		t.mazes[id] = &mangoSums{loose: map[int64]int64{}}
	}
	return t.mazes[id]
}

func (s *mangoSums) add(v MangoVerdict) {
	s.scored++
	s.steps += int64(v.Steps)
	if v.Strict {
		s.strict++
	}
	if v.Reasoning {
		s.reasoning++
	}
	if v.Loose.num > 0 {
		s.loose[v.Loose.den] += v.Loose.num
	}
}

// mangoMetrics are the three scores, by name.
var mangoMetrics = []struct {
	name string
	sum  func(*mangoSums) *big.Rat
}{
	{"strict", func(s *mangoSums) *big.Rat { return big.NewRat(s.strict, 1) }},
	{"loose", func(s *mangoSums) *big.Rat { return s.looseSum() }},
	{"reasoning", func(s *mangoSums) *big.Rat { return big.NewRat(s.reasoning, 1) }},
}

func (s *mangoSums) looseSum() *big.Rat {
	sum := new(big.Rat)
	for _, den := range slices.Sorted(maps.Keys(s.loose)) {
		sum.Add(sum, big.NewRat(s.loose[den], den))
	}
	return sum
}

// MangoAverage is a score with its two averages; null, and 0 mazes, where there is nothing to divide by.
type MangoAverage struct {
	Micro *string `json:"micro"` // one ratio over all mazes
	Macro *string `json:"macro"` // mean over mazes of the maze's ratio
	Mazes int     `json:"mazes"` // that the macro average is of
}

// MangoMetric is a score over the answers that could be parsed, as in the paper, and over all that were due.
type MangoMetric struct {
	Parsed MangoAverage `json:"parsed"`
	All    MangoAverage `json:"all"`
}

// MangoRow is the score of one model on the questions of one task and class at one prefix.
type MangoRow struct {
	Model         string                 `json:"model"`
	Rule          string                 `json:"rule"`
	Task          string                 `json:"task"`
	Class         string                 `json:"class"`  // easy, hard or all
	Prefix        *int                   `json:"prefix"` // null for all prefixes
	Questions     int                    `json:"n_questions"`
	Scored        int                    `json:"n_scored"`
	IllFormed     int                    `json:"n_ill_formed"`
	Missing       int                    `json:"n_missing"`
	Unanswerable  int                    `json:"n_unanswerable"`
	Unknown       int                    `json:"n_unknown"`
	Unreadable    int                    `json:"n_unreadable"`
	Duplicates    int                    `json:"n_duplicates"`
	IllFormedRate *string                `json:"ill_formed_rate"` // of the answers that were given
	AnswerLength  *string                `json:"answer_length"`   // mean steps of the scored answers
	Metrics       map[string]MangoMetric `json:"metrics"`         // strict, loose, reasoning
}

func (j *mangoJudge) row(c mangoCell, t *mangoTally) MangoRow {
	r := MangoRow{
		Model: c.model, Rule: j.Rule, Task: c.task, Class: c.class, Unanswerable: t.unanswerable, Unknown: t.unknown,
		Unreadable: t.unreadable, Duplicates: t.duplicates, Metrics: t.metrics(),
	}
	if c.prefix != allPrefixes {
		r.Prefix = &c.prefix
	}
	var steps int64
	for _, s := range t.mazes { // sums of integers
		r.Scored, r.IllFormed, r.Missing = r.Scored+s.scored, r.IllFormed+s.illFormed, r.Missing+s.missing
		steps += s.steps
	}
	r.Questions = r.Scored + r.IllFormed + r.Missing + r.Unanswerable
	r.IllFormedRate = four(big.NewRat(int64(r.IllFormed), 1), r.Scored+r.IllFormed)
	r.AnswerLength = four(big.NewRat(steps, 1), r.Scored)
	return r
}

func (t *mangoTally) metrics() map[string]MangoMetric {
	out := map[string]MangoMetric{}
	for _, m := range mangoMetrics {
		out[m.name] = MangoMetric{
			Parsed: t.average(m.sum, func(s *mangoSums) int { return s.scored }),
			All:    t.average(m.sum, func(s *mangoSums) int { return s.scored + s.illFormed + s.missing }),
		}
	}
	return out
}

// average divides exactly; only the result is rounded.
func (t *mangoTally) average(sum func(*mangoSums) *big.Rat, due func(*mangoSums) int) MangoAverage {
	total, means := new(big.Rat), new(big.Rat)
	n, mazes := 0, 0
	for _, s := range t.mazes { // exact sums
		if due(s) == 0 {
			continue
		}
		n += due(s)
		mazes++
		total.Add(total, sum(s))
		means.Add(means, new(big.Rat).Quo(sum(s), big.NewRat(int64(due(s)), 1)))
	}
	return MangoAverage{Micro: four(total, n), Macro: four(means, mazes), Mazes: mazes}
}

// four gives sum / n with four decimals, nil for n = 0.
func four(sum *big.Rat, n int) *string {
	if n == 0 {
		return nil
	}
	text := new(big.Rat).Quo(sum, big.NewRat(int64(n), 1)).FloatString(4)
	return &text
}
