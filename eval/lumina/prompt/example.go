package prompt

import (
	"strings"

	"github.com/wikinav/wikinav/eval/calls"
)

type Turn struct {
	Shown string // what the player read
	Reply string
}

// Example renders a played instance; final is what the last reply led to, "" for turns alone.
func Example(number string, turns []Turn, final string) string {
	var b strings.Builder
	b.WriteString("--- Example " + number + " ---")
	for _, t := range turns {
		b.WriteString("\nUser:\n" + t.Shown + "\nAssistant:\n" + t.Reply)
	}
	if final != "" {
		b.WriteString("\nUser:\n" + final)
	}
	return b.String()
}

// Reply returns an exemplary one: what the state at hand says about the call, by the blocks that
// the configuration shows, and the call.
func Reply(v View, plan, state bool, call Call, text string) string {
	why := "From the task and what my calls returned: "
	if state {
		why = "By the state block: "
	}
	why += v.Why(call)
	if plan {
		why += " The hint names this step, too."
	}
	return why + "\n\n" + calls.Fence(text)
}
