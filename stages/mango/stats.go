package mango

import (
	"strconv"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

// StatsRow is a line of the paper's tables: a maze as a prefix shows it, under a rule.
type StatsRow struct {
	Maze       string
	Prefix     int  // last step that is shown; skeleton.Full for the whole maze
	Steps      *int // as the tables have it; nil for the whole of a maze without walkthrough
	AvgLenPath float64
	skeleton.Counts
}

// Full is the prefix that stands for the whole maze.
const Full = skeleton.Full

// Stats gives the line of a maze.
func (m *Opened) Stats(prefix int, rule string) StatsRow {
	r := StatsRow{Maze: m.Name, Prefix: prefix, Steps: &prefix, Counts: m.Set.Count(prefix, rule)}
	if r.Paths > 0 {
		r.AvgLenPath = float64(r.PathSteps) / float64(r.Paths)
	}
	if prefix == Full {
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
		out.AvgLenPath /= float64(len(rows))
	}
	return out
}

// StatsColumns are the headings of Cells.
var StatsColumns = []string{"maze", "locs", "edges", "avg_len_path", "steps", "df_easy", "df_hard", "rf_easy", "rf_hard"}

// Cells gives a row as text. Means have two digits, a tie to even on the exact binary value; "-" stands where steps are not known.
func (r StatsRow) Cells() []string {
	steps := "-"
	if r.Steps != nil {
		steps = strconv.Itoa(*r.Steps)
	}
	cells := []string{r.Maze, strconv.Itoa(r.Locations), strconv.Itoa(r.Edges), strconv.FormatFloat(r.AvgLenPath, 'f', 2, 64), steps}
	for _, n := range []int{r.DFEasy, r.DFHard, r.RFEasy, r.RFHard} {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells
}

// Rules lists the rules of Stats and Ask, the default first.
func Rules() []string { return schemas.MangoRules }
