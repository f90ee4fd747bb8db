// Package walk is the game of a question about a maze that is walked instead of answered: find the
// way to a place, or make the moves of a list and name where they lead, one call a turn.
//
// It owns the rules, the optimal calls, the interventions of oracles and every word that a player
// reads. An episode is a pure function of question, configuration, rules and replies, so that a
// judge repeats the replies and has the same episode, prompts included. The walkthrough is all that
// a player is shown of the maze; only an oracle reads its map.
package walk

import (
	"slices"

	"github.com/wikinav/wikinav/eval/calls"
	"github.com/wikinav/wikinav/eval/mango/maze"
	"github.com/wikinav/wikinav/schemas"
)

// Question is a question as it is walked.
type Question struct {
	ID       string // of its task
	Maze     *maze.Maze
	Task     string // schemas.MangoDF or schemas.MangoRF
	Src, Dst string
	Moves    []string // of DF
	Prefix   int      // last step of the walkthrough that is shown
	Shown    string   // the walkthrough up to there
	Rule     string   // for Easy
	Easy     bool
	away     map[string]int // moves to Dst, of RF
}

// calls that a player makes.
const (
	callMove   = "move"
	callDone   = "done"
	callAnswer = "answer"
)

var move = calls.Form{
	Name: callMove, Shown: "move(label)", Argument: calls.Text, Keywords: []string{"label", "move"},
}

// forms are the calls of each task.
var forms = map[string][]calls.Form{
	schemas.MangoRF: {move, {Name: callDone, Shown: "done()"}},
	schemas.MangoDF: {move, {
		Name: callAnswer, Shown: "answer(name)", Argument: calls.Text, Keywords: []string{"name", "place"},
	}},
}

// Prepare completes a question; ok is false for one that cannot be walked: where the maze knows
// several places that a move leads to, it leads to the first by code point.
func (q Question) Prepare() (_ *Question, ok bool) {
	if q.Task == schemas.MangoRF {
		q.away = q.Maze.Distances(q.Dst)
		_, ok = q.away[q.Src]
		return &q, ok
	}
	at := q.Src
	for _, label := range q.Moves {
		if at, ok = q.Maze.Move(at, label); !ok {
			return nil, false
		}
	}
	return &q, at == q.Dst
}

// Length returns the turns of an optimal player.
func (q *Question) Length() int {
	if q.Task == schemas.MangoRF {
		return q.away[q.Src] + 1
	}
	return len(q.Moves) + 1
}

// spare is how many turns more than an optimal player needs there are.
const spare = 5

func (q *Question) most() int { return q.Length() + spare }

// state is where a player is. In DF the moves of the list that were made lead there.
type state struct {
	at   string
	made []string
}

// optimal lists the calls that begin a shortest way to success, moves in the order of their bytes.
func (q *Question) optimal(s state) []calls.Call {
	switch {
	case q.Task == schemas.MangoDF && len(s.made) < len(q.Moves):
		return []calls.Call{{Name: callMove, Text: maze.Move(q.Moves[len(s.made)])}}
	case q.Task == schemas.MangoDF:
		return []calls.Call{{Name: callAnswer, Text: q.Dst}}
	case s.at == q.Dst:
		return []calls.Call{{Name: callDone}}
	}
	var best []calls.Call
	for _, label := range q.Maze.Moves(s.at) {
		to, _ := q.Maze.Move(s.at, label)
		if d, reaches := q.away[to]; reaches && d == q.away[s.at]-1 {
			best = append(best, calls.Call{Name: callMove, Text: label})
		}
	}
	return best
}

// apply returns the state that a call leads to; legal is false for a way that there is not, and
// outcome is "" while the walk goes on.
func (q *Question) apply(s state, c calls.Call) (after state, legal bool, outcome string) {
	ended := func(success bool) (state, bool, string) {
		if success {
			return s, true, schemas.OutcomeSuccess
		}
		return s, true, schemas.OutcomeWrongTerminal
	}
	switch c.Name {
	case callDone:
		return ended(s.at == q.Dst)
	case callAnswer:
		return ended(len(s.made) == len(q.Moves) && maze.SamePlace(c.Text, q.Dst))
	}
	to, ok := q.Maze.Move(s.at, c.Text)
	if !ok {
		return s, false, ""
	}
	after = state{to, append(slices.Clone(s.made), maze.Move(c.Text))}
	if !q.live(after) {
		outcome = schemas.OutcomeIrrecoverable
	}
	return after, true, outcome
}

// live reports whether a walk can still succeed: some way leads on, or, in DF, no move was made
// that the list has not.
func (q *Question) live(s state) bool {
	if q.Task == schemas.MangoRF {
		_, reaches := q.away[s.at]
		return reaches
	}
	n := len(s.made)
	return n <= len(q.Moves) && s.made[n-1] == maze.Move(q.Moves[n-1])
}

// textOf writes a call as a player does, moves as the judge compares them.
func textOf(c calls.Call) string {
	switch c.Name {
	case callDone:
		return callDone + "()"
	case callMove:
		return callMove + "(" + calls.Quote(maze.Move(c.Text)) + ")"
	}
	return c.Name + "(" + calls.Quote(c.Text) + ")"
}

func textsOf(list []calls.Call) []string {
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = textOf(c)
	}
	return out
}
