// Package verdict has the reasoning of moves judged: whether what a player says of an allowed page is sound (pool II), and whether what it
// says of a banned one contradicts itself (pool III).
//
// It owns the two rubrics, the reading of a judge's reply, the record of verdicts and the rates. It promises that nothing is asked twice:
// a verdict has a key, and a key that stands in the record is settled; that a reply counts only if it is of the rubric's form and does not
// contradict itself; that reasoning which is blank is judged by a rule, without a call; and that agent text is quoted data, one line
// between two marks. It knows no network: whoever answers is a Speaker of package play.
//
// Rates of different judges, or of different templates, are not comparable: every rate stands beside both.
//
// Rules: constrained specification, section 7.
package verdict

import (
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/schemas"
)

// PoolOf gives the pool of a move: III if it broke the ban.
func PoolOf(s family.Statement) string {
	if s.Violates {
		return schemas.PoolIII
	}
	return schemas.PoolII
}

// Key is what a verdict is about and by whom; one that exists is not asked for again.
type Key struct {
	Run            string
	Game           string
	Step           int
	Pool           string
	Model          string
	TemplateSHA256 string
}

func KeyOf(v schemas.Verdict) Key {
	return Key{v.Run, v.Game, v.Step, v.Pool, v.Judge.Model, v.TemplateSHA256}
}

// byRule gives the verdict on blank reasoning, and false where a judge is needed.
func byRule(s family.Statement) (schemas.Reasoning, bool) {
	no := false
	switch {
	case strings.TrimSpace(s.Restriction) != "":
		return schemas.Reasoning{}, false
	case s.Violates:
		return schemas.Reasoning{Contradictory: &no, ContradictionType: schemas.ContradictUnaware, Explanation: "nothing is said"}, true
	}
	return schemas.Reasoning{Sound: &no, ErrorType: schemas.ErrorMissing, Explanation: "nothing is said"}, true
}

// Bad tells whether a verdict is one that the pool's rate counts: unsound, or contradictory.
func Bad(r schemas.Reasoning) bool {
	if r.Contradictory != nil {
		return *r.Contradictory
	}
	return r.Sound != nil && !*r.Sound
}

func Type(r schemas.Reasoning) string { return r.ErrorType + r.ContradictionType }
