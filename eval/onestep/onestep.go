// Package onestep is the family of single moves: the first turn of a game of links, asked in the
// words that the release has of it. Every link of the menu that is nearest to the target is right.
package onestep

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/wikinav/wikinav/artifacts/dag"
	sets "github.com/wikinav/wikinav/artifacts/onestep"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

const name = "onestep"

// Family is the family. Its parsers are those of a game of links; a score has one of the rewards.
var Family family.Family = onestep{question.Base{
	Called:  name,
	Parsers: parsers,
	Wording: schemas.Versioned{Version: prompt.Version, SHA256: prompt.SHA256},
	Fields: []wording.Field{
		{Name: "target", Says: "the title of the page to reach", Need: wording.Each},
		{Name: "current", Says: "the title of the page that the player is on"},
		{Name: "links", Says: "the links of the page, a line each", Need: wording.Each},
		{Name: "last", Says: "the number of the last link"},
	},
	Without: map[string]string{
		"titles": "of links with other names nobody can say which one is nearest, " +
			"and the score would be chance",
	},
	Metrics: []family.Column{
		{Heading: "reward", Metric: metricReward, Better: 1},
		{Heading: "graded reward", Metric: metricGraded, Better: 1},
	},
}}

type onestep struct{ question.Base }

// strict and lenient are the parsers of a game of links.
var (
	second  = reply.Second{}.Version()
	strict  = reply.Parser{}.Version()
	lenient = reply.Parser{Lenient: true}.Version()
	parsers = map[string]schemas.Versioned{
		"": second, "2": second, "1": strict, "strict": strict, "1-lenient": lenient, "lenient": lenient,
	}
)

var scoring = question.Rules{{Name: "reward", Values: []string{"exact", "graded"}}}

// Rewards: metricReward is 1 for a best link alone, metricGraded also pays for a near miss.
const (
	metricReward = "reward"
	metricGraded = "reward_graded"
)

// gradedTenths[k] is the graded reward, in tenths, of a link k links farther than the best one.
var gradedTenths = []int64{10, 5, 1}

type world interface {
	dag.Pages
	Column(target uint32) ([]uint8, error)
}

type set struct {
	*question.Set
	world func() (world, error)
	of    map[string]schemas.OneStepInstance
}

func (onestep) Open(r *open.Release, _ family.Options) (family.Set, error) {
	lists := sets.Sets(r.Release)
	if len(lists) == 0 {
		return nil, fault.New(fault.NotFound, "the release has no one-step set").At(name, "")
	}
	s := newSet(question.Of(r), func() (world, error) { return r.World() })
	for _, list := range lists {
		instances, err := sets.Instances(r.Release, list)
		if err != nil {
			return nil, err
		}
		split, err := question.SplitOf(r.Part(sets.Part), list, len(instances), func(of string) bool { return of == list })
		if err == nil {
			err = s.add(split, instances)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

func newSet(src question.Source, w func() (world, error)) *set {
	s := &set{&question.Set{Family: name, Source: src}, w, map[string]schemas.OneStepInstance{}}
	s.Unread = func(q question.Question, m family.Manner, text string) string {
		reader, _ := parserNamed(m.Parser) // one of parsers
		if _, _, ok := choice(s.of[q.ID], reader, text); !ok {
			return question.OutcomeUnparsed
		}
		return ""
	}
	s.Right = func(q question.Question, m family.Manner, text string) bool {
		reader, _ := parserNamed(m.Parser)
		place, _, ok := choice(s.of[q.ID], reader, text)
		return ok && slices.Contains(s.of[q.ID].Best, uint32(place))
	}
	return s
}

func (s *set) add(split family.Split, list []schemas.OneStepInstance) error {
	out := question.Split{Split: split}
	for _, inst := range list {
		s.of[inst.ID] = inst
		out.Questions = append(out.Questions, question.Question{
			Task: family.Task{ID: inst.ID, Instance: inst.ID, Info: info{inst.Source.Title, inst.Target.Title}},
			ID:   inst.ID, Ask: func() []schemas.Message { return inst.Messages },
			Fields: func() wording.Values { return fieldsOf(inst) },
			Right:  func() ([]string, error) { return rightReplies(inst), nil },
		})
	}
	return s.Add(out)
}

func fieldsOf(inst schemas.OneStepInstance) wording.Values {
	titles := make([]string, len(inst.Menu))
	for i, l := range inst.Menu {
		titles[i] = l.Title
	}
	return wording.Values{
		"target": prompt.Escape(inst.Target.Title), "current": prompt.Escape(inst.Source.Title),
		"links": prompt.Numbered(titles), "last": strconv.Itoa(len(titles) - 1),
	}
}

// rightReplies names the best links as the prompt asks for one.
func rightReplies(inst schemas.OneStepInstance) (list []string) {
	for _, i := range inst.Best {
		list = append(list, fmt.Sprintf("<answer>%d</answer>", i))
	}
	return list
}

// Marks returns the pages of a question.
func (s *set) Marks(t family.Task) (family.Marks, error) {
	x, ok := s.of[t.Instance]
	if !ok {
		return family.Marks{}, fault.New(fault.NotFound, "there is no question %s", fault.Quote(t.ID))
	}
	return family.Marks{Source: &x.Source, Target: &x.Target}, nil
}

// Drawing draws the shortest paths of a pair, and what the menu of the first move hides.
func (s *set) Drawing(t family.Task) (d dag.Drawing, err error) {
	x, ok := s.of[t.Instance]
	if !ok {
		return d, fault.New(fault.NotFound, "there is no question %s", fault.Quote(t.ID))
	}
	w, err := s.world()
	if err != nil {
		return d, err
	}
	p := sets.Pair(&x)
	if p.Column, err = w.Column(p.Target); err != nil {
		return d, err
	}
	d = dag.FromPair(w, p)
	sets.Counted(&x, &d)
	return d, nil
}

// info is what a player may know before it is asked.
type info struct {
	Source string `json:"source"`
	Target string `json:"target"`
}

func (s *set) Baselines() []family.Baseline {
	anyLink := func(seat family.Seat) string {
		return strconv.Itoa(seat.Stream(seat.Task.ID).Below(max(1, len(s.of[seat.Task.ID].Menu))))
	}
	best := func(seat family.Seat) string {
		inst := s.of[seat.Task.ID]
		return strconv.Itoa(int(slices.Min(append([]uint32{uint32(len(inst.Menu))}, inst.Best...))))
	}
	return []family.Baseline{
		question.Baseline("random", schemas.KindLocal, "takes any link of the menu with equal chance", anyLink),
		question.Baseline("shortest", schemas.KindOracle, "takes a link that is nearest to the target", best),
	}
}

// Difficulty returns the distance between the pages of an instance, and how much of its menu is
// right.
func (s *set) Difficulty(instance string) (family.Difficulty, bool) {
	inst, ok := s.of[instance]
	return family.Difficulty{Length: inst.Distance, Called: "distance", Features: []family.Feature{
		{Name: "menu_size", Value: strconv.Itoa(len(inst.Menu))}, {Name: "best_links", Value: strconv.Itoa(len(inst.Best))},
	}}, ok
}

// Key returns the titles of the links that are nearest to the target.
func (s *set) Key(t family.Task) (k family.Key, err error) {
	inst := s.of[t.ID]
	for i, link := range inst.Menu {
		k.Choices = append(k.Choices, link.Title)
		if slices.Contains(inst.Best, uint32(i)) {
			k.Targets = append(k.Targets, k.Choices[i])
		}
	}
	if len(k.Targets) == 0 {
		return k, fault.New(fault.Mismatch, "instance %s has no best link", fault.Quote(t.ID))
	}
	k.Target = k.Targets[0]
	return k, nil
}

// Parsers lists the parsers by which the replies of a run can be read again.
func (onestep) Parsers() []string { return reply.Names }

func parserNamed(name string) (reply.Reader, bool) { return reply.For(schemas.GameOptions{}, name) }

// Score returns the rewards of replies. Instances that the graph contradicts are fault.Mismatch.
func (s *set) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	of := func(begun *family.Scoring, how map[string]string) (question.Judge[int64], error) {
		metric, sc := metricReward, begun.Scores
		if how["reward"] == "graded" {
			metric = metricGraded
		}
		sc.Options["reward"], sc.Counts[question.OutcomeUnparsed] = how["reward"], 0
		p, err := question.ReaderOf(begun, reply.Names, parserNamed)
		if err != nil {
			return question.Judge[int64]{}, err
		}
		w, err := s.world()
		return question.Judge[int64]{
			Verdict: scorer{s, w, metric == metricGraded, p, begun}.reward,
			Groups: func(q question.Question) [][]family.Group {
				return [][]family.Group{{{Name: "distance", Value: strconv.Itoa(s.of[q.ID].Distance)}}}
			},
			Metrics: func(_ []family.Group, list []question.Verdict[int64]) (map[string]judge.Metric, int) {
				tenths := make([]int64, len(list))
				for i, v := range list {
					tenths[i] = v.Value
				}
				mean := judge.MeanOfParts(req.Seed, metric, "all", tenths, gradedTenths[0])
				return map[string]judge.Metric{metric: mean}, len(list)
			},
			Success: func(tenths int64) bool { return tenths == gradedTenths[0] },
		}, err
	}
	return question.ScoreLog(s.Set, log, req, scoring, of)
}

// scorer rewards the replies of one log.
type scorer struct {
	*set
	world  world
	graded bool
	parser reply.Reader
	*family.Scoring
}

// reward returns the reward of a reply in tenths.
func (j scorer) reward(q question.Question, r *question.Reply) (tenths int64, outcome string, err error) {
	inst := j.of[q.ID]
	distance, err := menuDistances(j.world, inst)
	if r == nil || err != nil {
		return 0, "", err
	}
	place, rule, ok := choice(inst, j.parser, r.Reply)
	j.CountRead(map[string]int{rule: 1})
	if !ok {
		j.Scores.Counts[question.OutcomeUnparsed]++
		return 0, question.OutcomeUnparsed, nil
	}
	excess := distance[place] - slices.Min(distance)
	switch {
	case excess == 0:
		return gradedTenths[0], question.OutcomeRight, nil
	case j.graded && excess < len(gradedTenths):
		return gradedTenths[excess], question.OutcomeWrong, nil
	}
	return 0, question.OutcomeWrong, nil
}

// choice returns the place in the menu that a reply names, and the rule that read it; false for a
// reply without a link of the menu.
func choice(inst schemas.OneStepInstance, p reply.Reader, text string) (place int, rule string, ok bool) {
	var o game.Observation
	for i, l := range inst.Menu {
		o.Links = append(o.Links, game.Link{I: i, Title: l.Title})
	}
	m, rule := p.Read(text, o)
	if m.Choice == nil || *m.Choice < 0 || *m.Choice >= len(inst.Menu) {
		return 0, rule, false
	}
	return *m.Choice, rule, true
}

// menuDistances returns the graph's distance of each link, and compares the best with the record.
func menuDistances(w world, inst schemas.OneStepInstance) ([]int, error) {
	bad := func(what string) error {
		return fault.New(fault.Mismatch, "instance %s: %s", inst.ID, what)
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
