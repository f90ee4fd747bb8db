package question

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Reply is what was answered to one question: a line of replies.jsonl.
type Reply struct {
	ID           string         `json:"id"`
	Reply        string         `json:"reply"`
	PromptSHA256 *string        `json:"prompt_sha256"` // of the messages in canonical JSON; nil where nobody said
	Usage        *schemas.Usage `json:"usage"`

	// What only a play says, and leaves out where it says nothing.
	Reasoning *string         `json:"reasoning,omitempty"`
	Served    *schemas.Served `json:"served,omitempty"`
	Cost      *string         `json:"cost,omitempty"`
	Retries   int             `json:"retries,omitempty"`
	Flag      string          `json:"flag,omitempty"`
	Retried   bool            `json:"retried,omitempty"`
	Infra     *string         `json:"infra,omitempty"` // why the player could not be asked: Reply is no reply

	line int // of its file, 0 for a reply of no file
}

// Layout is the files of a run of replies; task returns the id of the task that a reply's id is of.
func Layout(task func(id string) string) trace.Layout {
	return trace.Layout{
		Unit: "replies", Main: trace.RepliesFile, Once: true,
		Item: func(task string, _ int) string { return task },
		Key: func(line []byte) (string, error) {
			id, err := trace.KeyField("id")(line)
			return task(id), err
		},
		Entry: func(line []byte) (trace.Entry, error) {
			r, err := decode(line)
			return trace.Entry{Instance: r.ID, Attempt: 1, Infra: r.Infra, Turns: 1, Usage: r.Usage}, err
		},
		Check: func(dir string) error {
			_, err := readFile(filepath.Join(dir, trace.RepliesFile), false)
			return err
		},
	}
}

func decode(line []byte) (Reply, error) {
	var r Reply
	if err := canon.Decode(line, canon.MaxLine, &r); err != nil {
		return r, err
	}
	if r.ID == "" {
		return r, errors.New("no id is named")
	}
	return r, trace.CheckUsage(r.Usage)
}

// Read reads a log's replies by id; a line without question or of one again is fault.Malformed.
func Read(log *trace.Log) (map[string]Reply, error) { return collect(log.Main) }

func readFile(path string, whole bool) (map[string]Reply, error) {
	return collect(func(visit func(int, []byte) error) error {
		_, err := trace.ScanLines(path, whole, visit)
		return err
	})
}

func collect(scan func(visit func(n int, line []byte) error) error) (map[string]Reply, error) {
	replies, lines := map[string]Reply{}, map[string]int{}
	err := scan(func(n int, line []byte) error {
		r, err := decode(line)
		if err != nil {
			return err
		}
		if first, twice := lines[r.ID]; twice {
			return fmt.Errorf("the reply to %s stands on line %d already", fault.Quote(r.ID), first)
		}
		r.line = n
		replies[r.ID], lines[r.ID] = r, n
		return nil
	})
	return replies, err
}
