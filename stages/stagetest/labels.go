package stagetest

import (
	"math/bits"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// GiveLabels gives labels.arrow with labels from items such as "B PersonAgent+Work", a title and its labels, the primary one first. They are
// from DBpedia; other pages have none. It panics on anything else: items are constants of tests.
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
	e.Give(schemas.Labels, "labels.arrow", stages.Rows(schemas.LabelsTable, arrowio.Options{}, func(t *arrowio.Writer) error {
		for u := range uint32(len(w.PageIDs)) {
			writeLabels(t, u, w.PageIDs[u], labels[u])
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
	t.Uint32(0, node)
	t.Uint32(1, pageID)
	t.Uint32(2, mask)
	t.Uint8(3, primary)
	t.Uint8(4, uint8(bits.OnesCount32(mask)))
	t.String(5, source)
	t.String(6, class)
	t.Bool(7, false)
}
