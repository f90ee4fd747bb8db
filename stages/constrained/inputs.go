package constrained

import (
	"context"
	"fmt"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/constrained/bans"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/internal/pairs"
)

// inputs is what pairs are drawn from, and the labels of every node.
type inputs struct {
	*pairs.Inputs
	masks        []uint32 // what a ban tests: all labels, or under single the primary one
	multi        bool
	labelsSHA256 string
}

func open(ctx context.Context, env stages.Env, multi bool) (*inputs, error) {
	in, err := pairs.Open(ctx, env)
	if err != nil {
		return nil, err
	}
	out := &inputs{Inputs: in, multi: multi}
	if err := out.openLabels(env); err != nil {
		in.Close()
		return nil, err
	}
	return out, nil
}

// openLabels copies the masks, the one column that is needed at random.
func (in *inputs) openLabels(env stages.Env) error {
	file, err := stages.Find(env, schemas.Labels, "labels.arrow")
	if err != nil {
		return err
	}
	table, err := file.Open(schemas.LabelsTable)
	if err != nil {
		return err
	}
	defer table.Close()
	in.labelsSHA256 = file.Digest.SHA256
	if got, want := table.Rows(), int64(in.Graph.Len()); got != want {
		return fault.New(fault.Mismatch, "%d rows for a graph of %d nodes", got, want).At(file.Name, "")
	}
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
				At("labels.arrow", fmt.Sprintf("row %d", u))
		}
		if mask>>len(schemas.LabelNames) != 0 {
			return fault.New(fault.Malformed, "mask %#x has a bit beyond the %d labels", mask, len(schemas.LabelNames)).
				At("labels.arrow", fmt.Sprintf("row %d", u))
		}
		if !in.multi {
			mask = bans.Single(primaries[i])
		}
		in.masks = append(in.masks, mask)
	}
	return nil
}
