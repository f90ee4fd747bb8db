package aar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// EachDrawn draws the stops of each leg.
func (part) EachDrawn(_ *release.Scene, f release.Files, name string, visit release.Visit) error {
	for _, file := range legFiles(func(file string) bool { return file == name }) {
		err := f.Each(name, func(_ int, line []byte) error {
			l, err := DecodeLine(line)
			if err != nil {
				return err
			}
			return visit(LegIDIn(file.Variant, l), func() (dag.Drawing, error) { return Draw(l), nil })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Draw draws the stops of a leg from top to bottom, with what leads from one to the next; branches
// stand side by side where two stops depend on one, and meet where one depends on both.
func Draw(l *schemas.AARLeg) dag.Drawing {
	d := dag.Drawing{Title: "The leg " + LegID(l) + " from " + l.SeedTitle}
	d.Says = fmt.Sprintf("%d stops from %s to the digit %d.", len(l.Stops), l.SeedTitle, l.Passcode)
	for i := range l.Stops {
		n := nodeOf(l, i)
		for _, e := range leadingTo(l, i) {
			n.Layer = max(n.Layer, d.Nodes[e.From].Layer+1)
			d.Edges = append(d.Edges, e)
		}
		d.Nodes = append(d.Nodes, n)
	}
	d.Lay(dag.Down)
	return d
}

// nodeOf draws stop i, in no layer yet.
func nodeOf(l *schemas.AARLeg, i int) dag.Node {
	s := &l.Stops[i]
	n := dag.Node{
		ID: strconv.Itoa(i), Label: strconv.Itoa(i+1) + ". " + nameOf(s), Under: valueOf(s),
		Note: s.Type + ": " + s.Reasoning,
	}
	switch {
	case i == 0:
		n.Marks = append(n.Marks, dag.Start)
	case s.Type == schemas.AARCompute:
		n.Marks = append(n.Marks, dag.Goal)
	}
	if slices.Contains(l.Stops[len(l.Stops)-1].Bridge.ReferencedStops, i) {
		n.Marks = append(n.Marks, dag.Used)
	}
	return n
}

// leadingTo lists the edges to stop i: from the stops that lead to it, and from that whose value it
// transforms.
func leadingTo(l *schemas.AARLeg, i int) (list []dag.Edge) {
	before := comesFrom(l, i)
	for _, from := range before {
		s := &l.Stops[from]
		list = append(list, dag.Edge{From: from, To: i, Label: bridgeOf(s, i-from), Note: s.Reasoning})
	}
	from := l.Stops[i].ReasonSourceStop
	if from != nil && *from >= 0 && *from < i && !slices.Contains(before, *from) {
		list = append(list, dag.Edge{
			From: *from, To: i, Note: "its value is transformed", Marks: []dag.Mark{dag.Used},
		})
	}
	return list
}

// comesFrom lists the stops that lead to stop i: of a leg without branches the one before.
func comesFrom(l *schemas.AARLeg, i int) []int {
	s := &l.Stops[i]
	switch {
	case i == 0:
		return nil
	case s.DependsOn == nil || s.Type == schemas.AARReason || s.Type == schemas.AARCompute:
		return []int{i - 1}
	}
	on := slices.DeleteFunc(slices.Clone(s.DependsOn), func(from int) bool { return from < 0 || from >= i })
	slices.Sort(on)
	return slices.Compact(on)
}

// nameOf says what is done at a stop.
func nameOf(s *schemas.AARStop) string {
	switch {
	case s.PageURL != nil && s.Type == schemas.AARPage:
		return titleOf(*s.PageURL)
	case s.Type == schemas.AARTool:
		var names []string
		for _, c := range s.Bridge.ToolChain {
			names = append(names, c.ToolName)
		}
		return strings.Join(names, ", ")
	case s.ReasonTransform != nil:
		return *s.ReasonTransform
	case s.Bridge.Expression != nil:
		return *s.Bridge.Expression
	}
	return s.Type
}

func valueOf(s *schemas.AARStop) string {
	value := string(s.ExtractedValue)
	if t, ok := text(s.ExtractedValue); ok {
		value = t
	}
	return strings.TrimSuffix("= "+value+", "+s.ExtractionTarget, ", ")
}

var bridges = map[string]string{
	"link_follow": "link", "search_query": "search", "tool_call": "tools", "compute": "compute",
}

// bridgeOf says how one gets on from a stop, where the next one follows.
func bridgeOf(s *schemas.AARStop, ahead int) string {
	if ahead != 1 {
		return ""
	}
	return bridges[s.Bridge.Type]
}
