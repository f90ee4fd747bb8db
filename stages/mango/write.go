package mango

import (
	"io"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/mango/prompt"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

func (p *published) write(env stages.Env) error {
	questions, err := askAll(p.view(), p.sampled, prompt.Options{Compass: true})
	if err != nil {
		return err
	}
	files := append(p.files(), []file{
		{maze.StepsFile, stages.JSONLines(p.steps)},
		{maze.QuestionsFile, stages.Packed(stages.JSONLines(questions))},
		{".df.arrow", p.dfTable(stages.Options(env))},
		{".rf.arrow", p.rfTable(stages.Options(env))},
	}...)
	for _, f := range files {
		if err := env.Write(p.set.Maze+f.suffix, f.write); err != nil {
			return err
		}
	}
	return nil
}

func walkthroughOf(steps []schemas.MangoStep) *maze.Walkthrough {
	list := make([]maze.WalkStep, len(steps))
	for i, s := range steps {
		list[i] = maze.WalkStep{Act: s.Act, Observation: s.Observation}
	}
	return maze.NewWalkthrough(list)
}

// recordOf describes any maze by its skeletons.
func recordOf(s *skeleton.Set, source string) schemas.MangoMaze {
	f := skeleton.FactsOf(s.Edges)
	return schemas.MangoMaze{
		Schema: schemas.MangoMazeSchema, MazeID: s.Maze, Source: source,
		Locations: f.Locations, Edges: f.Edges, ForwardEdges: f.Forward, ImputedEdges: f.Imputed,
		ParallelPairs: f.ParallelPairs, Nondeterministic: f.Nondeterministic,
		PathCutoff: s.MaxLen, DFRows: len(s.DF), RFRows: len(s.RF), Pages: []schemas.MangoPage{}, Masked: []string{},
	}
}

// file is a file of a maze, named by its suffix.
type file struct {
	suffix string
	write  stages.WriteFunc
}

// published is a maze about to be written in the layout of section 5.
type published struct {
	set         *skeleton.Set
	steps       []schemas.MangoStep // of a maze of ours
	walkthrough *maze.Walkthrough   // may be nil
	record      schemas.MangoMaze
	sampled     []bool
	reachable   bool // RF rows only for pairs with a path, as the data of 2023 has them
}

// files gives the files that every maze has, ours or imported.
func (p *published) files() []file {
	out := []file{
		{maze.EdgesFile, stages.Bytes(maze.AppendEdges(nil, p.set.Edges))},
		{maze.LocationsFile, stages.Bytes(maze.AppendList(nil, p.set.Locations))},
		{maze.ActionsFile, stages.Bytes(maze.AppendList(nil, maze.Moves(p.set.Edges)))},
		{maze.DFFile, p.dfLines},
		{maze.RFFile, p.rfLines},
		{maze.ExtraFile, p.extras},
		{maze.RecordFile, stages.JSONLines([]schemas.MangoMaze{p.record})},
	}
	if p.walkthrough != nil {
		out = append(out, file{maze.WalkthroughFile, stages.Bytes(p.walkthrough.Text)})
	}
	return out
}

func (p *published) dfLines(w io.Writer) (arrowio.Summary, error) {
	var line []byte
	for i := range p.set.DF {
		row := p.set.DFRow(i)
		line = maze.AppendRow(line[:0], row)
		if _, err := w.Write(line); err != nil {
			return arrowio.Summary{}, err
		}
	}
	return arrowio.Summary{Rows: int64(len(p.set.DF))}, nil
}

func (p *published) rfLines(w io.Writer) (arrowio.Summary, error) {
	var line []byte
	var rows int64
	for i := range p.set.RF {
		if p.reachable && p.set.RF[i].NumPaths == 0 {
			continue
		}
		row := p.set.RFRow(i)
		line = maze.AppendRow(line[:0], row)
		if _, err := w.Write(line); err != nil {
			return arrowio.Summary{}, err
		}
		rows++
	}
	return arrowio.Summary{Rows: rows}, nil
}

// extras writes what the published layout has no key for: DF rows, then RF rows, by id.
func (p *published) extras(w io.Writer) (arrowio.Summary, error) {
	df, rf := make([]schemas.MangoDFExtra, len(p.set.DF)), make([]schemas.MangoRFExtra, len(p.set.RF))
	for i := range p.set.DF {
		df[i] = schemas.MangoDFExtra{ID: p.set.DF[i].ID, Task: schemas.MangoDF, Sampled: p.sampled[i]}
	}
	for i := range p.set.RF {
		pair := &p.set.RF[i]
		rf[i] = schemas.MangoRFExtra{
			ID: pair.ID, Task: schemas.MangoRF, ShortestForward: pair.Shortest, ShortestForwardAnswers: pair.ShortestAnswerable,
			NumPathsCapped: pair.Capped, PathCutoff: p.set.MaxLen,
		}
	}
	if sum, err := stages.JSONLines(df)(w); err != nil {
		return sum, err
	}
	sum, err := stages.JSONLines(rf)(w)
	sum.Rows += int64(len(df))
	return sum, err
}

// dfTable writes the DF rows as a table: a path is a list of rows of the edges file.
func (p *published) dfTable(o arrowio.Options) stages.WriteFunc {
	return stages.Rows(schemas.MangoDFTable, o, func(t *arrowio.Writer) error {
		for i, r := range p.set.DF {
			err := t.Row(
				p.set.Maze, p.set.Locations[r.Src], p.set.Locations[r.Dst], uint32(r.DiffShortest), r.Path, uint32(len(r.Path)), r.ID,
				uint32(r.MinStepForward), uint32(r.MinStepTotal), uint32(r.MinStepForwardAnswerable), uint32(r.MinStepTotalAnswerable),
				p.sampled[i],
			)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *published) rfTable(o arrowio.Options) stages.WriteFunc {
	return stages.Rows(schemas.MangoRFTable, o, func(t *arrowio.Writer) error {
		for _, r := range p.set.RF {
			err := t.Row(
				p.set.Maze, p.set.Locations[r.Src], p.set.Locations[r.Dst], uint32(r.NumPaths), r.ID,
				uint32(r.MinStepForward), uint32(r.MinStepTotal), uint32(r.MinStepForwardAnswerable), uint32(r.MinStepTotalAnswerable),
				uint32(r.Shortest), uint32(r.ShortestAnswerable), r.Capped, uint32(p.set.MaxLen),
			)
			if err != nil {
				return err
			}
		}
		return nil
	})
}
