package mango

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/mango/answer"
	"github.com/wikinav/wikinav/eval/question"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

func unread(_ question.Question, _ family.Manner, text string) string {
	if _, ok := answer.Text(text); !ok {
		return outcomeIllFormed
	}
	return ""
}

// record is an answer as files of others have it: a line, or a file of MANGO's own layout.
type record struct {
	Place      string // in messages
	Unreadable string // what is wrong with the record; "" for one that can be read
	Model      string
	MazeID     string
	QuestionID string
	Task       string
	PrefixStep int
	Response   json.RawMessage // a text or a list
}

func (r record) id() string { return idOf(r.MazeID, r.QuestionID, r.PrefixStep) }

// text returns the response as a reply. A list that is no answer as a whole is not searched for one.
func (r record) text() string {
	var text string
	if json.Unmarshal(r.Response, &text) == nil {
		return text
	}
	if steps, ok := answer.Parse(r.Response); ok {
		return answer.Print(steps)
	}
	return ""
}

// readRecords reads JSON lines. A line that cannot be read is an answer, too: it is counted.
func readRecords(path string) ([]record, error) {
	var out []record
	_, err := trace.ScanLines(path, true, func(n int, line []byte) error {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r := readRecord(bytes.Clone(line))
			r.Place = fmt.Sprintf("line %d", n)
			out = append(out, r)
		}
		return nil
	})
	return out, err
}

func readRecord(line []byte) (r record) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil || fields == nil {
		r.Unreadable = "no JSON object"
		return r
	}
	r.take(fields, "model", &r.Model, false)
	r.take(fields, "task", &r.Task, true)
	r.take(fields, "question_id", &r.QuestionID, true)
	r.take(fields, "maze_id", &r.MazeID, true)
	r.take(fields, "prefix_step", &r.PrefixStep, true)
	r.takeResponse(fields["response"])
	if r.Unreadable == "" && r.Task != schemas.MangoDF && r.Task != schemas.MangoRF {
		r.Unreadable = "task is neither df nor rf"
	}
	return r
}

// take reads one field and notes the first thing that is wrong with the record.
func (r *record) take(fields map[string]json.RawMessage, key string, to any, required bool) {
	raw, there := fields[key]
	switch {
	case r.Unreadable != "" || !there && !required:
	case !there || string(raw) == "null" && required:
		r.Unreadable = key + " is missing"
	case json.Unmarshal(raw, to) != nil:
		r.Unreadable = key + " has the wrong type"
	}
}

func (r *record) takeResponse(raw json.RawMessage) {
	switch {
	case r.Unreadable != "":
	case raw == nil || string(raw) == "null":
		r.Unreadable = "response is missing"
	case raw[0] != '"' && raw[0] != '[':
		r.Unreadable = "response is neither text nor a list"
	default:
		r.Response = raw
	}
}

// readSample reads a file of MANGO's own layout, an object per sample; not ok for a file that is
// none, to be skipped and not counted. Only df has a list of actions.
func readSample(data []byte, model string) (r record, ok bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &fields) != nil || fields["sample_id"] == nil || fields["game_name"] == nil {
		return r, false
	}
	r = record{Model: model, Task: schemas.MangoRF}
	if actions, there := fields["action_list"]; there && string(actions) != "null" {
		r.Task = schemas.MangoDF
	}
	r.take(fields, "sample_id", &r.QuestionID, true)
	r.take(fields, "game_name", &r.MazeID, true)
	r.take(fields, "model_cutoff_num", &r.PrefixStep, true)
	response := fields["response"]
	if response == nil {
		response = fields["answer"]
	}
	r.takeResponse(bytes.TrimSpace(response))
	return r, true
}

// readSamples reads a folder of samples, and lists the files that hold none.
func readSamples(dir, model string) (records []record, skipped []string, err error) {
	names, err := filesOf(dir)
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, nil, fault.New(fault.NotFound, "%w", err).At(dir, "")
		}
		if r, ok := readSample(data, model); ok {
			r.Place = name
			records = append(records, r)
		} else {
			skipped = append(skipped, name)
		}
	}
	return records, skipped, err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isReplies reports whether a file is one of replies: its first line has a reply.
func isReplies(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fault.Opening(path, err)
	}
	defer f.Close()
	var head struct{ Reply *string }
	return json.NewDecoder(f).Decode(&head) == nil && head.Reply != nil, nil
}

// Imports lists replies as every family of questions has them, and answers as those who evaluate mazes
// write them.
func (m mango) Imports() []family.Import {
	of := func(format, says string, records func(path, model string) ([]record, []string, error)) family.Import {
		read := func(s family.Set, path string, req family.ImportRequest) (*family.Imported, error) {
			list, skipped, err := records(path, req.Model)
			if err != nil {
				return nil, err
			}
			asked, err := s.(interface{ Answered() (*shelf, error) }).Answered()
			if err != nil {
				return nil, err
			}
			all, err := asked.whole()
			if err != nil {
				return nil, err
			}
			return importRecords(all, format, path, list, len(skipped), req)
		}
		return family.Import{Format: format, Says: says, Read: read}
	}
	lines := func(path, _ string) ([]record, []string, error) {
		list, err := readRecords(path)
		return list, nil, err
	}
	return append(m.Base.Imports(),
		of("answers-jsonl", "answers with question_id, maze_id, task, prefix_step and response, a line each", lines),
		of("mango-samples", "a folder in MANGO's own layout, a file for each sample", readSamples))
}

// Reasons for which answers are no replies of a run.
const (
	rejectUnreadable = "unreadable"
	rejectModel      = "other_model"
	rejectFile       = "no_sample"
)

func importRecords(
	s *set, format, path string, list []record, skipped int, req family.ImportRequest,
) (*family.Imported, error) {
	sum, err := sumOf(path)
	if err != nil {
		return nil, err
	}
	models := map[string]bool{}
	for _, r := range list {
		if r.Unreadable == "" {
			models[r.Model] = true
		}
	}
	if req.Model == "" && len(models) == 1 {
		for model := range models {
			req.Model = model
		}
	}
	if len(models) > 1 && !models[req.Model] {
		return nil, fault.New(fault.Usage, "the answers are of several models").At(path, "").
			Hint("name one with --model: %s", strings.Join(sorted(models), ", "))
	}
	rejected := map[string]int{}
	if skipped > 0 {
		rejected[rejectFile] = skipped
	}
	var replies []question.Reply
	for _, r := range list {
		switch {
		case r.Unreadable != "":
			rejected[rejectUnreadable]++
		case len(models) > 1 && r.Model != req.Model:
			rejected[rejectModel]++
		default:
			replies = append(replies, question.Reply{ID: s.known(r), Reply: r.text()})
		}
	}
	return question.NewImport(s.Set, format, sum, replies, rejected, req)
}

// known returns the id of the question that a record answers, "" if there is none of that task.
func (s *set) known(r record) string {
	m := s.base.mazes[r.MazeID]
	if m == nil || m.Skeleton(r.QuestionID) == nil || m.Skeleton(r.QuestionID).Task != r.Task {
		return ""
	}
	return r.id()
}
