package constrained

import (
	"bytes"
	"context"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// field is what pairs are drawn from, and how it came to be.
type field struct {
	sources []uint32       // ascending
	targets []pairs.Target // of the target set, ascending by node
	pages   []schemas.FilterCount
	bySteps [2][]schemas.FilterCount // sources, targets
	empty   string
}

// field applies the filters one by one and counts what each lets through.
func (s stage) field(ctx context.Context, in *inputs) (*field, error) {
	p := s.params
	var left [3]pairs.Field
	for i, ends := range []pairs.Ends{
		{}, {ExcludeFlags: p.ExcludeFlags}, {ExcludeFlags: p.ExcludeFlags, SourceMinOut: p.SourceMinOut, TargetMinIn: p.TargetMinIn},
	} {
		var err error
		if left[i], err = in.Field(ctx, ends); err != nil {
			return nil, err
		}
	}
	f := &field{targets: left[2].Targets}
	for _, u := range left[2].Sources {
		if !p.SourceNoParentheses || !bytes.ContainsAny(in.Graph.Titles.Bytes(int(u)), "()") {
			f.sources = append(f.sources, u)
		}
	}
	f.pages = []schemas.FilterCount{
		{Filter: "nodes", Pages: in.Graph.Len()},
		{Filter: "labelled", Pages: labelled(in.masks)},
		{Filter: "min_in", Pages: linked(in, left[1].Sources, p.TargetMinIn)},
	}
	f.bySteps = [2][]schemas.FilterCount{
		{
			{Filter: "nodes", Pages: len(left[0].Sources)},
			{Filter: "endpoints", Pages: len(left[1].Sources)},
			{Filter: "min_out", Pages: len(left[2].Sources)},
			{Filter: "no_parentheses", Pages: len(f.sources)},
		},
		{
			{Filter: "target_set", Pages: len(left[0].Targets)},
			{Filter: "endpoints", Pages: len(left[1].Targets)},
			{Filter: "min_in", Pages: len(f.targets)},
		},
	}
	f.empty = firstEmpty(f)
	return f, nil
}

func labelled(masks []uint32) int {
	n := 0
	for _, mask := range masks {
		if mask != 0 {
			n++
		}
	}
	return n
}

// linked counts the pages that could be targets if they were in the target set.
func linked(in *inputs, pages []uint32, minIn int) int {
	n := 0
	for _, u := range pages {
		if in.Graph.Pred.Degree(u) >= minIn {
			n++
		}
	}
	return n
}

// firstEmpty names the first filter that lets nothing through, "" where each lets something.
func firstEmpty(f *field) string {
	for _, group := range []struct {
		name  string
		steps []schemas.FilterCount
	}{{"pages", f.pages}, {"sources", f.bySteps[0]}, {"targets", f.bySteps[1]}} {
		for _, step := range group.steps {
			if step.Pages == 0 {
				return group.name + "." + step.Filter
			}
		}
	}
	return ""
}
