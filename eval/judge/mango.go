package judge

import (
	"github.com/wikinav/wikinav/schemas"
)

// The judge of MANGO answers (mango specification 8). It shares no code with what makes mazes: it reads the published files of
// a maze, and the graph that answers are held to is the edges of these files, nothing added.
//
// It promises that
//   - the text of an answer is parsed, with bounds, and never evaluated; what cannot be parsed is counted, not dropped;
//   - what can be answered from a prefix, and what is easy, comes from the maze, never from the answer;
//   - ties are broken by code point, and sums are exact, so that a score is the same everywhere;
//   - the gold destination is compared with the answer. (The released evaluator compares it with itself.)

// MangoMoves says among which moves the closest one to an answer's action is looked for.
const (
	MangoMovesLegal = "legal" // those that leave the place
	MangoMovesMaze  = "maze"  // all of the maze
)

// MangoVerdict is the score of one answer. Loose is a fraction: a similarity for df, 0 or 1 for rf.
type MangoVerdict struct {
	Strict, Reasoning bool
	Loose             Similarity
	Steps             int // of the answer
}

// MangoStep is a step of an answer as it was given.
type MangoStep struct{ Before, Action, After string }

// Judge scores a parsed answer to the question id; it panics where the maze has no such question.
func (m *MangoMaze) Judge(id string, answer []MangoStep, moves string) MangoVerdict {
	q := m.skeletons[id]
	r := &mangoReader{MangoMaze: m, mangoSkeleton: q, steps: answer, wide: moves == MangoMovesMaze}
	v := MangoVerdict{Steps: len(answer)}
	if q.task == schemas.MangoRF {
		v.Strict, v.Loose, v.Reasoning = r.arrives(true), whole(r.arrives(false)), r.explainsRF()
		return v
	}
	v.Strict, v.Loose = r.names()
	v.Reasoning = r.explainsDF()
	return v
}

// mangoReader is one answer to one question.
type mangoReader struct {
	*MangoMaze
	*mangoSkeleton
	steps []MangoStep
	wide  bool
}

// last gives the place where the answer says that it ends.
func (r *mangoReader) last() string { return r.steps[len(r.steps)-1].After }

// arrives runs the actions of the answer from the source, in all places where a move may have led, and tells whether the
// destination is among them. Strictly an action must be a move; else the closest move is taken.
func (r *mangoReader) arrives(strict bool) bool {
	at := []string{r.src}
	for _, s := range r.steps {
		move, ok := r.closest(s.Action, at)
		if strict {
			move, ok = normalise(s.Action), true
		}
		if at = r.follow(at, move); !ok || len(at) == 0 {
			return false
		}
	}
	return contains(at, r.dst)
}

// explainsRF tells whether the locations that the answer names make a way from source to destination.
func (r *mangoReader) explainsRF() bool {
	return r.chains() && r.walks(func(int, string) bool { return true }) && normalise(r.last()) == normalise(r.dst)
}

// explainsDF tells the same for a given list of moves: the answer has to follow it step by step.
func (r *mangoReader) explainsDF() bool {
	return len(r.steps) == len(r.actions) && r.chains() &&
		r.walks(func(i int, move string) bool { return move == normalise(r.actions[i]) })
}

// chains tells whether the answer starts at the source and goes on where it got to.
func (r *mangoReader) chains() bool {
	at := normalise(r.src)
	for _, s := range r.steps {
		if normalise(s.Before) != at {
			return false
		}
		at = normalise(s.After)
	}
	return true
}

// walks tells whether each step is an edge, by the closest move at its place, and that move is the right one.
func (r *mangoReader) walks(right func(i int, move string) bool) bool {
	for i, s := range r.steps {
		before := r.byNorm[normalise(s.Before)]
		move, ok := r.closest(s.Action, before)
		if !ok || !right(i, move) || !containsNorm(r.follow(before, move), s.After) {
			return false
		}
	}
	return true
}

// names compares the place that the answer ends with to where the moves of the question lead: equal, and how similar at best.
func (r *mangoReader) names() (strict bool, loose Similarity) {
	at := []string{r.src}
	for _, action := range r.actions {
		at = r.follow(at, normalise(action))
	}
	for _, place := range at {
		sim := Similar(r.last(), place)
		if loose.less(sim) {
			loose = sim
		}
		strict = strict || normalise(place) == normalise(r.last())
	}
	return strict, loose
}

// closest gives the most similar move of those that leave some place of at; ties go to the smaller by code point.
func (r *mangoReader) closest(action string, at []string) (move string, ok bool) {
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
		if sim := similar(action, c); !ok || best.less(sim) {
			move, best, ok = c, sim, true
		}
	}
	return move, ok
}
