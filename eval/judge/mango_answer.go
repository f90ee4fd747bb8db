package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/schemas"
)

// MangoAnswer is a record of an answer file. Place says where it stands, for messages.
type MangoAnswer struct {
	Place      string
	Unreadable string // what is wrong with the record; "" for one that can be read
	Model      string
	MazeID     string
	QuestionID string
	Task       string
	PrefixStep int
	Response   json.RawMessage // a string or an array
}

// ReadMangoAnswers reads JSON lines. A line that cannot be read is an answer, too: it is counted.
func ReadMangoAnswers(data []byte) []MangoAnswer {
	var out []MangoAnswer
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			a := readMangoAnswer(line)
			a.Place = fmt.Sprintf("line %d", n)
			out = append(out, a)
		}
	}
	return out
}

func readMangoAnswer(line []byte) (a MangoAnswer) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil || fields == nil {
		a.Unreadable = "no JSON object"
		return a
	}
	for _, f := range []struct {
		key      string
		to       any
		required bool
	}{
		{"model", &a.Model, false},
		{"task", &a.Task, true},
		{"question_id", &a.QuestionID, true},
		{"maze_id", &a.MazeID, true},
		{"prefix_step", &a.PrefixStep, true},
	} {
		a.take(fields, f.key, f.to, f.required)
	}
	a.takeResponse(fields["response"])
	if a.Unreadable == "" && a.Task != schemas.MangoDF && a.Task != schemas.MangoRF {
		a.Unreadable = "task is neither df nor rf"
	}
	return a
}

// take reads one field and notes the first thing that is wrong with the record.
func (a *MangoAnswer) take(fields map[string]json.RawMessage, key string, to any, required bool) {
	raw, there := fields[key]
	switch {
	case a.Unreadable != "" || !there && !required:
	case !there || string(raw) == "null" && required:
		a.Unreadable = key + " is missing"
	case json.Unmarshal(raw, to) != nil:
		a.Unreadable = key + " has the wrong type"
	}
}

func (a *MangoAnswer) takeResponse(raw json.RawMessage) {
	switch {
	case a.Unreadable != "":
	case raw == nil || string(raw) == "null":
		a.Unreadable = "response is missing"
	case raw[0] != '"' && raw[0] != '[':
		a.Unreadable = "response is neither text nor a list"
	default:
		a.Response = raw
	}
}

// ReadMangoSample reads a file of MANGO's own layout, one JSON object per sample. ok is false for a file that is no sample, which
// is to be skipped and not counted. The task follows from the list of actions, which only destination finding has.
func ReadMangoSample(data []byte, model string) (a MangoAnswer, ok bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &fields) != nil || fields["sample_id"] == nil || fields["game_name"] == nil {
		return a, false
	}
	a = MangoAnswer{Model: model, Task: schemas.MangoRF}
	if actions, there := fields["action_list"]; there && string(actions) != "null" {
		a.Task = schemas.MangoDF
	}
	a.take(fields, "sample_id", &a.QuestionID, true)
	a.take(fields, "game_name", &a.MazeID, true)
	a.take(fields, "model_cutoff_num", &a.PrefixStep, true)
	response := fields["response"]
	if response == nil {
		response = fields["answer"]
	}
	a.takeResponse(bytes.TrimSpace(response))
	return a, true
}

// MangoQuestionKey is what a question file says that the judge needs.
type MangoQuestionKey struct {
	MazeID     string
	QuestionID string
	PrefixStep int
}

// ReadMangoQuestions reads the keys of a question file: whatever else stands in a line is for the reader of the prompt.
func ReadMangoQuestions(data []byte) ([]MangoQuestionKey, error) {
	var out []MangoQuestionKey
	err := eachLine(data, func(line []byte) error {
		var q schemas.MangoQuestion
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if q.MazeID == "" || q.QuestionID == "" {
			return fmt.Errorf("no maze_id or question_id")
		}
		out = append(out, MangoQuestionKey{q.MazeID, q.QuestionID, q.PrefixStep})
		return nil
	})
	slices.SortFunc(out, compareKeys)
	return slices.Compact(out), err
}

func compareKeys(a, b MangoQuestionKey) int {
	if c := strings.Compare(a.MazeID, b.MazeID); c != 0 {
		return c
	}
	if c := strings.Compare(a.QuestionID, b.QuestionID); c != 0 {
		return c
	}
	return a.PrefixStep - b.PrefixStep
}
