package stagetest

import (
	"math/bits"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// GiveLabels gives labels.arrow with a mask for each of the first nodes. Labels are from DBpedia; the
// primary one is that of the smallest bit.
func (e *Env) GiveLabels(w Wiki, masks []uint32) {
	e.t.Helper()
	e.Give(schemas.Labels, labels.File, stages.Rows(schemas.LabelsTable, arrowio.Options{}, func(t *arrowio.Writer) error {
		for u, mask := range masks {
			row := labels.Row{
				Node: uint32(u), PageID: w.PageIDs[u], Mask: mask, N: uint8(bits.OnesCount32(mask)),
				Primary: schemas.NoLabel, Source: schemas.LabelNone,
			}
			if mask != 0 {
				row.Primary, row.Source = uint8(bits.TrailingZeros32(mask)), schemas.LabelDBpedia
				row.Class = schemas.LabelNames[row.Primary]
			}
			if err := row.Append(t); err != nil {
				return err
			}
		}
		return nil
	}))
}
