package trace

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

// Reply is what was answered to one question of a companion set.
type Reply struct {
	ID           string         `json:"id"`
	Reply        string         `json:"reply"`
	PromptSHA256 *string        `json:"prompt_sha256"` // of the messages in canonical JSON; nil where the player did not say
	Usage        *schemas.Usage `json:"usage"`

	// What only a play says, and leaves out where it says nothing. Of a question with Infra the endpoint failed: its reply is no reply.
	Reasoning *string `json:"reasoning,omitempty"`
	Cost      *string `json:"cost,omitempty"`
	Retries   int     `json:"retries,omitempty"`
	Flag      string  `json:"flag,omitempty"`
	Retried   bool    `json:"retried,omitempty"`
	Infra     *string `json:"infra,omitempty"` // the reason
}

// OpenReplies reads a JSON-lines file with a reply a line, or that of a run directory, where a torn last line is no reply. A line that names no question, or one that stands already, is fault.Malformed.
func OpenReplies(path string) (map[string]Reply, error) {
	whole := !isDir(path)
	if !whole {
		path = filepath.Join(path, RepliesFile)
	}
	replies, lines := map[string]Reply{}, map[string]int{}
	_, err := ScanLines(path, whole, func(n int, line []byte) error {
		var r Reply
		if err := canon.Decode(line, canon.MaxLine, &r); err != nil {
			return err
		}
		if r.ID == "" {
			return errors.New("no id is named")
		}
		if first, twice := lines[r.ID]; twice {
			return fmt.Errorf("the reply to %s stands on line %d already", fault.Quote(r.ID), first)
		}
		replies[r.ID], lines[r.ID] = r, n
		return CheckUsage(r.Usage)
	})
	return replies, err
}

// Lines decodes the JSON lines of a release's file, each into a T of its own. file is the name for messages.
func Lines[T any](data []byte, file string) ([]T, error) {
	var list []T
	for n := 1; len(data) > 0; n++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		var v T
		if err := canon.Decode(line, canon.MaxLine, &v); err != nil {
			return nil, LineFault(file, n, err)
		}
		list, data = append(list, v), rest
	}
	return list, nil
}
