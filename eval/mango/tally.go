package mango

import (
	"cmp"
	"context"
	"maps"
	"math/big"
	"path/filepath"
	"slices"

	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/question"
)

// The scores, what they are taken over, and their averages. A metric has the name of all three.
const (
	scoreStrict    = "strict"    // exact
	scoreLoose     = "loose"     // the closest moves, or a similar name
	scoreReasoning = "reasoning" // the way that was told

	ofAll    = "all"    // what was due: ill-formed and missing answers are 0
	ofParsed = "parsed" // answers that could be read, as in the paper

	micro = "micro" // one ratio over all mazes
	macro = "macro" // mean over mazes of the maze's ratio; its denominator is the number of mazes

	metricIllFormed = "ill_formed_rate" // of the answers that were given
	metricLength    = "answer_length"   // mean steps of the answers that could be read
)

var scores = []string{scoreStrict, scoreLoose, scoreReasoning}

func metric(score, of, average string) string { return score + "_" + of + "_" + average }

// tally is the sums of a row, by maze.
type tally map[string]*sums

type sums struct {
	parsed, illFormed, missing int
	strict, reasoning, steps   int64
	loose                      map[int64]int64 // numerators by denominator: an exact sum that grows no fractions
}

func (t tally) add(v result, outcome string) {
	s := t[v.maze]
	if s == nil {
		s = &sums{loose: map[int64]int64{}}
		t[v.maze] = s
	}
	switch outcome {
	case question.OutcomeMissing:
		s.missing++
		return
	case outcomeIllFormed:
		s.illFormed++
		return
	}
	s.parsed++
	s.steps += int64(v.Steps)
	if v.Strict {
		s.strict++
	}
	if v.Reasoning {
		s.reasoning++
	}
	if v.Loose.Num > 0 {
		s.loose[v.Loose.Den] += v.Loose.Num
	}
}

func (s *sums) of(score string) *big.Rat {
	switch score {
	case scoreStrict:
		return big.NewRat(s.strict, 1)
	case scoreReasoning:
		return big.NewRat(s.reasoning, 1)
	}
	sum := new(big.Rat)
	for _, den := range slices.Sorted(maps.Keys(s.loose)) {
		sum.Add(sum, big.NewRat(s.loose[den], den))
	}
	return sum
}

func (s *sums) due(of string) int {
	if of == ofParsed {
		return s.parsed
	}
	return s.parsed + s.illFormed + s.missing
}

func (t tally) metrics() map[string]judge.Metric {
	m := map[string]judge.Metric{}
	for _, score := range scores {
		for _, of := range []string{ofAll, ofParsed} {
			m[metric(score, of, micro)], m[metric(score, of, macro)] = t.averages(score, of)
		}
	}
	parsed, illFormed, steps := 0, 0, int64(0)
	for _, s := range t { // sums of integers
		parsed, illFormed, steps = parsed+s.parsed, illFormed+s.illFormed, steps+s.steps
	}
	m[metricIllFormed] = judge.Share(illFormed, parsed+illFormed)
	m[metricLength] = judge.Ratio(steps, int64(parsed))
	return m
}

// averages divides exactly; only the results are rounded.
func (t tally) averages(score, of string) (micro, macro judge.Metric) {
	total, means := new(big.Rat), new(big.Rat)
	n, mazes := 0, 0
	for _, s := range t { // exact sums
		due := s.due(of)
		if due == 0 {
			continue
		}
		n += due
		mazes++
		total.Add(total, s.of(score))
		means.Add(means, new(big.Rat).Quo(s.of(score), big.NewRat(int64(due), 1)))
	}
	macro = judge.MeanOfSum(means, int64(mazes))
	if score == scoreLoose {
		return judge.MeanOfSum(total, int64(n)), macro
	}
	return judge.Share(int(total.Num().Int64()), n), macro
}

func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// sumOf returns the digest of a file, or of the listing of a folder.
func sumOf(path string) (string, error) {
	if !isFolder(path) {
		return digest.SHA256File(context.Background(), path)
	}
	names, err := filesOf(path)
	var listing []byte
	for _, name := range names {
		sum, err := digest.SHA256File(context.Background(), filepath.Join(path, name))
		if err != nil {
			return "", err
		}
		listing = append(listing, sum+"  "+name+"\n"...)
	}
	return digest.SHA256(listing), err
}
