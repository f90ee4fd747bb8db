package mango

import (
	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
)

// dfTable writes the DF rows as a table: a path is a list of rows of the edges file.
func (p *published) dfTable(o arrowio.Options) stages.WriteFunc {
	return stages.Rows(schemas.MangoDFTable, o, func(t *arrowio.Writer) error {
		column := schemas.MangoDFTable.Index
		for i := range p.set.DF {
			r := &p.set.DF[i]
			t.String(column("maze_id"), p.set.Maze)
			t.String(column("src_node"), p.set.Locations[r.Src])
			t.String(column("dst_node"), p.set.Locations[r.Dst])
			t.Uint32(column("diff_shortest"), uint32(r.DiffShortest))
			t.List(column("path_details"), r.Path)
			t.Uint32(column("step_count"), uint32(len(r.Path)))
			t.String(column("id"), r.ID)
			labelCells(t, schemas.MangoDFTable, r.MangoLabels)
			t.Bool(column("sampled"), p.sampled[i])
			if err := t.EndRow(); err != nil {
				return err
			}
		}
		return nil
	})
}

// rfTable writes the RF rows as a table.
func (p *published) rfTable(o arrowio.Options) stages.WriteFunc {
	return stages.Rows(schemas.MangoRFTable, o, func(t *arrowio.Writer) error {
		column := schemas.MangoRFTable.Index
		for i := range p.set.RF {
			r := &p.set.RF[i]
			t.String(column("maze_id"), p.set.Maze)
			t.String(column("src_node"), p.set.Locations[r.Src])
			t.String(column("dst_node"), p.set.Locations[r.Dst])
			t.Uint32(column("num_paths"), uint32(r.NumPaths))
			t.String(column("id"), r.ID)
			labelCells(t, schemas.MangoRFTable, r.MangoLabels)
			t.Uint32(column("min_step_forward_shortest"), uint32(r.Shortest))
			t.Uint32(column("min_step_forward_shortest_answerable"), uint32(r.ShortestAnswerable))
			t.Bool(column("num_paths_capped"), r.Capped)
			t.Uint32(column("path_cutoff"), uint32(p.set.MaxLen))
			if err := t.EndRow(); err != nil {
				return err
			}
		}
		return nil
	})
}

func labelCells(t *arrowio.Writer, table schemas.Table, l schemas.MangoLabels) {
	t.Uint32(table.Index("min_step_forward"), uint32(l.MinStepForward))
	t.Uint32(table.Index("min_step_total"), uint32(l.MinStepTotal))
	t.Uint32(table.Index("min_step_forward_answerable"), uint32(l.MinStepForwardAnswerable))
	t.Uint32(table.Index("min_step_total_answerable"), uint32(l.MinStepTotalAnswerable))
}
