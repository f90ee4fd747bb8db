package mango

import (
	"bytes"
	"os"
	"strings"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
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
