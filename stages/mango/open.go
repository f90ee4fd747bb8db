package mango

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/graph"
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/artifacts/whole"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

// Opened is a maze read from a folder, with its skeletons made anew from its edges.
type Opened struct {
	*maze.Maze
	Set    *skeleton.Set
	Record *schemas.MangoMaze // nil for a published game that was never imported
}

// OpenAll opens every maze below dir, in order of their names, one at a time, and hands it to use. Paths of an imported maze are bounded by maxPaths,
// those of ours by the record.
func OpenAll(dir string, maxPaths int, use func(*Opened) error) error {
	paths, err := maze.Find(dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		m, err := open(path, maxPaths)
		if err == nil {
			err = use(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func open(path string, maxPaths int) (*Opened, error) {
	game, err := maze.Open(path)
	if err != nil {
		return nil, err
	}
	m := &Opened{Maze: game}
	if m.Record, err = readRecord(strings.TrimSuffix(path, maze.EdgesFile) + maze.RecordFile); err != nil {
		return nil, err
	}
	bounds := skeleton.Bounds{MaxPaths: maxPaths}
	if m.Record != nil {
		bounds.MaxLen = m.Record.PathCutoff
	}
	m.Set, err = skeleton.Make(m.Name, m.Edges, bounds)
	return m, err
}

// readRecord gives nil where there is no record.
func readRecord(path string) (*schemas.MangoMaze, error) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	var r schemas.MangoMaze
	if err == nil {
		err = canon.Decode(bytes.TrimSpace(data), canon.MaxLine, &r)
	}
	if err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	if r.LastStep == nil && r.Source == schemas.MangoWikipedia {
		return nil, fault.New(fault.Malformed, "a maze of ours without last_step").At(path, "")
	}
	return &r, nil
}

type Import struct {
	Dir      string // holds <game>.edges.json at any depth
	Format   string // of maze.Formats; "" takes each game as it is
	Out      string // gets a folder per game
	MaxPaths int    // DF rows of a game; 0 for skeleton.DefaultMaxPaths
	Workers  int
}

// Run imports every game: it makes the skeletons and writes the layout of section 5. The files do not depend on workers. On an
// error, which is that of the first game by name, other games may have been written; every file that is there is whole.
func (i Import) Run(ctx context.Context) ([]schemas.MangoMaze, error) {
	if i.Format != "" && !slices.Contains(maze.Formats, i.Format) {
		return nil, stages.Usage(name, "--format %s: there is no such format", fault.Quote(i.Format)).
			Choose(i.Format, maze.Formats)
	}
	paths, err := maze.Find(i.Dir)
	if err != nil {
		return nil, err
	}
	out := make([]schemas.MangoMaze, len(paths))
	return out, graph.Each(ctx, max(1, i.Workers), len(paths), func(_, at int) (err error) {
		out[at], err = i.game(paths[at])
		return err
	})
}

var sources = map[string]string{maze.Shipped: schemas.MangoShipped, maze.V2023: schemas.MangoV2023}

func (i Import) game(path string) (schemas.MangoMaze, error) {
	m, err := maze.Open(path)
	if err != nil {
		return schemas.MangoMaze{}, err
	}
	if i.Format != "" && m.Format != i.Format {
		return schemas.MangoMaze{}, fault.New(fault.Malformed, "mango: edges: %s: format is %s, not %s", m.Name, m.Format, i.Format).
			At(path, "").Hint("leave --format out, or name %s", m.Format)
	}
	set, err := skeleton.Make(m.Name, m.Edges, skeleton.Bounds{MaxPaths: i.MaxPaths})
	if err != nil {
		return schemas.MangoMaze{}, err
	}
	p := published{
		set: set, walkthrough: m.Walkthrough, record: recordOf(set, sources[m.Format]),
		sampled: slices.Repeat([]bool{true}, len(set.DF)), reachable: m.Format == maze.V2023,
	}
	if m.Walkthrough != nil {
		last := m.Walkthrough.Last()
		p.record.LastStep = &last
	}
	if p.reachable {
		p.record.RFRows = reachable(set)
	}
	return p.record, p.writeFolder(filepath.Join(i.Out, m.Name), m.Name)
}

func reachable(s *skeleton.Set) (n int) {
	for i := range s.RF {
		if s.RF[i].NumPaths > 0 {
			n++
		}
	}
	return n
}

// writeFolder writes the files of a game, each whole or not at all.
func (p *published) writeFolder(folder, game string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fault.New(fault.KindOf(err), "%w", err).At(folder, "")
	}
	for _, f := range p.files() {
		_, err := whole.Write(whole.OS{}, folder, game+f.suffix, func(w io.Writer) error {
			_, err := f.write(w)
			return err
		})
		if err != nil {
			return fault.New(fault.KindOf(err), "%w", err).At(filepath.Join(folder, game+f.suffix), "")
		}
	}
	return nil
}

// StatsRow is a line of the paper's tables: a maze as a prefix shows it, under a rule.
type StatsRow struct {
	Maze       string `json:"maze"`
	Prefix     int    `json:"prefix"` // last step that is shown; skeleton.Full for the whole maze
	Locations  int    `json:"locs"`
	Edges      int    `json:"edges"`
	AvgLenPath Mean   `json:"avg_len_path"`
	Steps      *int   `json:"steps"` // as the tables have it; nil for the whole of a maze without walkthrough
	DFEasy     int    `json:"df_easy"`
	DFHard     int    `json:"df_hard"`
	RFEasy     int    `json:"rf_easy"`
	RFHard     int    `json:"rf_hard"`
}

// Mean is written with two digits, a tie to even on the exact binary value.
type Mean float64

func (m Mean) String() string { return strconv.FormatFloat(float64(m), 'f', 2, 64) }

func (m Mean) MarshalJSON() ([]byte, error) { return []byte(m.String()), nil }

// Stats gives the line of a maze.
func (m *Opened) Stats(prefix int, rule string) StatsRow {
	c := m.Set.Count(prefix, rule)
	r := StatsRow{
		Maze: m.Name, Prefix: prefix, Locations: c.Locations, Edges: c.Edges, Steps: &prefix,
		DFEasy: c.DFEasy, DFHard: c.DFHard, RFEasy: c.RFEasy, RFHard: c.RFHard,
	}
	if c.Paths > 0 {
		r.AvgLenPath = Mean(float64(c.PathSteps) / float64(c.Paths))
	}
	if prefix == skeleton.Full {
		r.Steps = nil
		if m.Walkthrough != nil {
			last := m.Walkthrough.Last() - 1 // the tables leave out the last step
			r.Steps = &last
		}
	}
	return r
}

// Sum adds the counts of rows; AvgLenPath is the mean over them, each maze counting once.
func Sum(rows []StatsRow) StatsRow {
	out := StatsRow{Maze: "total"}
	for _, r := range rows {
		out.Prefix = r.Prefix
		out.AvgLenPath += r.AvgLenPath
		out.Locations += r.Locations
		out.Edges += r.Edges
		out.DFEasy += r.DFEasy
		out.DFHard += r.DFHard
		out.RFEasy += r.RFEasy
		out.RFHard += r.RFHard
	}
	if len(rows) > 0 {
		out.AvgLenPath /= Mean(len(rows))
	}
	return out
}

// StatsColumns are the headings of Cells.
var StatsColumns = []string{"maze", "locs", "edges", "avg_len_path", "steps", "df_easy", "df_hard", "rf_easy", "rf_hard"}

// Cells gives a row as text; "-" stands where steps are not known.
func (r StatsRow) Cells() []string {
	steps := "-"
	if r.Steps != nil {
		steps = strconv.Itoa(*r.Steps)
	}
	cells := []string{r.Maze, strconv.Itoa(r.Locations), strconv.Itoa(r.Edges), r.AvgLenPath.String(), steps}
	for _, n := range []int{r.DFEasy, r.DFHard, r.RFEasy, r.RFHard} {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells
}
