package maze

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/stages/mango"
)

// worked is the maze of 905 as the specification prints it (4.6).
func worked() []schemas.MangoEdge {
	edge := func(src, action, dst string, forward, reversed int) schemas.MangoEdge {
		return schemas.MangoEdge{SrcNode: src, Action: action, DstNode: dst, MangoSteps: maze.Steps(forward, reversed)}
	}
	const never = schemas.MangoNever
	return []schemas.MangoEdge{
		edge("bedroom", "south", "bathroom", 3, 10),
		edge("bedroom", "east", "living room", 15, never),
		edge("bathroom", "north", "bedroom", 10, 3),
		edge("living room", "south", "driveway", 17, never),
		edge("living room", "west", "bedroom", never, 15),
		edge("driveway", "enter car", "inside of the car", 19, never),
		edge("driveway", "north", "living room", never, 17),
	}
}

// mazeOf writes, imports and opens a maze.
func mazeOf(t testing.TB, id string, edges []schemas.MangoEdge) *Maze {
	t.Helper()
	in := filepath.Join(t.TempDir(), id)
	if err := os.MkdirAll(in, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(in, id+maze.EdgesFile), maze.AppendEdges(nil, edges), 0o644); err != nil {
		t.Fatal(err)
	}
	return importAll(t, in)[0]
}

// importAll makes the mazes of a folder and opens them for the judge.
func importAll(t testing.TB, dir string) []*Maze {
	t.Helper()
	out := t.TempDir()
	games, err := mango.Import{Dir: dir, Out: out}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var mazes []*Maze
	for _, g := range games {
		m, err := Open(g.MazeID, func(suffix string) ([]byte, error) {
			return os.ReadFile(filepath.Join(out, g.MazeID, g.MazeID+suffix))
		})
		if err == nil {
			err = m.ReadAll()
		}
		if err != nil {
			t.Fatal(err)
		}
		mazes = append(mazes, m)
	}
	return mazes
}

// published imports the five published games of one format, or skips the test.
func published(t testing.TB, format string) []*Maze {
	t.Helper()
	root := os.Getenv("WIKINAV_SHARED")
	for dir := ".."; root == "" && len(dir) < 40; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "shared", "data")); err == nil {
			root = filepath.Join(dir, "shared")
		}
	}
	folder := filepath.Join(root, "data", "mango", format)
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("no published mazes (set WIKINAV_SHARED to the folder that holds data/mango): %v", err)
	}
	return importAll(t, folder)
}

// answerOf reads "before, action, after; ...".
func answerOf(text string) []answer.Step {
	var out []answer.Step
	for _, step := range strings.Split(text, ";") {
		p := strings.Split(step, ",")
		out = append(out, answer.Step{Before: strings.TrimSpace(p[0]), Action: strings.TrimSpace(p[1]), After: strings.TrimSpace(p[2])})
	}
	return out
}

// find gives the id of the question of a task from src to dst.
func (m *Maze) find(t testing.TB, task, src, dst string) string {
	t.Helper()
	for id, s := range m.skeletons {
		if s.Task == task && s.Src == src && s.Dst == dst {
			return id
		}
	}
	t.Fatalf("no %s question from %s to %s", task, src, dst)
	return ""
}
