package question

import (
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/open"
	"github.com/wikinav/wikinav/schemas/fault"
)

type Source = family.Source

func Of(r *open.Release) Source {
	m := r.Manifest()
	return Source{Name: r.Name(), ID: m.ID, ManifestSHA256: r.ManifestSHA256(), FreshSince: m.FreshSince}
}

// Split is a list of questions, in the order of asking.
type Split struct {
	family.Split
	Questions []Question
}

// Set is the questions of a source. Families embed it, and add baselines and scores.
type Set struct {
	Family string
	Source Source

	// Unread returns why a parser cannot read a reply to a question, "" for one that it can.
	Unread func(q Question, m family.Manner, text string) (reason string)

	// Right reports whether a reply to a question is right, as Score has it by default.
	Right func(q Question, m family.Manner, text string) bool

	splits []Split
	byTask map[string]Question
	byID   map[string]Question
}

// Add adds a split. An id that stands already is fault.Mismatch.
func (s *Set) Add(split Split) error {
	if s.byTask == nil {
		s.byTask, s.byID = map[string]Question{}, map[string]Question{}
	}
	for i, q := range split.Questions {
		q.Split = split.Name
		if _, twice := s.byTask[q.Task.ID]; twice {
			return fault.New(fault.Mismatch, "split %s: question %s stands twice", split.Name, fault.Quote(q.ID))
		}
		split.Questions[i], s.byTask[q.Task.ID], s.byID[q.ID] = q, q, q
	}
	s.splits = append(s.splits, split)
	return nil
}

// Questions returns s, for importers, which are handed a family.Set.
func (s *Set) Questions() (*Set, error) { return s, nil }

func (s *Set) Splits() []family.Split {
	out := make([]family.Split, len(s.splits))
	for i, split := range s.splits {
		out[i] = split.Split
	}
	return out
}

func (s *Set) Tasks(split string, most int) (tasks []family.Task, err error) {
	for _, x := range s.splits {
		if x.Name == split {
			for _, q := range x.Questions {
				tasks = append(tasks, q.Task)
			}
		}
	}
	return family.First(tasks, most), nil
}

func (s *Set) Start(t family.Task, _ family.Options, m family.Manner) (family.Episode, error) {
	q, ok := s.byTask[t.ID]
	if !ok {
		return nil, fault.New(fault.NotFound, "there is no question %s", fault.Quote(t.ID))
	}
	e := newEpisode(q, m.Prompt, func(text string) string { return s.Unread(q, m, text) })
	e.right = func(text string) bool { return s.Right(q, m, text) }
	return e, nil
}
