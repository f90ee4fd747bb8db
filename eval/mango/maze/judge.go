package maze

import (
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/schemas"
)

// Moves says among which moves the closest one to an answer's action is looked for.
const (
	MovesLegal = "legal" // those that leave the place
	MovesMaze  = "maze"  // all of the maze
)

// Verdict is the score of one answer. Loose is a fraction: a similarity for df, 0 or 1 for rf.
type Verdict struct {
	Strict, Reasoning bool
	Loose             Similarity
	Steps             int // of the answer
}

// Judge scores a parsed answer to the question id; it panics where the maze has no such question.
func (m *Maze) Judge(id string, steps []answer.Step, moves string) Verdict {
	q := m.skeletons[id]
	r := &reader{Maze: m, Skeleton: q, steps: steps, wide: moves == MovesMaze}
	v := Verdict{Steps: len(steps)}
	if q.Task == schemas.MangoRF {
		v.Strict, v.Loose, v.Reasoning = r.arrives(true), whole(r.arrives(false)), r.explainsRF()
		return v
	}
	v.Strict, v.Loose = r.names()
	v.Reasoning = r.explainsDF()
	return v
}

type reader struct {
	*Maze
	*Skeleton
	steps []answer.Step
	wide  bool
}

func (r *reader) last() string { return r.steps[len(r.steps)-1].After }

// arrives runs the answer's actions from the source, in all places a move may have led to, and
// reports if the destination is one. An action must be a move strictly, else the closest is taken.
func (r *reader) arrives(strict bool) bool {
	at := []string{r.Src}
	for _, s := range r.steps {
		move, ok := r.closest(s.Action, at)
		if strict {
			move, ok = normalise(s.Action), true
		}
		if at = r.follow(at, move); !ok || len(at) == 0 {
			return false
		}
	}
	return contains(at, r.Dst)
}

// explainsRF reports whether the locations that the answer names make a way from source to destination.
func (r *reader) explainsRF() bool {
	return r.chains() && r.walks(func(int, string) bool { return true }) && normalise(r.last()) == normalise(r.Dst)
}

// explainsDF reports the same for a given list of moves: the answer has to follow it step by step.
func (r *reader) explainsDF() bool {
	return len(r.steps) == len(r.Actions) && r.chains() &&
		r.walks(func(i int, move string) bool { return move == normalise(r.Actions[i]) })
}

// chains reports whether the answer starts at the source and goes on where it got to.
func (r *reader) chains() bool {
	at := normalise(r.Src)
	for _, s := range r.steps {
		if normalise(s.Before) != at {
			return false
		}
		at = normalise(s.After)
	}
	return true
}

// walks reports whether each step is an edge, by the closest move there, and the right one.
func (r *reader) walks(right func(i int, move string) bool) bool {
	for i, s := range r.steps {
		before := r.byNorm[normalise(s.Before)]
		move, ok := r.closest(s.Action, before)
		if !ok || !right(i, move) || !containsNorm(r.follow(before, move), s.After) {
			return false
		}
	}
	return true
}

// names compares the answer's last place to where the question's moves lead: equal, how similar.
func (r *reader) names() (strict bool, loose Similarity) {
	at := []string{r.Src}
	for _, action := range r.Actions {
		at = r.follow(at, normalise(action))
	}
	for _, place := range at {
		sim := Similar(r.last(), place)
		if loose.Less(sim) {
			loose = sim
		}
		strict = strict || normalise(place) == normalise(r.last())
	}
	return strict, loose
}

// closest returns the most similar move that leaves a place of at; ties: the least by code point.
func (r *reader) closest(action string, at []string) (move string, ok bool) {
	candidates := r.moves
	if !r.wide {
		candidates = r.leaving(at)
	}
	action = normalise(action)
	if contains(candidates, action) {
		return action, true
	}
	var best Similarity
	for _, c := range candidates { // ascending, so that the first of equals stays
		if sim := similar(action, c); !ok || best.Less(sim) {
			move, best, ok = c, sim, true
		}
	}
	return move, ok
}
