package mango

import (
	"slices"
	"sync"

	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/mango/maze"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
)

// shelf is the questions of a release or folder, which are read as far as tasks are asked for: one
// maze has megabytes of them.
type shelf struct {
	values map[string]string
	splits []family.Split
	read   func(b *base) error

	mu    sync.Mutex
	all   *set   // nil until somebody asks for all
	parts []*set // the first questions of a task each
	marks map[*maze.Maze]family.Marks
}

var (
	_ family.Set       = (*shelf)(nil)
	_ family.Described = (*shelf)(nil)
	_ family.Keyed     = (*shelf)(nil)
)

// Splits lists both tasks for a release with questions, whether or not each has some.
func (s *shelf) Splits() []family.Split { return slices.Clone(s.splits) }

func (s *shelf) Tasks(split string, most int) ([]family.Task, error) {
	if !slices.ContainsFunc(s.splits, func(x family.Split) bool { return x.Name == split }) {
		return nil, nil
	}
	from, err := s.first(split, most)
	if err != nil {
		return nil, err
	}
	return from.Tasks(split, most)
}

// whole reads everything.
func (s *shelf) whole() (*set, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all != nil {
		return s.all, nil
	}
	b := &base{}
	if err := s.read(b); err != nil {
		return nil, err
	}
	all, err := b.build(s.values, s.values[optionRule])
	if err == nil {
		s.all = all
	}
	return all, err
}

// first returns a set that has the first questions of a task, or all if most is 0.
func (s *shelf) first(task string, most int) (*set, error) {
	if most == 0 {
		return s.whole()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all != nil {
		return s.all, nil
	}
	for _, p := range s.parts {
		if len(p.lists[task]) >= most {
			return p, nil
		}
	}
	b := &base{part: true}
	p := b.under(s.values)
	b.take = func(q published) error {
		err := p.add(q, s.values[optionRule])
		if err == nil && len(p.lists[task]) >= most {
			err = release.ErrEnough
		}
		return err
	}
	if err := s.read(b); err != nil {
		return nil, err
	}
	s.parts = append(s.parts, p)
	return p, p.seal()
}

// holding returns the set that has a task: where it was listed, or else all.
func (s *shelf) holding(id string) (*set, error) {
	s.mu.Lock()
	for _, p := range append([]*set{s.all}, s.parts...) {
		if p != nil && p.of[id].maze != nil {
			s.mu.Unlock()
			return p, nil
		}
	}
	s.mu.Unlock()
	return s.whole()
}

func (s *shelf) Start(t family.Task, o family.Options, m family.Manner) (family.Episode, error) {
	if err := s.sameMode(o); err != nil {
		return nil, err
	}
	from, err := s.holding(t.ID)
	if err != nil {
		return nil, err
	}
	return from.Start(t, o, m)
}

// Answered returns the set if its questions are answered, and not walked.
func (s *shelf) Answered() (*shelf, error) { return s, nil }

// Questions returns all questions, for importers.
func (s *shelf) Questions() (*question.Set, error) {
	all, err := s.whole()
	if err != nil {
		return nil, err
	}
	return all.Set, nil
}

func (s *shelf) Score(log *trace.Log, req family.Request) (*family.Scores, error) {
	if walked(log) {
		return nil, otherMode(log)
	}
	all, err := s.whole()
	if err != nil {
		return nil, err
	}
	if req.Splits == nil && log.Run != nil { // a split without a question was played to its end
		req.Splits = slices.DeleteFunc(slices.Clone(log.Run.Splits), func(name string) bool {
			is := func(x family.Split) bool { return x.Name == name }
			return slices.ContainsFunc(s.splits, is) && !slices.ContainsFunc(all.Splits(), is)
		})
	}
	return all.Score(log, req)
}
