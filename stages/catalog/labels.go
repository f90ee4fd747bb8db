package catalog

import (
	"context"

	"github.com/wikinav/wikinav/artifacts/catalog"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// labels adds the pages that a source of labels knows.
func labels(ctx context.Context, env stages.Env, w *catalog.Writer) error {
	t, err := stages.OpenTable(env, schemas.Labels, "labels.arrow", schemas.LabelsTable)
	if err != nil {
		return err
	}
	defer t.Close()
	col := schemas.LabelsTable.Index
	for b := range t.Batches() {
		if err := ctx.Err(); err != nil {
			return err
		}
		nodes, masks, primary, n := t.Uint32s(b, col("node")), t.Uint32s(b, col("mask")), t.Uint8s(b, col("primary")), t.Uint8s(b, col("n_labels"))
		sources, classes, conflicts := t.Strings(b, col("source")), t.Strings(b, col("class")), t.Bools(b, col("conflict"))
		for i, node := range nodes {
			if sources.At(i) == schemas.LabelNone {
				continue
			}
			conflict := int64(0)
			if conflicts.At(i) {
				conflict = 1
			}
			err := w.Row(int64(node), int64(masks[i]), schemas.LabelName(primary[i]), int64(n[i]), sources.At(i), classes.At(i), conflict)
			if err != nil {
				return err
			}
			env.Count("labels", 1)
		}
	}
	return nil
}
