package probe

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts/dag"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// EachDrawn draws what lies between the pages of each question, and the link back.
func (part) EachDrawn(s *release.Scene, f release.Files, name string, visit release.Visit) error {
	if name != linesFile {
		return nil
	}
	id := func(x *schemas.ProbeInstance) string { return x.ID }
	draw := func(w *release.World, x *schemas.ProbeInstance) (dag.Drawing, error) {
		d, err := w.Draw(Asked(x), nil)
		Answered(x, &d)
		return d, err
	}
	return release.EachPair(s, f, name, schemas.ProbeInstanceSchema, id, visit, draw)
}

// Asked returns the pair of a question, to be drawn.
func Asked(x *schemas.ProbeInstance) dag.Pair {
	return dag.Pair{
		Title:  fmt.Sprintf("Does %s link to %s?", x.Source.Title, x.Target.Title),
		Source: x.Source.Node, Target: x.Target.Node, Back: true,
	}
}

// Answered adds the answer to the drawing of a question.
func Answered(x *schemas.ProbeInstance, d *dag.Drawing) {
	if x.Gold == schemas.GoldYes {
		for i := range d.Edges {
			if d.Nodes[d.Edges[i].From].Layer == 0 {
				d.Edges[i].Marks = append(d.Edges[i].Marks, dag.Asked)
			}
		}
	}
	d.Note(fmt.Sprintf("The answer is %s: the class is %s.", x.Gold, x.Class))
}
