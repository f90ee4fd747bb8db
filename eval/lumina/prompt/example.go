package prompt

import "strings"

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

// Reply returns an exemplary one: a sentence on what the configuration shows, and the call.
func Reply(plan, state bool, call string) string {
	why := "I follow from my earlier actions and their results what the situation is now, and act on it."
	switch {
	case plan && state:
		why = "The state block shows the situation, and the hint says which subtask comes next; I carry it out."
	case plan:
		why = "The hint says which subtask comes next; I carry it out."
	case state:
		why = "The state block shows the situation; I act on it."
	}
	return why + "\n\n" + Fence(call)
}

// Fence puts a call into the block that replies end with.
func Fence(call string) string { return "```python\n" + call + "\n```" }
