package mango

import (
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/eval/mango/maze"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

var (
	_ family.Marked = (*shelf)(nil)
	_ family.Marked = walks{}
)

// Marks names the maze of a question by its ways, and its places: whoever has walked a maze knows
// the answers to all that is asked about it.
func (s *shelf) Marks(t family.Task) (m family.Marks, err error) {
	from, err := s.holding(t.ID)
	if err != nil {
		return m, err
	}
	of := from.of[t.ID].maze
	if of == nil {
		return m, fault.New(fault.NotFound, "there is no question %s", fault.Quote(t.ID))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m, known := s.marks[of]
	if !known {
		m = family.Marks{Instance: digest.SHA256(canon.MustMarshal(of.Edges())), Parts: of.Places()}
		if s.marks == nil {
			s.marks = map[*maze.Maze]family.Marks{}
		}
		s.marks[of] = m
	}
	return m, nil
}

// golden returns the answer that a question was made from, as it is asked for.
func (a asked) golden() ([]string, error) {
	return []string{answer.Print(a.maze.Golden(a.id))}, nil
}
