package mango

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/family/familytest"
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	stage "github.com/wikinav/wikinav/stages/mango"
)

// worked is the worked example of the released mazes: game 905.
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

// folder holds imported mazes.
type folder struct {
	dir   string
	games []string
}

// walkTo is the last step of the walks of the tests.
const walkTo = 20

// importOf imports mazes, with a walk each.
func importOf(t testing.TB, edges map[string][]schemas.MangoEdge) folder {
	t.Helper()
	in, m := t.TempDir(), folder{dir: t.TempDir()}
	for game, list := range edges {
		put(t, filepath.Join(in, game+maze.EdgesFile), maze.AppendEdges(nil, list))
		var walk []maze.WalkStep
		var steps []any
		for i := range walkTo + 1 {
			s := maze.WalkStep{Act: []string{"south", "north"}[i%2], Observation: fmt.Sprintf("place %d\nSTEP NUM: %d", i, i+1)}
			walk = append(walk, s)
			steps = append(steps, schemas.MangoStep{Step: i, Act: s.Act, Exits: []string{}, Observation: s.Observation})
		}
		put(t, filepath.Join(in, game+maze.WalkthroughFile), maze.NewWalkthrough(walk).Text)
		put(t, filepath.Join(m.dir, game, game+maze.StepsFile), lines(steps...))
		m.games = append(m.games, game)
	}
	if _, err := (stage.Import{Dir: in, Out: m.dir}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return m
}

func put(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func lines(records ...any) []byte {
	var out []byte
	for _, r := range records {
		out = append(append(out, canon.MustMarshal(r)...), '\n')
	}
	return out
}

// questions renders the questions on the mazes as wikinav mango questions does.
func (m folder) questions(t testing.TB, steps int) []schemas.MangoQuestion {
	t.Helper()
	var out []schemas.MangoQuestion
	err := stage.OpenAll(m.dir, 0, func(o *stage.Opened) error {
		list, err := o.Questions(stage.Ask{Steps: steps, Rule: schemas.MangoRulePaper})
		out = append(out, list...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// publish writes the questions beside the mazes, as a build does.
func (m folder) publish(t testing.TB) folder {
	t.Helper()
	of := map[string][]any{}
	for _, q := range m.questions(t, walkTo) {
		of[q.MazeID] = append(of[q.MazeID], q)
	}
	for game, list := range of {
		put(t, filepath.Join(m.dir, game, game+questionsFile), lines(list...))
	}
	return m
}

// find returns the id of the question of a task from src to dst.
func (m folder) find(t testing.TB, game, task, src, dst string) string {
	t.Helper()
	file := map[string]string{schemas.MangoDF: maze.DFFile, schemas.MangoRF: maze.RFFile}[task]
	data, err := os.ReadFile(filepath.Join(m.dir, game, game+file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var row struct {
			ID  string `json:"id"`
			Src string `json:"src_node"`
			Dst string `json:"dst_node"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		if row.Src == src && row.Dst == dst {
			return row.ID
		}
	}
	t.Fatalf("no %s question from %s to %s", task, src, dst)
	return ""
}

// subject opens the mazes under options.
func (m folder) subject(t testing.TB, options ...string) familytest.Subject {
	t.Helper()
	o, err := Family.Options(options)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Family.(family.Bare).OpenFolder(m.dir, o)
	if err != nil {
		t.Fatal(err)
	}
	wrong := answer.Print([]answer.Step{{Before: "☃", Action: "☃", After: "☃☃"}, {Before: "☃☃", Action: "☃", After: "☃☃☃"}})
	return familytest.Subject{Family: Family, Options: o, Set: s, Wrong: family.Reply{Text: &wrong}}
}

// answerLine is a line of an answer file; a text for the response is taken as it is.
func answerLine(model, game, id, task string, prefix int, response any) string {
	if steps, ok := response.([]answer.Step); ok {
		response = json.RawMessage(answer.Print(steps))
	}
	return string(lines(map[string]any{
		"model": model, "maze_id": game, "question_id": id, "task": task, "prefix_step": prefix, "response": response,
	}))
}

// score scores a file of answers.
func (m folder) score(t testing.TB, text string, options ...string) (*family.Scores, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	put(t, path, []byte(text))
	log, err := trace.Open(path, Family.Layout())
	if err != nil {
		t.Fatal(err)
	}
	return m.subject(t).Set.Score(log, family.Request{Options: options})
}

// keys writes a file of questions that were asked, and returns the option that names it.
func (m folder) keys(t testing.TB, keys ...any) string {
	t.Helper()
	var list []any
	for i := 0; i < len(keys); i += 3 {
		list = append(list, map[string]any{"maze_id": keys[i], "question_id": keys[i+1], "prefix_step": keys[i+2]})
	}
	path := filepath.Join(t.TempDir(), "questions.jsonl")
	put(t, path, lines(list...))
	return optionQuestions + "=" + path
}

// row returns the row of a split under groups "name=value".
func row(t testing.TB, s *family.Scores, split string, groups ...string) family.Row {
	t.Helper()
	for _, r := range s.Rows {
		var by []string
		for _, g := range r.By {
			by = append(by, g.Name+"="+g.Value)
		}
		if r.Split == split && strings.Join(by, " ") == strings.Join(groups, " ") {
			return r
		}
	}
	t.Fatalf("no row for %s, %v", split, groups)
	return family.Row{}
}

// text writes a score as micro/macro over parsed, then over all.
func text(r family.Row, score string) string {
	show := func(of, average string) string {
		v := r.Metrics[metric(score, of, average)].Value
		if v == nil {
			return "-"
		}
		var x float64
		if _, err := fmt.Sscan(*v, &x); err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%.4f", x)
	}
	return fmt.Sprintf("%s/%s %s/%s", show(ofParsed, micro), show(ofParsed, macro), show(ofAll, micro), show(ofAll, macro))
}
