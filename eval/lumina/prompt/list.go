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
