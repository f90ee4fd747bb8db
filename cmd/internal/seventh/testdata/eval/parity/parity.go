// Package parity is the family of questions whether a page has an even number of links. The judge counts
// the links itself.
package parity

import (
	"strings"

	"github.com/wikinav/wikinav/artifacts/digest"
	published "github.com/wikinav/wikinav/artifacts/parity"
	"github.com/wikinav/wikinav/artifacts/prompt"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	name           = "parity"
	metricAccuracy = "accuracy"
	wording        = "How many links to other articles does the Wikipedia article {page} have, " +
		"an even or an odd number? Answer with one word: even or odd."
)

// Family is the family.
var Family family.Family = parity{question.Base{
	Called:  name,
	Parsers: map[string]schemas.Versioned{"": {Version: "parity/1", SHA256: digest.SHA256([]byte("even odd"))}},
	Wording: schemas.Versioned{Version: "parity.prompt/1", SHA256: digest.SHA256([]byte(wording))},
	Metrics: []family.Column{{Heading: "accuracy", Metric: metricAccuracy, Better: 1}},
}}

type parity struct{ question.Base }

type set struct {
	*question.Set
	release *open.Release
	of      map[string]schemas.ParityInstance
}

// Open reads the questions of a release.
func (parity) Open(r *open.Release, _ family.Options) (family.Set, error) {
	files := r.Part(published.Part)
	list, err := published.Questions(files)
	if err != nil {
		return nil, err
	}
	split, err := question.SplitOf(files, name, len(list), question.Any)
	if err != nil {
		return nil, err
	}
	s := &set{&question.Set{Family: name, Source: question.Of(r), Unread: unread}, r, map[string]schemas.ParityInstance{}}
	s.Right = func(q question.Question, _ family.Manner, text string) bool {
		return parse(text) == s.of[q.ID].Gold
	}
	out := question.Split{Split: split}
	for _, q := range list {
		s.of[q.ID] = q
		out.Questions = append(out.Questions, question.Question{
			Task: family.Task{ID: q.ID, Instance: q.ID, Info: map[string]string{"page": q.Page.Title}}, ID: q.ID,
			Ask: func() []schemas.Message {
				text := strings.Replace(wording, "{page}", prompt.Escape(q.Page.Title), 1)
				return []schemas.Message{{Role: schemas.RoleUser, Content: text}}
			},
			Right: func() ([]string, error) { return []string{q.Gold}, nil },
		})
	}
	return s, s.Add(out)
}

// parse reads an answer, "" for what is none.
func parse(text string) string {
	switch word := strings.ToLower(strings.Trim(text, " .\n")); word {
	case schemas.ParityEven, schemas.ParityOdd:
		return word
	}
	return ""
}

func unread(_ question.Question, _ family.Manner, text string) string {
	if parse(text) == "" {
		return question.OutcomeUnparsed
	}
	return ""
}

// Baselines are a coin, and the golden answers.
func (s *set) Baselines() []family.Baseline {
	coin := func(seat family.Seat) string {
		return []string{schemas.ParityEven, schemas.ParityOdd}[seat.Stream(seat.Task.Instance).Below(2)]
	}
	golden := func(seat family.Seat) string { return s.of[seat.Task.ID].Gold }
	return []family.Baseline{
		question.Baseline("random", schemas.KindLocal, "says even or odd with equal chance", coin),
		question.Baseline("golden", schemas.KindOracle, "gives the golden answer", golden),
	}
}

// Key returns the golden answer.
func (s *set) Key(t family.Task) (family.Key, error) {
	return family.Key{Target: s.of[t.ID].Gold, Choices: []string{schemas.ParityEven, schemas.ParityOdd}}, nil
}

// Marks returns the page that a question is about.
func (s *set) Marks(t family.Task) (family.Marks, error) {
	q, ok := s.of[t.Instance]
	if !ok {
		return family.Marks{}, fault.New(fault.NotFound, "there is no question %s", fault.Quote(t.ID))
	}
	return family.Marks{Instance: q.Page.Title}, nil
}

// Score compares replies with the graph. A golden answer that the graph contradicts is fault.Mismatch.
func (s *set) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	if _, err := (question.Rules{}).Read(req.Options); err != nil {
		return nil, err
	}
	sc, err := s.Begin(log, req)
	if err != nil {
		return nil, err
	}
	replies, err := question.Read(log)
	if err != nil {
		return nil, err
	}
	err = question.Score(sc, question.Judge[bool]{Verdict: s.verdict, Metrics: metrics, Success: isRight}, replies, nil)
	if err != nil {
		return nil, err
	}
	return sc.End()
}

// verdict counts the links of the page.
func (s *set) verdict(q question.Question, r *question.Reply) (right bool, outcome string, err error) {
	w, err := s.release.World()
	if err != nil {
		return false, "", err
	}
	inst := s.of[q.ID]
	if int64(inst.Page.Node) >= int64(w.Len()) {
		return false, "", fault.New(fault.Mismatch, "question %s is about no page of the graph", q.ID)
	}
	gold := schemas.ParityEven
	if len(w.Successors(inst.Page.Node))&1 == 1 {
		gold = schemas.ParityOdd
	}
	switch {
	case gold != inst.Gold:
		return false, "", fault.New(fault.Mismatch, "question %s has the golden answer %s, the graph says %s",
			q.ID, fault.Quote(inst.Gold), gold)
	case r == nil:
		return false, "", nil
	case parse(r.Reply) == "":
		return false, question.OutcomeUnparsed, nil
	case parse(r.Reply) == gold:
		return true, question.OutcomeRight, nil
	}
	return false, question.OutcomeWrong, nil
}

func metrics(_ []family.Group, list []question.Verdict[bool]) (map[string]judge.Metric, int) {
	right := 0
	for _, v := range list {
		if v.Value {
			right++
		}
	}
	return map[string]judge.Metric{metricAccuracy: judge.Share(right, len(list))}, len(list)
}

func isRight(right bool) bool { return right }
