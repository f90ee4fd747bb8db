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
	used := l.Stops[max(0, len(l.Stops)-1):]
	layers := make([]int, len(l.Stops))
	for i := range l.Stops {
		s := &l.Stops[i]
		for _, from := range comesFrom(l, i) {
			layers[i] = max(layers[i], layers[from]+1)
			d.Edges = append(d.Edges, dag.Edge{From: from, To: i, Label: bridgeOf(&l.Stops[from], i-from), Note: l.Stops[from].Reasoning})
		}
		if from := s.ReasonSourceStop; from != nil && *from >= 0 && *from < i && !slices.Contains(comesFrom(l, i), *from) {
			layers[i] = max(layers[i], layers[*from]+1)
			d.Edges = append(d.Edges, dag.Edge{From: *from, To: i, Note: "its value is transformed", Marks: []dag.Mark{dag.Used}})
		}
		n := dag.Node{ID: strconv.Itoa(i), Label: strconv.Itoa(i+1) + ". " + nameOf(s), Under: valueOf(s), Layer: layers[i], Note: s.Type + ": " + s.Reasoning}
		switch {
		case i == 0:
			n.Marks = append(n.Marks, dag.Start)
		case s.Type == schemas.AARCompute:
			n.Marks = append(n.Marks, dag.Goal)
		}
		if len(used) > 0 && slices.Contains(used[0].Bridge.ReferencedStops, i) {
			n.Marks = append(n.Marks, dag.Used)
		}
		d.Nodes = append(d.Nodes, n)
	}
	d.Lay(dag.Down)
	return d
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

// bridgeOf says how one gets on from a stop, where the next one follows.
func bridgeOf(s *schemas.AARStop, ahead int) string {
	words := map[string]string{"link_follow": "link", "search_query": "search", "tool_call": "tools", "compute": "compute"}
	if ahead != 1 {
		return ""
	}
	return words[s.Bridge.Type]
}
