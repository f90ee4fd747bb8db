package prompt

import (
	"fmt"
	"strings"

	"github.com/wikinav/wikinav/schemas/canon"
)

// The observations have a fixed wording. None holds the current list, a distance, or anything that
// the player has not met.

// Popped answers a pop.
func Popped(i int64) string { return fmt.Sprintf("Popped index %d.", i) }

// OutOfRange answers a pop of an element that is not there.
func OutOfRange(i int64) string {
	return fmt.Sprintf("Error: there is no element with index %d. The list is unchanged.", i)
}

// BelowFloor answers a pop in the frozen part.
func BelowFloor(i int64) string {
	return fmt.Sprintf("Error: index %d lies before the last popped position and can no longer be popped. The list is unchanged.", i)
}

// Spoiled ends an episode.
func Spoiled() string { return "The list can no longer become the target. The task has ended." }

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

// UnknownID answers a query of an id that was never met.
func UnknownID(id string) string {
	if runes := []rune(id); len(runes) > maxEcho {
		id = string(runes[:maxEcho])
	}
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(Escape(id)) + `"`
	return "Error: the id " + quoted + " is not known to you. Nothing was revealed."
}

// Moved answers a move.
func Moved(pos [2]int, remaining int) string {
	return fmt.Sprintf("Position: %s. Remaining moves: %d.", cell(pos), remaining)
}

// Hole answers a move into a hole.
func Hole(pos [2]int, remaining int) string { return "You entered a hole. " + Moved(pos, remaining) }

// OffBoard answers a move off the board.
func OffBoard(pos [2]int, remaining int) string {
	return "Error: that move leaves the board. " + Moved(pos, remaining)
}

// Budget ends an episode.
func Budget() string { return "No moves are left. The task has ended." }

// Ended answers a terminating call.
func Ended(success bool) string {
	if success {
		return "Task ended: success."
	}
	return "Task ended: failure."
}

// FormatError answers a reply without an action. Signatures are the calls of the world.
func FormatError(signatures []string) string {
	return "Error: no valid action found. End your reply with one fenced code block that holds exactly one call: " +
		strings.Join(signatures, ", ") + "."
}
