package stagetest

import (
	"math/bits"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/labels"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// K7 is the worked example of the constrained specification (4.6).
const K7 = "S->A  A->B,C  B->T  C->D  D->T  T->S,X  X->B"

// K7Labels are the labels of K7, as GiveLabels takes them.
var K7Labels = []string{"A Event", "B Work", "C Place", "D Place"}

// GiveLabels gives labels.arrow with labels from items such as "B PersonAgent+Work", a title and
// its labels, the primary one first. They are from DBpedia; other pages have none. It panics on
// anything else: items are constants of tests.
func (e *Env) GiveLabels(w Wiki, items ...string) {
	e.t.Helper()
	bits := map[uint32][]uint8{}
	for _, item := range items {
		title, names, _ := strings.Cut(item, " ")
		for _, name := range strings.Split(names, "+") {
			bit, ok := schemas.LabelBit(name)
			if !ok {
				panic("stagetest: no label " + name)
			}
			bits[w.Node(title)] = append(bits[w.Node(title)], bit)
		}
	}
	e.giveLabels(w, func(u uint32) []uint8 { return bits[u] })
}

// GiveMasks is GiveLabels with a mask for each of the first nodes; the primary label is the smallest bit.
func (e *Env) GiveMasks(w Wiki, masks []uint32) {
	e.t.Helper()
	w.PageIDs = w.PageIDs[:len(masks)]
	e.giveLabels(w, func(u uint32) (list []uint8) {
		for mask := masks[u]; mask != 0; mask &= mask - 1 {
			list = append(list, uint8(bits.TrailingZeros32(mask)))
		}
		return list
	})
}

func (e *Env) giveLabels(w Wiki, of func(node uint32) []uint8) {
	e.t.Helper()
	e.Give(schemas.Labels, labels.File, stages.Rows(schemas.LabelsTable, arrowio.Options{}, func(t *arrowio.Writer) error {
		for u, id := range w.PageIDs {
			row := labels.Row{Node: uint32(u), PageID: id, Primary: schemas.NoLabel, Source: schemas.LabelNone}
			for i, bit := range of(uint32(u)) {
				if i == 0 {
					row.Primary, row.Source, row.Class = bit, schemas.LabelDBpedia, schemas.LabelNames[bit]
				}
				row.Mask |= 1 << bit
			}
			row.N = uint8(bits.OnesCount32(row.Mask))
			if err := row.Append(t); err != nil {
				return err
			}
		}
		return nil
	}))
}
