package prompt

import (
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/schemas/canon"
)

// The fixed wording of observations: no current list, distance or anything the player has not met.
const (
	Popped     = "Popped index %d."
	OutOfRange = "Error: there is no element with index %d. The list is unchanged."
	BelowFloor = "Error: index %d lies before the last popped position and can no longer be popped. The list is unchanged."
	Spoiled    = "The list can no longer become the target. The task has ended."
	UnknownID  = "Error: the id %s is not known to you. Nothing was revealed."
	Moved      = "Position: %s. Remaining moves: %d."
	Hole       = "You entered a hole. " + Moved
	OffBoard   = "Error: that move leaves the board. " + Moved
	Budget     = "No moves are left. The task has ended."
	Success    = "Task ended: success."
	Failure    = "Task ended: failure."
)

// The plan names one call. There is one sentence for each kind of it.
const (
	PlanPop   = "next: pop index %d"
	PlanQuery = "next: get the children of %s"
	PlanFound = "next: call found with %s"
	PlanMove  = "next: move %s"
	PlanCall  = "next: call %s" // without an argument: done, unreachable
)

// Child is a node that a query told of.
type Child struct {
	ID    string
	Value int
}

// Children answers a query: a canonical JSON array.
func Children(list []Child) string {
	out := []byte{'['}
	for i, c := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = canon.AppendString(append(out, `{"id":`...), Escape(c.ID))
		out = fmt.Appendf(out, `,"val":%d}`, c.Value)
	}
	return string(append(out, ']'))
}

// maxEcho is how many characters of an id from a reply come back.
const maxEcho = 64

// Echo is the beginning of an id from a reply, in quotes.
func Echo(id string) string {
	if runes := []rune(id); len(runes) > maxEcho {
		id = string(runes[:maxEcho])
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(Escape(id)) + `"`
}
