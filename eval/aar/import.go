package aar

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wikinav/wikinav/artifacts/aar"
	"github.com/wikinav/wikinav/artifacts/digest"
	"github.com/wikinav/wikinav/eval/family"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
)

var _ family.Importer = Family{}

// Imports lists the files of the reference harness and of Harbor's tool server. What they say of
// outputs cannot be compared with the release, so their runs are unchecked.
func (Family) Imports() []family.Import {
	type importer = func(family.Set, string, family.ImportRequest) (*family.Imported, error)
	read := func(format string, read func(path string) ([]foreign, error)) importer {
		return func(set family.Set, path string, req family.ImportRequest) (*family.Imported, error) {
			list, err := read(path)
			if err == nil {
				err = set.(*Set).readAll()
			}
			if err != nil {
				return nil, err
			}
			return set.(*Set).imported(format, path, list, req)
		}
	}
	const results, harbor = "reference-results", "harbor-tool-log"
	return []family.Import{
		{
			Format: results, Read: read(results, readResults),
			Says: `a file {"summary":...,"results":[...]} of the reference harness: each ` +
				`result names its leg by trail_id or task_id, and has an answer and tool_calls`,
		},
		{
			Format: harbor, Read: read(harbor, readHarbor),
			Says: `tool_log.jsonl of a Harbor task, or a folder with many: a folder above each ` +
				`has the name of its task, VARIANT-LEVEL-NNN, and answer.txt in it or below`,
		},
	}
}

// foreign is a run that another harness tells of.
type foreign struct {
	names  []string // of the leg; the first that the release has counts
	model  string
	answer *string
	steps  int // 0 where the file does not tell
	limit  bool
	failed bool // the harness says that it failed
	calls  []schemas.AARLogged
}

// Reasons for which a run is left out.
const (
	rejectInstance = "unknown_instance"
	rejectModel    = "other_model"
)

func (s *Set) imported(format, path string, list []foreign,
	req family.ImportRequest,
) (*family.Imported, error) {
	sum, err := sumOf(path)
	if err != nil {
		return nil, err
	}
	model, err := modelOf(list, req.Model)
	if err != nil {
		return nil, err
	}
	out := &family.Imported{Run: req.Run, Import: schemas.Import{
		Schema: schemas.ImportSchema, Source: "import:" +
			format, FileSHA256: sum, Steps: true, Unchecked: true, Rows: len(list),
		Rejected: map[string]int{}, Invalid: map[string]int{}, Types: map[string]int{},
	}}
	attempts, splits := map[string]int{}, map[string]bool{}
	trails, err := s.trails()
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		id := s.named(f.names, trails)
		switch {
		case id == "":
			out.Import.Rejected[rejectInstance]++
			continue
		case f.model != "" && f.model != model:
			out.Import.Rejected[rejectModel]++
			continue
		case f.failed && f.answer == nil && len(f.calls) == 0:
			out.Import.Rejected[family.RejectInfra]++
			continue
		}
		attempts[id]++
		splits[s.legs[id].split] = true
		out.Records = append(out.Records, family.Record{Main: f.episode(id, attempts[id])})
		out.Run.Attempts = max(out.Run.Attempts, attempts[id])
	}
	out.Import.Games = len(out.Records)
	run := &out.Run
	run.Schema, run.Family, run.Splits = schemas.RunSchema, Family{}.Name(), []string{}
	run.Attempts = max(1, run.Attempts)
	for _, p := range s.splits {
		if splits[p.Name] {
			run.Splits = append(run.Splits, p.Name)
		}
	}
	run.Model = schemas.Player{Name: model, Kind: schemas.KindForeign}
	run.Rules = schemas.Rules{Options: req.Options.JSON, Interface: schemas.InterfaceForeign}
	run.RulesSHA256, run.Run = family.RulesSHA256(run.Rules), model+"-"+sum[:12]
	return out, nil
}

// modelOf returns whose runs are imported: the model that is asked for, or the only one.
func modelOf(list []foreign, asked string) (string, error) {
	var names []string
	for _, f := range list {
		if f.model != "" && !slices.Contains(names, f.model) {
			names = append(names, f.model)
		}
	}
	switch {
	case asked != "":
		return asked, nil
	case len(names) == 1:
		return names[0], nil
	case len(names) == 0:
		return "", fault.New(fault.Usage, "the file names no model").Hint("give --model")
	}
	return "", fault.New(fault.Usage, "the file has runs of %d models", len(names)).
		Hint("choose one with --model: %s", strings.Join(names, ", "))
}

// trails returns the instance of every trail id that is only one leg's.
func (s *Set) trails() (map[string]string, error) {
	out := map[string]string{}
	for _, p := range s.splits {
		for _, t := range p.tasks {
			l, err := s.leg(t.Instance)
			if err != nil {
				return nil, err
			}
			if _, twin := out[l.TrailID]; twin {
				out[l.TrailID] = ""
				continue
			}
			out[l.TrailID] = t.Instance
		}
	}
	return out, nil
}

// taskForm finds the name of a task in an id, a path or the name of a trial.
var taskForm = regexp.MustCompile(`\b(?:aar-)?(linear|dag)[-/](easy|medium|hard|extreme)[-/]` +
	`(?:sample_)?([0-9]{3,})(?:\b|_)`)

// named returns the instance that names stand for, "" for none of the release.
func (s *Set) named(names []string, trails map[string]string) string {
	for _, name := range names {
		id := cmp.Or(trails[name], name)
		if m := taskForm.FindStringSubmatch(name); m != nil {
			id = instanceID(m[1], m[2], m[3])
		}
		if s.legs[id] != nil {
			return id
		}
	}
	return ""
}

// episode is the run as a record. Where nobody tells which calls share a step, they are spread
// evenly over the steps, or make a step each.
func (f foreign) episode(instance string, attempt int) schemas.AAREpisode {
	e := schemas.AAREpisode{
		Schema: schemas.AAREpisodeSchema, Instance: instance, Attempt: attempt,
		Outcome: schemas.OutcomeGaveUp, Answer: f.answer, Turns: []schemas.AARTurn{},
	}
	switch {
	case f.answer != nil:
		e.Outcome = schemas.OutcomeAnswered
	case f.limit:
		e.Outcome = schemas.OutcomeStepLimit
	}
	n, steps := len(f.calls), f.steps
	if steps <= 0 {
		steps = n
	}
	for i := range steps {
		calls := append([]schemas.AARLogged{}, f.calls[i*n/steps:(i+1)*n/steps]...)
		e.Turns = append(e.Turns, schemas.AARTurn{Turn: i + 1, Calls: calls})
	}
	return e
}

// Names under which files of the reference harness have what a run needs.
var (
	keysLeg    = []string{"instance", "instance_id", "task_id", "id", "file", "path", "trail_id"}
	keysAnswer = []string{
		"answer", "final_answer", "predicted_answer", "predicted_passcode",
		"predicted", "prediction", "agent_answer",
	}
	keysSteps = []string{"steps", "num_steps", "total_steps", "turns"}
	keysLimit = []string{"step_limit_hit", "hit_step_limit", "max_steps_reached"}
	keysModel = []string{"model", "model_name"}
)

const (
	maxForeignFile  = 1 << 30
	maxForeignSteps = 10_000
)

// readResults reads a file of the reference harness.
func readResults(path string) ([]foreign, error) {
	data, err := readWhole(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Summary fields   `json:"summary"`
		Results []fields `json:"results"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	if file.Results == nil {
		return nil, fault.New(fault.Malformed, "there are no results").At(path, "results").
			Hint(`the file of the reference harness is {"summary":...,"results":[...]}`)
	}
	list := make([]foreign, len(file.Results))
	for i, r := range file.Results {
		if list[i], err = r.run(); err != nil {
			return nil, fault.New(fault.Malformed, "%w", err).At(path, fmt.Sprintf("results[%d]", i))
		}
		list[i].model = cmp.Or(list[i].model, file.Summary.text(keysModel))
	}
	return list, nil
}

// fields is an object of somebody else's.
type fields map[string]json.RawMessage

// text returns the first of the fields that is a text or a number, "" for none.
func (f fields) text(keys []string) string {
	for _, key := range keys {
		var s string
		if json.Unmarshal(f[key], &s) == nil && s != "" {
			return s
		}
		var n json.Number
		if json.Unmarshal(f[key], &n) == nil && n != "" {
			return n.String()
		}
	}
	return ""
}

func (f fields) run() (out foreign, err error) {
	for _, key := range keysLeg {
		if name := f.text([]string{key}); name != "" {
			out.names = append(out.names, name)
		}
	}
	level := cmp.Or(f.text([]string{"level"}), f.text([]string{"difficulty"}))
	out.names = append(out.names, strings.Join([]string{
		f.text([]string{"variant"}), level,
		f.text([]string{"sample_id"}),
	}, "-"))
	if answer := f.text(keysAnswer); answer != "" {
		out.answer = &answer
	}
	out.model, out.failed = f.text(keysModel), f.text([]string{"error"}) != ""
	out.steps, _ = strconv.Atoi(f.text(keysSteps)) // a list of steps is no number of them
	for _, key := range keysLimit {
		out.limit = out.limit || string(f[key]) == "true"
	}
	if out.steps > maxForeignSteps {
		return out, fmt.Errorf("%d steps, at most %d are read", out.steps, maxForeignSteps)
	}
	var calls []struct {
		ToolName      *string         `json:"tool_name"`
		Arguments     json.RawMessage `json:"arguments"`
		ResultPreview json.RawMessage `json:"result_preview"`
	}
	if list := f["tool_calls"]; list != nil {
		err = json.Unmarshal(list, &calls)
	}
	for i, c := range calls {
		if c.ToolName == nil {
			return out, fmt.Errorf("tool_calls[%d] has no tool_name", i)
		}
		out.calls = append(out.calls, foreignCall(len(out.calls), *c.ToolName, c.Arguments,
			c.ResultPreview))
	}
	return out, err
}

// foreignCall is a call as a record has it; nothing is known of its whole output.
func foreignCall(n int, tool string, args, preview json.RawMessage) schemas.AARLogged {
	return schemas.AARLogged{
		ID: fmt.Sprintf("call_%d", n+1), Tool: tool, Args: textIn(args), Source: aar.SourceLive,
		Preview: textIn(preview),
	}
}

// textIn returns the text that a value is, and any other value as it is written.
func textIn(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// Files of a Harbor task.
const (
	harborLog    = "tool_log.jsonl"
	harborAnswer = "answer.txt"
)

// readHarbor reads a log of Harbor's tool server, or all below a folder.
func readHarbor(path string) (list []foreign, err error) {
	var logs []string
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (d.Name() == harborLog || p == path) {
			logs = append(logs, p)
		}
		return err
	})
	switch {
	case err != nil:
		return nil, fault.New(fault.NotFound, "%w", err).At(path, "")
	case logs == nil:
		return nil, fault.New(fault.NotFound, "there is no %s", harborLog).At(path, "")
	}
	for _, p := range logs {
		f, err := readHarborTask(p)
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

func readHarborTask(path string) (out foreign, err error) {
	_, err = trace.ScanLines(path, true, func(_ int, line []byte) error {
		var c struct {
			Tool          *string         `json:"tool"`
			Args          json.RawMessage `json:"args"`
			ResultPreview json.RawMessage `json:"result_preview"`
			ResultLen     int             `json:"result_len"`
		}
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		if c.Tool == nil {
			return errors.New("a call without tool")
		}
		l := foreignCall(len(out.calls), *c.Tool, c.Args, c.ResultPreview)
		l.Chars = c.ResultLen
		out.calls = append(out.calls, l)
		return nil
	})
	if err != nil {
		return out, err
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return out, err
	}
	task := filepath.Dir(full)
	for !taskForm.MatchString(filepath.Base(task)) && filepath.Dir(task) != task {
		task = filepath.Dir(task)
	}
	if !taskForm.MatchString(filepath.Base(task)) {
		task = filepath.Dir(full)
	}
	out.names = []string{filepath.Base(task)}
	out.answer, err = harborAnswerIn(task)
	return out, err
}

// harborAnswerIn returns what answer.txt of a task says, the first in the order of paths; nil for
// none.
func harborAnswerIn(task string) (answer *string, err error) {
	err = filepath.WalkDir(task, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != harborAnswer {
			return err
		}
		data, err := readWhole(p)
		text := string(bytes.ToValidUTF8(data, []byte("�")))
		if answer = &text; err == nil {
			err = fs.SkipAll
		}
		return err
	})
	return answer, err
}

func readWhole(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fault.New(fault.NotFound, "%w", err).At(path, "")
	case info.Size() > maxForeignFile:
		return nil, fault.New(fault.Malformed, "%d bytes, at most %d are read", info.Size(),
			maxForeignFile).At(path, "")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err).At(path, "")
	}
	return data, nil
}

// sumOf returns the digest of a file, or of the listing of all files that a folder's runs are read
// from.
func sumOf(path string) (string, error) {
	var listing strings.Builder
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || p != path && d.Name() != harborLog && d.Name() != harborAnswer {
			return err
		}
		data, err := readWhole(p)
		name, _ := filepath.Rel(path, p) // of a path below it
		fmt.Fprintf(&listing, "%s  %s\n", digest.SHA256(data), filepath.ToSlash(name))
		return err
	})
	if err != nil {
		return "", fault.New(fault.NotFound, "%w", err).At(path, "")
	}
	text := listing.String()
	if sum, single := strings.CutSuffix(text, "  .\n"); single {
		return sum, nil
	}
	return digest.SHA256([]byte(text)), nil
}
