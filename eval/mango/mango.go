// Package mango is the family of questions about mazes: after one walk through a maze, where does a list
// of moves lead, and how does one get from one place to another? A question is a game of one turn, in the
// words that the release has of it.
//
// Only questions that were asked count: an answer to anything else enters no numerator and no denominator.
package mango

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/digest"
	mazes "github.com/wikinav/wikinav/artifacts/mango"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/eval/mango/maze"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

const name = "mango"

// Family is the family. The words of its questions are those of the release, which its manifest pins; the
// wording is that of the walk up to a prefix. With mode=walk they are walked, as package walk says.
var Family family.Family = mango{question.Base{
	Called:  name,
	Rules:   rules,
	Parsers: map[string]schemas.Versioned{"": answer.Parser},
	Wording: schemas.Versioned{Version: "mango.prompt/1", SHA256: digest.SHA256([]byte(stepForm))},
	Metrics: columns(),
	Fields:  questionFields,
}}

// Fields of a user's own words.
const (
	fieldWalk     = "walk"
	fieldQuestion = "question"
)

var questionFields = []wording.Field{
	{Name: fieldWalk, Says: "the walkthrough as far as it is shown", Need: wording.Each},
	{Name: fieldQuestion, Says: "what is asked, and the form of the answer", Need: wording.Each},
}

type mango struct{ question.Base }

// Rules of the questions. A prefix is the last step shown; prefixFull leaves it to the release.
const (
	optionRule   = "rule"
	optionPrefix = "prefix"
	prefixFull   = "full"
)

var rules = append(question.Rules{
	{Name: optionRule, Values: schemas.MangoRules},
	{Name: optionPrefix, Default: prefixFull, Says: prefixFull + "|N", Check: func(value string) error {
		if n, err := strconv.Atoi(value); value != prefixFull && (err != nil || n < 0 || n >= schemas.MangoNever) {
			return fmt.Errorf("want %s, or a step from 0 to %d", prefixFull, schemas.MangoNever-1)
		}
		return nil
	}},
}, walkRules...)

const (
	optionMoves      = "moves"
	optionDuplicates = "duplicates"
	optionQuestions  = "questions"
	optionModel      = "model"
	duplicatesFirst  = "first"
)

// scoring returns the choices of scoring for a run under a rule.
func scoring(rule string) question.Rules {
	others := slices.DeleteFunc(slices.Clone(schemas.MangoRules), func(r string) bool { return r == rule })
	return question.Rules{
		{Name: optionRule, Values: append([]string{rule}, others...)},
		{Name: optionMoves, Values: []string{maze.MovesLegal, maze.MovesMaze}},
		{Name: optionDuplicates, Values: []string{"error", duplicatesFirst}},
		{Name: optionQuestions, Says: "FILE"},
		{Name: optionModel, Says: "NAME"},
	}
}

// columns lists the scores over all answers that were due, then over those that could be read. Micro is
// one ratio over all mazes, macro the mean of the ratios of the mazes.
func columns() []family.Column {
	list := []family.Column{
		{Heading: "strict", Metric: metric(scoreStrict, ofAll, micro), Better: 1},
		{Heading: "loose", Metric: metric(scoreLoose, ofAll, micro), Better: 1},
		{Heading: "reasoning", Metric: metric(scoreReasoning, ofAll, micro), Better: 1},
	}
	for _, score := range scores {
		for _, c := range []struct{ heading, of, average string }{
			{" macro", ofAll, macro}, {" parsed", ofParsed, micro}, {" parsed macro", ofParsed, macro},
		} {
			column := family.Column{Heading: score + c.heading, Metric: metric(score, c.of, c.average), Better: 1, Detail: true}
			list = append(list, column)
		}
	}
	list = append(list,
		family.Column{Heading: "ill-formed", Metric: metricIllFormed, Better: -1},
		family.Column{Heading: "steps", Metric: metricLength, Detail: true})
	return append(list, walkColumns...)
}

func (mango) Open(r *open.Release, o family.Options) (family.Set, error) {
	s, err := openRelease(r, o.Value.(map[string]string))
	return played(s, err)
}

// OpenFolder reads mazes that were imported, and the questions that lie with them.
func (mango) OpenFolder(dir string, o family.Options) (family.Set, error) {
	s, err := openFolder(dir, o.Value.(map[string]string))
	return played(s, err)
}

// Baselines are the golden answers, and a walk at random over what the prefix shows.
func (s *shelf) Baselines() []family.Baseline {
	of := func(seat family.Seat) asked { // whoever sits at an episode has had it started
		from, _ := s.holding(seat.Task.ID)
		return from.of[seat.Task.ID]
	}
	wander := func(seat family.Seat) string {
		q := of(seat)
		return answer.Print(q.maze.Wander(q.id, q.prefix, seat.Stream(seat.Task.ID).Below))
	}
	golden := func(seat family.Seat) string {
		q := of(seat)
		return answer.Print(q.maze.Golden(q.id))
	}
	return []family.Baseline{
		question.Baseline("random", schemas.KindLocal, "walks at random over the moves that the prefix shows", wander),
		question.Baseline("golden", schemas.KindOracle, "gives the answer that the question was made from", golden),
	}
}

// Key returns the answer that the question was made from: others lead there as well.
func (s *shelf) Key(t family.Task) (family.Key, error) {
	from, err := s.holding(t.ID)
	if err != nil || from.of[t.ID].maze == nil {
		return family.Key{}, err
	}
	q := from.of[t.ID]
	return family.Key{Target: answer.Print(q.maze.Golden(q.id))}, nil
}

// Drawing draws the maze of a question, with a way between its ends.
func (s *shelf) Drawing(t family.Task) (d dag.Drawing, err error) {
	from, err := s.holding(t.ID)
	if err != nil {
		return d, err
	}
	q := from.of[t.ID]
	if q.maze == nil {
		return d, fault.New(fault.NotFound, "there is no question %s", fault.Quote(t.ID))
	}
	k := q.maze.Skeleton(q.id)
	return mazes.Draw(q.maze.ID, q.maze.Edges(), mazes.Way{From: k.Src, To: k.Dst, Moves: k.Actions}), nil
}

// Difficulty returns the moves of the golden answer, and what the maze says of the question.
func (s *shelf) Difficulty(instance string) (family.Difficulty, bool) {
	all, err := s.whole()
	if err != nil || all.of[instance].maze == nil {
		return family.Difficulty{}, false
	}
	q := all.of[instance]
	k := q.maze.Skeleton(q.id)
	d := family.Difficulty{Length: len(q.maze.Golden(q.id)), Called: "moves", Features: []family.Feature{
		{Name: "class", Value: q.class},
		{Name: "prefix_step", Value: strconv.Itoa(q.prefix)},
		{Name: "answerable_from", Value: strconv.Itoa(k.MinStepTotalAnswerable)},
	}}
	if k.Task == schemas.MangoDF {
		d.Features = append(d.Features, family.Feature{Name: "diff_shortest", Value: strconv.Itoa(k.Excess)})
	} else {
		d.Features = append(d.Features, family.Feature{Name: "num_paths", Value: strconv.Itoa(k.Paths)})
	}
	d.Features = append(d.Features, wayFeatures(all.base.mazes[q.maze.ID], q.maze.Golden(q.id))...)
	return d, true
}
