package prompt

import (
	"fmt"
	"strconv"
	"strings"
)

// TreeView is what the player knows of a TreeWorld.
type TreeView struct {
	Target    int
	Facts     []Fact   // in order of discovery, as the lists below
	Valueless []string // known ids whose value is not known
	Frontier  []string // known ids whose query tells something
}

// Fact is what is known of one node beside its id.
type Fact struct {
	ID       string
	Value    *int // nil if it is not known
	Listed   bool // the children are known
	Children []string
}

func (v TreeView) Task() string {
	return fill("tree.task", "target", strconv.Itoa(v.Target), "facts", v.facts())
}

// State returns the facts, and what is known by its id alone.
func (v TreeView) State() string {
	return fill("tree.state", "facts", v.facts(), "valueless", orNone(escaped(v.Valueless)),
		"frontier", orNone(escaped(v.Frontier)))
}

func (v TreeView) facts() string {
	lines := make([]string, len(v.Facts))
	for i, f := range v.Facts {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// String is the fact in the form that the rules explain.
func (f Fact) String() string {
	value, children := "UNKNOWN", "UNKNOWN"
	if f.Value != nil {
		value = strconv.Itoa(*f.Value)
	}
	if f.Listed {
		children = "[" + strings.Join(escaped(f.Children), ", ") + "]"
	}
	return "(id=" + Escape(f.ID) + ", value=" + value + ") -> " + children
}

func escaped(ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = Escape(id)
	}
	return out
}

// Why says what is known of the target value, and what a query may still tell.
func (v TreeView) Why(c Call) string {
	switch c.Name {
	case "found":
		return fmt.Sprintf("%s has the value %d, which is the target value.", Escape(c.ID), v.Target)
	case "unreachable":
		return fmt.Sprintf("no known value is %d, and every known node has told its children and their values, so the value cannot be reached.",
			v.Target)
	}
	what := "its children are not known"
	for _, f := range v.Facts {
		if f.ID == c.ID && f.Listed {
			what = "not every value of its children is known"
		}
	}
	return fmt.Sprintf("no known value is %d. Queries of %s can still tell something; of %s, met first, %s.",
		v.Target, strings.Join(escaped(v.Frontier), ", "), Escape(c.ID), what)
}
