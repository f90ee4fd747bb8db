// Package mango is what the family publishes: mazes with their walkthroughs, skeletons and
// questions, in the published MANGO layout, and what that layout has no room for. It has the files,
// their columns, their checks and their section of the data card, and reads them from an open
// release.
//
// A maze has thirteen files, MAZE.edges.json and so on; mazes.jsonl has a line for each maze,
// questions.parquet the questions on all.
package mango

import (
	"fmt"

	"github.com/wikinav/wikinav/artifacts/flat"
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/artifacts/release"
	"github.com/wikinav/wikinav/schemas"
)

// Set is the name of the files about all mazes, and what their quota is for.
const Set = "mazes"

// Files about all mazes.
const (
	mazesFile      = Set + ".jsonl"
	mazesTable     = Set + ".parquet"
	QuestionsTable = "questions.parquet"
)

// Suffixes of the tables of a maze; the others are those of package maze.
const (
	dfTable = ".df.arrow"
	rfTable = ".rf.arrow"
)

var suffixes = []string{
	maze.EdgesFile, maze.LocationsFile, maze.ActionsFile, maze.DFFile, maze.RFFile, maze.WalkthroughFile, maze.ExtraFile, maze.RecordFile,
	maze.StepsFile, maze.QuestionsFile, dfTable, rfTable,
}

// The tables. 1: first layout.
var (
	Mazes     = flat.For[schemas.MangoMaze]("wikinav.mango_mazes/1")
	Questions = flat.For[schemas.MangoQuestion]("wikinav.mango_questions/1")
)

// Part is the folder of the family in a release.
var Part release.Part = part{release.Base{Artifact: schemas.Mango, Kinds: []release.Kind{
	{Pattern: mazesFile, Schema: schemas.MangoMazeSchema, Rows: true},
	release.RecordKind(mazesTable, Mazes),
	release.RecordKind(QuestionsTable, Questions),
	{Pattern: "*" + maze.QuestionsFile, Schema: schemas.MangoQuestionSchema, Rows: true},
	{Pattern: "*" + maze.RecordFile, Schema: schemas.MangoMazeSchema},
	release.TableKind("*"+dfTable, schemas.MangoDFTable),
	release.TableKind("*"+rfTable, schemas.MangoRFTable),
	{Pattern: "*.jsonl", Rows: true},
	{Pattern: "*.json"},
	{Pattern: "*" + maze.WalkthroughFile},
}}}

type part struct{ release.Base }

func mazes(f release.Files) ([]schemas.MangoMaze, error) {
	return release.Lines(f, mazesFile, schemas.MangoMazeSchema, func(m *schemas.MangoMaze) string {
		return m.MazeID
	})
}

func questions(f release.Files, id string) ([]schemas.MangoQuestion, error) {
	return release.Lines(f, id+maze.QuestionsFile, schemas.MangoQuestionSchema, func(q *schemas.MangoQuestion) string {
		return fmt.Sprintf("%s, prefix %d", q.QuestionID, q.PrefixStep)
	})
}

// Holds says whether the observations of the mazes have leads in them.
func (p part) Holds(f release.Files) (string, error) {
	titles, err := p.Base.Holds(f)
	if err != nil {
		return "", err
	}
	list, err := mazes(f)
	for _, m := range list {
		if m.Params != nil && m.Params.Observation == schemas.MangoObserveLead {
			return titles + ", and leads in what a walker observes, with other locations masked", err
		}
	}
	return titles, err
}

// Tables returns the mazes, and the questions without their prompts.
func (p part) Tables(f release.Files) ([]flat.Rows, error) {
	list, err := mazes(f)
	if err != nil {
		return nil, err
	}
	var all []schemas.MangoQuestion
	for _, m := range list {
		one, err := questions(f, m.MazeID)
		if err != nil {
			return nil, err
		}
		all = append(all, one...)
	}
	asked := Questions.Rows(p.Artifact.Name+"_questions", all)
	asked.Key = 2 // skeletons of two mazes may have one id
	return []flat.Rows{Mazes.Rows(p.Artifact.Name+"_mazes", list), asked}, nil
}

func (p part) Card(f release.Files) (release.Card, error) {
	config := func(name, split, file string) release.Config {
		return release.Config{
			Name: p.Artifact.Name + "_" + name, Rows: f.Rows(file),
			Files: []release.ConfigFile{{Split: split, Name: file}},
		}
	}
	return release.Card{
		Configs: []release.Config{config("questions", "test", QuestionsTable), config("mazes", "", mazesTable)},
		Text: fmt.Sprintf(text, release.FieldTable(p.Folder()+"/"+QuestionsTable, Questions.Doc()),
			release.FieldTable(p.Folder()+"/"+mazesTable, Mazes.Doc())),
	}, nil
}

const text = `## Mazes on the link graph (mango)

A maze is a short walk over links whose moves are compass directions. A question shows the beginning of the walk and asks where a list of
moves leads (destination finding, df), or which moves lead somewhere (route finding, rf). ` + "`MAZE.edges.json`, `MAZE.all2all.jsonl`,\n`MAZE.all_pairs.jsonl` and `MAZE.walkthrough` are in the published MANGO layout" + `.

%s
%s`

// Carry takes all files over: a maze is a walk on the graph whose digest it has, and is played on
// its own files.
func (part) Carry(c *release.Carrying) error { return c.Whole() }

// Renamed is documented at release.Carrier; files are taken over whole.
func (part) Renamed(line []byte, _ *release.Pages) ([]byte, error) { return line, nil }
