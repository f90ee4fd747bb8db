package prompt

import "fmt"

// The plan names one call. There is one sentence for each kind of it.

// PlanPop advises to pop.
func PlanPop(i int64) string { return fmt.Sprintf("next: pop index %d", i) }

// PlanQuery advises to ask for children.
func PlanQuery(id string) string { return "next: get the children of " + Escape(id) }

// PlanFound advises to claim that a node has the target value.
func PlanFound(id string) string { return "next: call found with " + Escape(id) }

// PlanCall advises a call without an argument: done, unreachable.
func PlanCall(name string) string { return "next: call " + name }

// PlanMove advises a move.
func PlanMove(direction string) string { return "next: move " + direction }

// Block returns a block with its header, and nothing for an empty one.
func Block(header, content string) string {
	if content == "" {
		return ""
	}
	return header + "\n" + content
}
