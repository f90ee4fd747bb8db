package stagetest

import (
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// K7 is the worked example of the constrained specification (4.6).
const K7 = "S->A  A->B,C  B->T  C->D  D->T  T->S,X  X->B"

// K7Labels are the labels of K7, as GiveLabels takes them.
var K7Labels = []string{"A Event", "B Work", "C Place", "D Place"}

// GiveMasks is GiveLabels with a mask for each node; the primary label is the smallest bit.
func (e *Env) GiveMasks(w Wiki, masks []uint32) {
	e.t.Helper()
	e.Give(schemas.Labels, "labels.arrow", stages.Rows(schemas.LabelsTable, arrowio.Options{}, func(t *arrowio.Writer) error {
		for u, mask := range masks {
			var list []uint8
			for bit := range uint8(32) {
				if mask>>bit&1 != 0 {
					list = append(list, bit)
				}
			}
			writeLabels(t, uint32(u), w.PageIDs[u], list)
			if err := t.EndRow(); err != nil {
				return err
			}
		}
		return nil
	}))
}
