package mango

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wikinav/wikinav/artifacts/arrowio"
	"github.com/wikinav/wikinav/artifacts/mango"
	"github.com/wikinav/wikinav/artifacts/mango/maze"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/stages"
)

// books keeps what became of every maze.
type books struct {
	requested, attempts int
	failures            map[string]int // by reason
	missing             []string       // mazes that no walk gave, and why
	mazes               []schemas.MangoMaze
}

func newBooks(requested int) *books { return &books{requested: requested, failures: map[string]int{}} }

func (b *books) add(name string, failures map[string]int, got bool) {
	attempts := 0
	for reason, n := range failures { // sums
		b.failures[reason] += n
		attempts += n
	}
	if got {
		b.attempts += attempts + 1
		return
	}
	b.attempts += attempts
	b.missing = append(b.missing, fmt.Sprintf("%s after %d attempts: %s", name, attempts, canon.MustMarshal(failures)))
}

// err names the first maze that is missing, and why its walks failed.
func (b *books) err() error {
	return fault.New(fault.Shortage, "mango: got %d of %d mazes; %s", len(b.mazes), b.requested, b.missing[0]).
		Hint("allow more with a smaller n, more max_steps or max_attempts; or keep what there is with on_shortage=short")
}

// quota says what was asked for and made.
func (b *books) quota() schemas.Quota {
	counts := map[string]int64{"attempts": int64(b.attempts)}
	for reason, n := range b.failures { // into another map
		counts["failed_"+reason] = int64(n)
	}
	return schemas.NewQuota(mango.Set, b.requested, len(b.mazes), strings.Join(b.missing, "; "), counts)
}

func (b *books) write(env stages.Env) error {
	q := b.quota()
	env.Count("mazes", int64(q.Got))
	for _, name := range slices.Sorted(maps.Keys(q.Counts)) {
		env.Count(name, q.Counts[name])
	}
	whole := schemas.Ratio{Num: int64(b.requested), Den: int64(b.requested)}
	stages.WarnBelow(env, "W_MANGO_SHORT", schemas.Ratio{Num: int64(q.Got), Den: whole.Den}, whole)
	if err := stages.WriteRecords(env, mango.Set, mango.Mazes, b.mazes); err != nil {
		return err
	}
	if err := env.Write(mango.QuestionsTable, stages.ParquetRows(mango.Questions.Table(), func(p *arrowio.ParquetWriter) error { return b.questions(env, p) })); err != nil {
		return err
	}
	return stages.WriteQuotas(env, []schemas.Quota{q})
}

// questions lays the questions on all mazes flat, maze by maze from the files that are written.
func (b *books) questions(env stages.Env, p *arrowio.ParquetWriter) error {
	for _, m := range b.mazes {
		f, err := env.Written(m.MazeID + maze.QuestionsFile)
		if err != nil {
			return err
		}
		list, err := stages.ReadJSONLines[schemas.MangoQuestion](f)
		if err != nil {
			return err
		}
		for i := range list {
			if err := mango.Questions.Append(p, &list[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
