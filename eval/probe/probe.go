// Package probe is the family of single questions whether one page links to another: what a player
// knows of the links before it plans. Its golden answers are compared with the graph before they
// count.
package probe

import (
	"cmp"
	"slices"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/digest"
	probes "github.com/wikinav/wikinav/artifacts/probe"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/order"
)

const name = "probe"

// Family is the family. The id of a question names its class, and the class its answer: so the id
// of its task is another. F1 is that of the answer yes; of all replies, unparsed ones count as
// wrong.
var Family family.Family = probe{question.Base{
	Called:  name,
	Parsers: parsers,
	Wording: schemas.Versioned{Version: probes.PromptVersion, SHA256: probes.PromptSHA256},
	TaskOf:  taskOf,
	Fields: []wording.Field{
		{Name: "source", Says: "the title of the page that may have the link", Need: wording.Each},
		{Name: "target", Says: "the title of the page that it may lead to", Need: wording.Each},
	},
	Without: map[string]string{
		"titles": "of two pages with other names nobody can say whether one links to the other, " +
			"and the score would be chance",
	},
	Metrics: []family.Column{
		{Heading: "F1", Metric: metricF1All, Better: 1},
		{Heading: "accuracy", Metric: metricAccuracy, Better: 1},
		{Heading: "F1 parsed", Metric: metricF1Parsed, Better: 1, Detail: true},
		{Heading: "precision", Metric: metricPrecision, Better: 1, Detail: true},
		{Heading: "recall", Metric: metricRecall, Better: 1, Detail: true},
		{Heading: "parse rate", Metric: metricParseRate, Better: 1},
	},
}}

type probe struct{ question.Base }

func taskOf(id string) string { return name + "-" + digest.SHA256([]byte(id))[:16] }

type world interface {
	dag.Pages
	Column(target uint32) ([]uint8, error)
}

type set struct {
	*question.Set
	world func() (world, error)
	of    map[string]schemas.ProbeInstance // by task and by published id
}

func (probe) Open(r *open.Release, _ family.Options) (family.Set, error) {
	list, err := probes.Questions(r.Release)
	if err != nil {
		return nil, err
	}
	split, err := question.SplitOf(r.Part(probes.Part), name, len(list), question.Any)
	if err != nil {
		return nil, err
	}
	return newSet(question.Of(r), split, list, func() (world, error) { return r.World() })
}

// newSet asks in the order of the tasks' ids, which says nothing of the classes.
func newSet(
	src question.Source, split family.Split, list []schemas.ProbeInstance, w func() (world, error),
) (*set, error) {
	s := &set{&question.Set{Family: name, Source: src, Unread: unread}, w, map[string]schemas.ProbeInstance{}}
	s.Right = func(q question.Question, m family.Manner, text string) bool {
		p, _ := parserNamed(m.Parser)
		said, _ := p.Read(text)
		return said == s.of[q.ID].Gold
	}
	out := question.Split{Split: split}
	for _, q := range list {
		id := taskOf(q.ID)
		s.of[q.ID], s.of[id] = q, q
		out.Questions = append(out.Questions, question.Question{
			Task: family.Task{ID: id, Instance: q.ID, Info: struct{}{}}, ID: q.ID,
			Ask: func() []schemas.Message { return probes.Messages(q.Source.Title, q.Target.Title) },
			Fields: func() wording.Values {
				return wording.Values{
					"source": prompt.Escape(q.Source.Title), "target": prompt.Escape(q.Target.Title),
				}
			},
			Right: func() ([]string, error) { return []string{boxed(q.Gold)}, nil },
		})
	}
	order.Sort(out.Questions, func(a, b question.Question) int { return cmp.Compare(a.Task.ID, b.Task.ID) })
	return s, s.Add(out)
}

func unread(_ question.Question, m family.Manner, text string) string {
	p, _ := parserNamed(m.Parser) // one of parsers
	if said, _ := p.Read(text); said == "" {
		return question.OutcomeUnparsed
	}
	return ""
}

func (s *set) Baselines() []family.Baseline {
	coin := func(seat family.Seat) string {
		words := []string{schemas.GoldYes, schemas.GoldNo}
		return words[seat.Stream(seat.Task.Instance).Below(len(words))]
	}
	golden := func(seat family.Seat) string { return s.of[seat.Task.ID].Gold }
	inBox := func(answer func(family.Seat) string) func(family.Seat) string {
		return func(seat family.Seat) string { return boxed(answer(seat)) }
	}
	return []family.Baseline{
		question.Baseline("random", schemas.KindLocal, "says yes or no with equal chance", inBox(coin)),
		question.Baseline("golden", schemas.KindOracle, "gives the golden answer", inBox(golden)),
	}
}

// boxed puts an answer into the form that the prompt asks for.
func boxed(answer string) string { return `\boxed{` + answer + `}` }

// Marks returns the pages of a question.
func (s *set) Marks(t family.Task) (family.Marks, error) {
	q, ok := s.of[t.Instance]
	if !ok {
		return family.Marks{}, fault.New(fault.NotFound, "there is no question %s", fault.Quote(t.ID))
	}
	return family.Marks{Source: &q.Source, Target: &q.Target}, nil
}

// Difficulty returns the distance between the pages of a question, and its class.
func (s *set) Difficulty(instance string) (family.Difficulty, bool) {
	q, ok := s.of[instance]
	return family.Difficulty{
		Length: q.Distance, Called: "distance", Features: []family.Feature{{Name: "class", Value: q.Class}},
	}, ok
}

// Drawing draws what lies between the pages of a question.
func (s *set) Drawing(t family.Task) (d dag.Drawing, err error) {
	q, ok := s.of[t.ID]
	if !ok {
		return d, fault.New(fault.NotFound, "there is no question %s", fault.Quote(t.ID))
	}
	w, err := s.world()
	if err != nil {
		return d, err
	}
	p := probes.Asked(&q)
	if p.Column, err = w.Column(p.Target); err != nil {
		return d, err
	}
	d = dag.FromPair(w, p)
	probes.Answered(&q, &d)
	return d, nil
}

// Key returns the golden answer.
func (s *set) Key(t family.Task) (family.Key, error) {
	return family.Key{Target: s.of[t.ID].Gold, Choices: []string{schemas.GoldYes, schemas.GoldNo}}, nil
}

func goldOf(w world, q schemas.ProbeInstance) (string, error) {
	gold := schemas.GoldNo
	if int64(q.Source.Node) < int64(w.Len()) && slices.Contains(w.Successors(q.Source.Node), q.Target.Node) {
		gold = schemas.GoldYes
	}
	if gold != q.Gold {
		return "", fault.New(fault.Mismatch, "question %s has the golden answer %s, the graph says %s",
			q.ID, fault.Quote(q.Gold), gold)
	}
	return gold, nil
}

// Parsers lists the parsers by which the replies of a run can be read again.
func (probe) Parsers() []string { return parserNames }

type answer struct{ gold, said string }

// Score compares replies with the graph. Golden answers that the graph contradicts are
// fault.Mismatch.
func (s *set) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	of := func(begun *family.Scoring, _ map[string]string) (question.Judge[answer], error) {
		sc := begun.Scores
		sc.Counts[question.OutcomeUnparsed] = 0
		p, err := question.ReaderOf(begun, parserNames, parserNamed)
		if err != nil {
			return question.Judge[answer]{}, err
		}
		w, err := s.world()
		return question.Judge[answer]{
			Verdict: func(q question.Question, r *question.Reply) (answer, string, error) {
				return s.verdict(w, p, begun, q, r)
			},
			Groups: func(q question.Question) [][]family.Group {
				return [][]family.Group{{{Name: "class", Value: s.of[q.ID].Class}}}
			},
			Metrics: func(by []family.Group, list []question.Verdict[answer]) (map[string]judge.Metric, int) {
				c := count(list)
				if len(by) == 0 {
					c.note(sc.Counts)
				}
				return c.metrics(len(by) > 0), len(list)
			},
			Success: answer.right,
		}, err
	}
	return question.ScoreLog(s.Set, log, req, nil, of)
}

func (s *set) verdict(
	w world, p parser, sc *family.Scoring, q question.Question, r *question.Reply,
) (answer, string, error) {
	gold, err := goldOf(w, s.of[q.ID])
	if r == nil || err != nil {
		return answer{gold, ""}, "", err
	}
	said, rule := p.Read(r.Reply)
	sc.CountRead(map[string]int{rule: 1})
	a := answer{gold, said}
	switch {
	case a.said == "":
		sc.Scores.Counts[question.OutcomeUnparsed]++
		return a, question.OutcomeUnparsed, nil
	case a.right():
		return a, question.OutcomeRight, nil
	}
	return a, question.OutcomeWrong, nil
}

func (a answer) right() bool { return a.said != "" && a.said == a.gold }

// Names of the metrics. metricF1All ranks: what is unparsed counts against the player.
const (
	metricF1All     = "f1_all"
	metricF1Parsed  = "f1_parsed"
	metricPrecision = "precision"
	metricRecall    = "recall"
	metricParseRate = "parse_rate"
	metricAccuracy  = "accuracy" // what is unparsed is wrong
)

// confusion counts answers; lostYes and lostNo are unparsed ones by the golden answer.
type confusion struct{ tp, fp, fn, tn, lostYes, lostNo int64 }

func count(list []question.Verdict[answer]) (c confusion) {
	at := map[answer]*int64{
		{"yes", "yes"}: &c.tp, {"no", "yes"}: &c.fp, {"yes", "no"}: &c.fn, {"no", "no"}: &c.tn,
		{"yes", ""}: &c.lostYes, {"no", ""}: &c.lostNo,
	}
	for _, v := range list {
		*at[v.Value]++
	}
	return c
}

func (c confusion) note(counts map[string]int) {
	counts["tp"], counts["fp"], counts["fn"], counts["tn"] = int(c.tp), int(c.fp), int(c.fn), int(c.tn)
}

// metrics returns the metrics of a class, in which all answers are the same, or of all classes.
func (c confusion) metrics(class bool) map[string]judge.Metric {
	parsed := c.tp + c.fp + c.fn + c.tn
	all := parsed + c.lostYes + c.lostNo
	m := map[string]judge.Metric{metricAccuracy: judge.Share(int(c.tp+c.tn), int(all))}
	if class {
		return m
	}
	fp, fn := c.fp+c.lostNo, c.fn+c.lostYes
	m[metricF1All] = judge.Ratio(2*c.tp, 2*c.tp+fp+fn)
	m[metricF1Parsed] = judge.Ratio(2*c.tp, 2*c.tp+c.fp+c.fn)
	m[metricPrecision] = judge.Ratio(c.tp, c.tp+c.fp)
	m[metricRecall] = judge.Ratio(c.tp, c.tp+c.fn)
	m[metricParseRate] = judge.Share(int(parsed), int(all))
	return m
}
