package prompt

import (
	"fmt"
	"strconv"
	"strings"
)

// ListView is all that there is to know of a ListWorld.
type ListView struct {
	Cur    []int
	Floor  int // indices below can no longer be popped
	Target []int
}

// Task returns the lists, and the frozen part where there is one.
func (v ListView) Task() string {
	frozen := ""
	if v.Floor > 0 {
		frozen = fmt.Sprintf("\nIndices below %d can no longer be popped.", v.Floor)
	}
	return fill("list.task", "list", bracketed(v.Cur), "target", bracketed(v.Target), "frozen", frozen)
}

func (v ListView) State() string {
	items := make([]string, len(v.Cur))
	for i, n := range v.Cur {
		items[i] = fmt.Sprintf("%d: %d", i, n)
	}
	return fill("list.state", "indexed", orNone(items), "floor", strconv.Itoa(v.Floor))
}

func bracketed(list []int) string {
	items := make([]string, len(list))
	for i, n := range list {
		items[i] = strconv.Itoa(n)
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// orNone joins a list for people; an empty one is said to be so.
func orNone(items []string) string {
	if len(items) == 0 {
		return "(none)"
	}
	return strings.Join(items, ", ")
}

// Why compares the list with the target at the index.
func (v ListView) Why(c Call) string {
	i := int(c.Index)
	switch {
	case c.Name == "done":
		return fmt.Sprintf("the list is now %s, which is the target, so nothing is left to pop.", bracketed(v.Cur))
	case i >= len(v.Target):
		return fmt.Sprintf("the target ends before index %d, where the list still has %d, so %d has to go.", i, v.Cur[i], v.Cur[i])
	case v.Cur[i] == v.Target[i]:
		return fmt.Sprintf("what follows index %d still holds the rest of the target, %d included, so the one at index %d can go.",
			i, v.Cur[i], i)
	}
	return fmt.Sprintf("before index %d list and target agree; there the list has %d and the target %d, so %d has to go.",
		i, v.Cur[i], v.Target[i], v.Cur[i])
}
