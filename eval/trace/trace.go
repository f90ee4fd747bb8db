// Package trace reads and writes the records of what was played: run directories, and single files.
//
// It owns the layout of a run directory and the strict reading of its lines. It promises that what
// it returns is what stands in the file: a field too many, a key that stands twice or a number that
// JSON cannot keep is refused with file and line. It never repairs, and never judges whether an
// item was possible: that is the work of the family.
//
// A run directory holds run.json (schemas.Run), the files of its family's Layout and, once it is
// scored, summary.json. The logs only grow, one item at a time, in the order in which items were
// finished, by however many processes; a run that has come to its end is in the order of play, and
// no reader depends on either. An item is complete if it has a line in the main file. A last line
// without its line end was torn by a crash and does not count; nor do lines of the side file that
// belong to no item.
package trace

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
)

const (
	RunFile     = "run.json"
	StepsFile   = "steps.jsonl"
	GamesFile   = "games.jsonl"
	SummaryFile = "summary.json"
	ImportFile  = "import.json"   // beside the games of an import
	RepliesFile = "replies.jsonl" // of families of single questions, in place of steps and games
	PromptFile  = "prompt.txt"    // the user's own words, where the rules name them
	InfraFile   = "infra.jsonl"   // what failed for no fault of the player and was played once more
)

const MaxAttempts = 1_000_000

// HasRun reports whether dir holds a run, finished or not.
func HasRun(dir string) bool { return exists(filepath.Join(dir, RunFile)) }

// ReadDocument reads a whole file, and no more of it than a document may have.
func ReadDocument(path string) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, canon.MaxManifest+1))
}

// MaxCount bounds the counts of one record, so that sums over records stay integers that JSON
// keeps.
const MaxCount = 1_000_000_000

// Countable reports whether no count is negative or beyond MaxCount.
func Countable(counts ...int64) bool {
	return !slices.ContainsFunc(counts, func(n int64) bool { return n < 0 || n > MaxCount })
}

func CheckUsage(u *schemas.Usage) error {
	switch {
	case u == nil:
	case !Countable(u.Prompt, u.Cached, u.Output, u.Reasoning):
		return fmt.Errorf("usage counts tokens from 0 to %d", MaxCount)
	case u.Cached > u.Prompt:
		return fmt.Errorf("usage has %d cached tokens of a prompt of %d", u.Cached, u.Prompt)
	}
	return nil
}

func CheckSchema(got, want string) error {
	if got != want {
		return fmt.Errorf("schema is %s, this version reads %s", fault.Quote(got), want)
	}
	return nil
}

// Lines decodes the JSON lines of a release's file, each into a T of its own. file is the name for
// messages.
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
