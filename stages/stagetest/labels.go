package stagetest

import (
	"math/bits"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
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
	labels := map[uint32][]uint8{}
	for _, item := range items {
		title, names, _ := strings.Cut(item, " ")
		for _, name := range strings.Split(names, "+") {
			bit, ok := schemas.LabelBit(name)
			if !ok {
				panic("stagetest: no label " + name)
			}
			labels[w.Node(title)] = append(labels[w.Node(title)], bit)
		}
	}
	e.giveLabels(w, func(u uint32) []uint8 { return labels[u] })
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
	e.Give(schemas.Labels, "labels.arrow", stages.Rows(schemas.LabelsTable, arrowio.Options{}, func(t *arrowio.Writer) error {
		for u, id := range w.PageIDs {
			writeLabels(t, uint32(u), id, of(uint32(u)))
			if err := t.EndRow(); err != nil {
				return err
			}
		}
		return nil
	}))
}

func writeLabels(t *arrowio.Writer, node, pageID uint32, list []uint8) {
	mask, primary, source, class := uint32(0), schemas.NoLabel, schemas.LabelNone, ""
	for _, bit := range list {
		mask |= 1 << bit
	}
	if len(list) > 0 {
		primary, source, class = list[0], schemas.LabelDBpedia, schemas.LabelNames[list[0]]
	}
	column := schemas.LabelsTable.Index
	t.Uint32(column("node"), node)
	t.Uint32(column("page_id"), pageID)
	t.Uint32(column("mask"), mask)
	t.Uint8(column("primary"), primary)
	t.Uint8(column("n_labels"), uint8(bits.OnesCount32(mask)))
	t.String(column("source"), source)
	t.String(column("class"), class)
	t.Bool(column("conflict"), false)
}
