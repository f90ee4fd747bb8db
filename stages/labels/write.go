package labels

import (
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

func writeRows(env stages.Env, g *graph.Graph, c *claims, rows []row) error {
	return stages.WriteRows(env, "labels.arrow", schemas.LabelsTable, func(w *arrowio.Writer) error {
		for u, r := range rows {
			name := ""
			if r.class != noClass {
				name = c.classes[r.class].name
			}
			w.Uint32(0, uint32(u))
			w.Uint32(1, g.PageIDs[u])
			w.Uint32(2, r.mask)
			w.Uint8(3, r.primary)
			w.Uint8(4, uint8(r.labels()))
			w.String(5, schemas.LabelSources[r.rank])
			w.String(6, name)
			w.Bool(7, r.conflict)
			if err := w.EndRow(); err != nil {
				return err
			}
		}
		return nil
	})
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
