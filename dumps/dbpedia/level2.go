package dbpedia

import (
	"slices"

	"github.com/wikinav/wikinav/schemas"
)

// Level is what a class comes to.
type Level struct {
	Label  string // "" for none
	Rule   string
	Anchor string   // where the walk ended
	Depth  int      // steps from the class to the root
	Chain  []string // from the class to the one below the root
}

// Level2 walks from a class of the ontology to the root: the first anchor that it meets gives the label. No table is asked,
// so override and policy rows are none.
func (o *Ontology) Level2(class string) Level {
	l := Level{Chain: o.Chain(class)}
	l.Depth = len(l.Chain)
	at := slices.IndexFunc(l.Chain, func(c string) bool { return anchorLabel(c) != "" })
	if at < 0 {
		l.Rule = RuleUnmapped
		return l
	}
	l.Anchor, l.Label = l.Chain[at], anchorLabel(l.Chain[at])
	switch {
	case slices.ContainsFunc(l.Chain[:at], func(c string) bool { return o.parents[c].repaired }):
		l.Rule = RuleRepaired
	case at == 0:
		l.Rule = RuleSelf
	default:
		l.Rule = RuleAncestor
	}
	return l
}

// Chain gives a class and all above it, without the root. It ends before a parent that is no class.
func (o *Ontology) Chain(class string) []string {
	var chain []string
	for at := class; at != "" && o.Has(at); at = o.parents[at].parent {
		chain = append(chain, at)
	}
	return chain
}

// anchorLabel gives the label of an anchor, "" for other classes.
func anchorLabel(class string) string {
	if label := anchors[class]; label != "" {
		return label
	}
	if _, ok := schemas.LabelBit(class); ok {
		return class
	}
	return ""
}

// Classes answers which label a class has: by the ontology where it knows the class, else by the table. Override and policy
// rows of the table hold for a class and for what is below it, as long as no anchor is nearer.
type Classes struct {
	Table    *Table
	Ontology *Ontology // nil for none
	Policy   bool      // policy rows hold
}

// Level gives the label and the depth of a class; ok is false for one that neither ontology nor table know.
func (c Classes) Level(class string) (l Level, ok bool) {
	row, inTable := c.Table.Row(class)
	switch {
	case c.Ontology != nil && c.Ontology.Has(class):
		l = c.Ontology.Level2(class)
		return c.corrected(l), true
	case !inTable:
		return l, false
	}
	l = row.Level
	if row.Rule == RulePolicy && !c.Policy {
		l.Label, l.Rule = "", RuleUnmapped
	}
	return l, true
}

// corrected lays the table's own rows over what a walk gave.
func (c Classes) corrected(l Level) Level {
	for _, at := range l.Chain {
		row, _ := c.Table.Row(at)
		if row.Rule == RuleOverride || row.Rule == RulePolicy && c.Policy {
			l.Label, l.Rule, l.Anchor = row.Label, row.Rule, at
			return l
		}
		if at == l.Anchor {
			return l
		}
	}
	return l
}

// Differences lists the classes of both ontology and table whose labels differ, policy and override rows apart.
func (c Classes) Differences() []string {
	out := []string{}
	for _, class := range c.Table.Classes() {
		row, _ := c.Table.Row(class)
		if c.Ontology == nil || !c.Ontology.Has(class) || row.Rule == RuleOverride || row.Rule == RulePolicy {
			continue
		}
		if c.Ontology.Level2(class).Label != row.Label {
			out = append(out, class)
		}
	}
	return out
}
