package mango

import (
	"io"
	"maps"
	"slices"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// books keeps what became of every maze.
type books struct {
	schemas.MangoShortage
	mazes []schemas.MangoMaze
}

func newBooks(requested int) *books {
	return &books{MangoShortage: schemas.MangoShortage{
		Requested: requested, Failures: map[string]int{}, Missing: []schemas.MangoMissing{}, Status: schemas.StatusOK,
	}}
}

func (b *books) add(name string, failures map[string]int, got bool) {
	attempts := 0
	for reason, n := range failures { // sums
		b.Failures[reason] += n
		attempts += n
	}
	if got {
		b.Got++
		b.Attempts += attempts + 1
		return
	}
	b.Attempts += attempts
	b.Status = schemas.StatusShort
	b.Missing = append(b.Missing, schemas.MangoMissing{MazeID: name, Attempts: attempts, Failures: failures})
}

// err names the first maze that is missing, and why its walks failed.
func (b *books) err() error {
	m := b.Missing[0]
	return fault.New(fault.Shortage, "mango: got %d of %d mazes; %s after %d attempts: %s",
		b.Got, b.Requested, m.MazeID, m.Attempts, canon.MustMarshal(m.Failures)).
		Hint("allow more with a smaller n, more max_steps or max_attempts; or keep what there is with on_shortage=short")
}

// write writes the files on all mazes.
func (b *books) write(env stages.Env) error {
	env.Count("mazes", int64(b.Got))
	env.Count("attempts", int64(b.Attempts))
	for _, reason := range slices.Sorted(maps.Keys(b.Failures)) {
		env.Count("failed_"+reason, int64(b.Failures[reason]))
	}
	whole := schemas.Ratio{Num: int64(b.Requested), Den: int64(b.Requested)}
	stages.WarnBelow(env, "W_MANGO_SHORT", schemas.Ratio{Num: int64(b.Got), Den: whole.Den}, whole)
	if err := env.Write("mazes.jsonl", records(b.mazes)); err != nil {
		return err
	}
	return env.Write("shortage.json", records([]schemas.MangoShortage{b.MangoShortage}))
}

// records writes a line of canonical JSON for each.
func records[T any](list []T) stages.WriteFunc {
	return func(w io.Writer) (arrowio.Summary, error) {
		for i := range list {
			line, err := canon.Marshal(&list[i])
			if err == nil {
				_, err = w.Write(append(line, '\n'))
			}
			if err != nil {
				return arrowio.Summary{}, err
			}
		}
		return arrowio.Summary{Rows: int64(len(list))}, nil
	}
}
