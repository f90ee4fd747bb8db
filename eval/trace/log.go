package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"github.com/wikinav/wikinav/eval/wording"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Layout says which files the run directories of a family have. An item, which is one episode, is
// finished when Main has its line.
type Layout struct {
	Unit string // what items are called in messages: games, episodes, replies
	Main string // file with a line for each finished item
	Side string // file with any number of lines for each item, written before its line in Main; "" for none
	Once bool   // a task is played once: doors refuse more than one attempt

	// Item returns the name of an attempt at a task in its run.
	Item func(task string, attempt int) string
	// Key returns the item that a line of Main or Side belongs to.
	Key func(line []byte) (string, error)
	// Entry returns what runners need of a line of Main.
	Entry func(line []byte) (Entry, error)
	// Check reads the run directory strictly, and reports what no item can have been written as.
	Check func(dir string) error
}

type Entry struct {
	Instance string
	Attempt  int
	Infra    *string // why the player could not be asked; nil if the item was played
	Turns    int
	Usage    *schemas.Usage // nil where not told
}

// Log is the source of what was played: a run directory, or a single file.
type Log struct {
	Path   string       // as the user named it
	Dir    string       // the run directory, "" for a single file
	Run    *schemas.Run // nil for a single file
	Import *schemas.Import
	Prompt *wording.Template // the user's own words, nil where the run has none
	Layout Layout
	Torn   int // last lines without their end, of the files read so far

	served map[string]bool // models that the lines read so far say served them
}

// Open opens the run directory that path names, or is a file of, or the single file at path. The
// items are read by Main and Side. Errors: fault.NotFound, fault.Malformed with file and line.
func Open(path string, l Layout) (*Log, error) {
	dir, ok := l.runDir(path)
	if !ok {
		return &Log{Path: path, Layout: l}, nil
	}
	run, err := ReadRun(dir)
	if err != nil {
		return nil, err
	}
	log := &Log{Path: path, Dir: dir, Run: run, Layout: l}
	if log.Prompt, err = readPrompt(dir, run); err != nil {
		return nil, err
	}
	if exists(filepath.Join(dir, ImportFile)) { // of imported games alone
		log.Import, err = readRecord[schemas.Import](dir, ImportFile, schemas.ImportSchema)
	}
	return log, err
}

// readPrompt returns the user's own words, which a run keeps beside its record.
func readPrompt(dir string, run *schemas.Run) (*wording.Template, error) {
	want := run.Rules.Prompt
	if want == nil || want.Version != wording.Version {
		return nil, nil
	}
	path := filepath.Join(dir, PromptFile)
	t, err := wording.Open(path)
	switch {
	case errors.Is(err, fault.NotFound):
		return nil, fault.New(fault.NotFound,
			"the run was played with a prompt of its player's own, which is not there").
			At(path, "").Hint("put the file back that was given as --prompt; its SHA-256 is %s", want.SHA256)
	case err != nil:
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "")
	case *t.Versioned() != *want:
		return nil, fault.New(fault.Mismatch, "the prompt has SHA-256 %s, the run was played with %s",
			t.Versioned().SHA256, fault.Quote(want.SHA256)).At(path, "")
	}
	return t, nil
}

func (l Layout) runDir(path string) (string, bool) {
	if isDir(path) {
		return path, HasRun(path)
	}
	dir, name := filepath.Split(path)
	known := slices.Contains([]string{RunFile, l.Main, l.Side, SummaryFile, ImportFile, PromptFile}, name)
	return filepath.Clean(dir), known && HasRun(dir)
}

// Own reports whether a runner of ours wrote the log: nobody else knows that an endpoint failed.
func (l *Log) Own() bool { return l.Dir != "" && l.Import == nil }

// Name returns the name of the file that Main reads, or of the folder.
func (l *Log) Name() string {
	if l.Dir == "" {
		return filepath.Base(l.Path)
	}
	return l.Layout.Main
}

// Main calls visit with each line of the main file, or of the single file, and its number, from 1.
// The slice is valid during the call only.
func (l *Log) Main(visit func(n int, line []byte) error) error {
	if l.Dir == "" {
		_, err := ScanLines(l.Path, true, l.noting(visit))
		return err
	}
	return l.scan(l.Layout.Main, visit)
}

// Served lists the models that what was read so far says served the replies, in their order.
func (l *Log) Served() []string { return slices.Sorted(maps.Keys(l.served)) }

// servedMark can stand in no text: in JSON its quotes would be escaped.
var servedMark = []byte(`"served":{`)

// noting notes which models served a line, or the steps in it.
func (l *Log) noting(visit func(n int, line []byte) error) func(n int, line []byte) error {
	return func(n int, line []byte) error {
		if bytes.Contains(line, servedMark) {
			var told struct {
				turn
				Steps, Turns turns
			}
			if json.Unmarshal(line, &told) == nil {
				for _, t := range append(append(told.Steps, told.Turns...), told.turn) {
					l.note(t.Served.Model)
				}
			}
		}
		return visit(n, line)
	}
}

type turn struct{ Served schemas.Served }

// turns is a list of turns; where a record has their number alone, there are none.
type turns []turn

func (t *turns) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		return nil
	}
	return json.Unmarshal(data, (*[]turn)(t))
}

func (l *Log) note(model string) {
	if model == "" || len(l.served) == maxServed {
		return
	}
	if l.served == nil {
		l.served = map[string]bool{}
	}
	l.served[model] = true
}

// maxServed bounds the names that are kept of one log.
const maxServed = 100

// Side is Main for the side file; a single file has none.
func (l *Log) Side(visit func(n int, line []byte) error) error {
	if l.Dir == "" || l.Layout.Side == "" {
		return nil
	}
	return l.scan(l.Layout.Side, visit)
}

func (l *Log) scan(name string, visit func(n int, line []byte) error) error {
	torn, err := ScanLines(filepath.Join(l.Dir, name), false, l.noting(visit))
	if torn {
		l.Torn++
	}
	return err
}

func ReadRun(dir string) (*schemas.Run, error) {
	run, err := readRecord[schemas.Run](dir, RunFile, schemas.RunSchema)
	if err == nil && (run.Attempts < 1 || run.Attempts > MaxAttempts) {
		return nil, fault.New(fault.Malformed, "%d attempts, from 1 to %d are possible", run.Attempts, MaxAttempts).
			At(filepath.Join(dir, RunFile), "attempts")
	}
	return run, err
}

// readRecord reads a document of a run directory whose version is schema.
func readRecord[T any](dir, name, schema string) (*T, error) {
	path := filepath.Join(dir, name)
	data, err := ReadDocument(path)
	if err != nil {
		return nil, err
	}
	var head struct{ Schema string }
	if json.Unmarshal(data, &head) == nil && head.Schema != schema {
		return nil, fault.New(fault.Malformed, "%w", CheckSchema(head.Schema, schema)).At(path, "schema").
			Hint("a run of an older version is scored by that version, or played again")
	}
	v := new(T)
	if err := canon.Decode(data, canon.MaxManifest, v); err != nil {
		return nil, fault.New(fault.Malformed, "%w", err).At(path, "")
	}
	return v, nil
}

// KeyField returns a Layout.Key that reads the named field of a line.
func KeyField(name string) func(line []byte) (string, error) {
	return func(line []byte) (string, error) {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(line, &fields); err != nil {
			return "", err
		}
		var key string
		err := json.Unmarshal(fields[name], &key)
		return key, err
	}
}
