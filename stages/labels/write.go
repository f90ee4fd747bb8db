package labels

import (
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// writeRows writes the rows in both formats.
func writeRows(env stages.Env, g *graph.Graph, c *claims, rows []row) error {
	err := stages.WriteRows(env, labels.File, schemas.LabelsTable, func(w *arrowio.Writer) error { return appendRows(w, g, c, rows) })
	if err != nil {
		return err
	}
	return env.Write(labels.ParquetFile, stages.ParquetRows(schemas.LabelsTable, func(w *arrowio.ParquetWriter) error { return appendRows(w, g, c, rows) }))
}

func appendRows(w flat.RowWriter, g *graph.Graph, c *claims, rows []row) error {
	for u, r := range rows {
		name := ""
		if r.class != noClass {
			name = c.classes[r.class].name
		}
		err := labels.Row{
			Node: uint32(u), PageID: g.PageIDs[u], Mask: r.mask, Primary: r.primary, N: uint8(r.labels()),
			Source: schemas.LabelSources[r.rank], Class: name, Conflict: r.conflict,
		}.Append(w)
		if err != nil {
			return err
		}
	}
	return nil
}

func readSnapshot(env stages.Env) (s schemas.Snapshot, err error) {
	file, err := stages.Find(env, schemas.SnapshotArtifact, "snapshot.json")
	if err != nil {
		return s, err
	}
	data, err := file.Read()
	if err != nil {
		return s, err
	}
	if err := canon.Decode(data, canon.MaxManifest, &s); err != nil {
		return s, fault.New(fault.Mismatch, "%w", err).At(file.Name, "")
	}
	return s, nil
}
