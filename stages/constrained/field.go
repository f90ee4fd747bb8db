package constrained

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/constrained"
	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// field is what pairs are drawn from, and how it came to be.
type field struct {
	sources []uint32       // ascending
	targets []pairs.Target // of the target set, ascending by node
	pages   []schemas.FilterCount
	bySteps [2][]schemas.FilterCount // sources, targets
	empty   string
	offer   offer
}

// field applies the filters one by one and counts what each lets through.
func (p Params) field(ctx context.Context, in *inputs) (*field, error) {
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
	f.empty = constrained.FirstEmpty(f.pages, f.bySteps[0], f.bySteps[1])
	if f.empty == "" {
		f.offer = p.offer(in, f)
	}
	return f, nil
}

// offer is which classes may be banned, and how many instances they can have: no draw gets more.
type offer struct {
	bits []uint8
	most int
	even int // instances of each class if all have as many
}

// offer counts the pairs that could have a ban of each class, near and unreachable ones included.
func (p Params) offer(in *inputs, f *field) offer {
	var pairs [32]int64
	for i := range f.targets {
		p.addOffer(&pairs, in, f, f.targets[i].Node)
	}
	var o offer
	for bit, n := range pairs {
		if n > 0 {
			o.bits = append(o.bits, uint8(bit))
			o.most += int(min(n, int64(p.cap())))
		}
	}
	o.most, o.even = min(o.most, p.N), (p.N+len(o.bits)-1)/max(1, len(o.bits))
	return o
}

// addOffer counts for one target. Its witness is the same for all sources but the witness itself.
func (p Params) addOffer(pairs *[32]int64, in *inputs, f *field, target uint32) {
	if p.BanMode == BanFixedSet {
		for _, bit := range p.fixed() {
			pairs[bit] += int64(len(f.sources))
		}
		return
	}
	first, ok := in.witness(target, target)
	if !ok {
		return
	}
	for _, bit := range bitsOf(in.masks[first]) {
		pairs[bit] += int64(len(f.sources))
	}
	if _, source := slices.BinarySearch(f.sources, first); source {
		if second, ok := in.witness(target, first); ok {
			for _, bit := range bitsOf(in.masks[second]) {
				pairs[bit]++
			}
		}
	}
}

// witness returns the most linked page, of those with a label, that link to the target, the source
// apart; the first of several.
func (in *inputs) witness(target, source uint32) (uint32, bool) {
	best, most := uint32(0), -1
	for _, u := range in.Graph.Pred.Row(target) {
		if degree := in.Graph.Pred.Degree(u); u != source && in.masks[u] != 0 && degree > most {
			best, most = u, degree
		}
	}
	return best, most >= 0
}

// fixed lists the bits of FixedSet.
func (p Params) fixed() []uint8 {
	var out []uint8
	for _, label := range p.FixedSet {
		bit, _ := schemas.LabelBit(label) // Validate knows them all
		out = append(out, bit)
	}
	return out
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

// inputs is what pairs are drawn from, and the labels of every node.
type inputs struct {
	*pairs.Inputs
	masks        []uint32 // what a ban tests: all labels, or under single the primary one
	multi        bool
	labelsSHA256 string
}

func open(env *stages.Run, multi bool) (*inputs, error) {
	in, err := pairs.Open(env)
	if err != nil {
		return nil, err
	}
	out := &inputs{Inputs: in, multi: multi}
	return out, out.readLabels(env)
}

// readLabels copies the masks, the one column that is needed at random.
func (in *inputs) readLabels(env *stages.Run) error {
	file, err := stages.Find(env, schemas.Labels, labels.File)
	if err != nil {
		return err
	}
	table, err := env.PerNode(schemas.Labels, labels.File, schemas.LabelsTable, in.Graph)
	if err != nil {
		return err
	}
	in.labelsSHA256 = file.Digest.SHA256
	for b := range table.Batches() {
		if err := in.addMasks(table, b); err != nil {
			return err
		}
	}
	return nil
}

func (in *inputs) addMasks(table *arrowio.File, b int) error {
	column := schemas.LabelsTable.Index
	ids, primaries := table.Uint32s(b, column("page_id")), table.Uint8s(b, column("primary"))
	for i, mask := range table.Uint32s(b, column("mask")) {
		u := len(in.masks)
		if want := in.Graph.PageIDs[u]; ids[i] != want {
			return fault.New(fault.Mismatch, "page id %d where the graph has %d: labels of another graph", ids[i], want).
				At(labels.File, fmt.Sprintf("row %d", u))
		}
		if mask>>len(schemas.LabelNames) != 0 {
			return fault.New(fault.Malformed, "mask %#x has a bit beyond the %d labels", mask, len(schemas.LabelNames)).
				At(labels.File, fmt.Sprintf("row %d", u))
		}
		if !in.multi {
			mask = bans.Single(primaries[i])
		}
		in.masks = append(in.masks, mask)
	}
	return nil
}
