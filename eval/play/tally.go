package play

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// Tally is what a run directory says was played. It says nothing of what a score would be.
type Tally struct {
	Done   map[string]bool // by the names that Plan lists
	Infra  []Unanswered    // in the order of the log
	Moves  int             // replies that became turns
	Usage  schemas.Usage   // of those that tell it, what was played once more included
	Untold int             // items with turns that tell no tokens
	Cost   *string         // of Usage; nil without a price
}

// Unanswered is an item whose player could not be asked.
type Unanswered struct {
	Item   string `json:"game"`
	Reason string `json:"reason"`
}

// Count tallies a run directory. One that is not there yet is empty.
func Count(dir string, l trace.Layout, price *schemas.Price) (Tally, error) {
	t := Tally{Done: map[string]bool{}}
	for _, name := range []string{l.Main, trace.InfraFile} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return t, err
		}
		whole := data[:bytes.LastIndexByte(data, '\n')+1]
		for line := range bytes.Lines(whole) {
			if err := t.add(l, line, name == l.Main); err != nil {
				return t, err
			}
		}
	}
	t.Cost = judge.Cost(price, &t.Usage)
	return t, nil
}

// add books a line. Of what was played once more only the tokens count.
func (t *Tally) add(l trace.Layout, line []byte, counts bool) error {
	key, err := l.Key(line)
	if err != nil {
		return err
	}
	e, err := l.Entry(line)
	if err != nil {
		return err
	}
	if e.Usage != nil {
		t.Usage.Add(*e.Usage)
	} else if e.Turns > 0 {
		t.Untold++
	}
	t.Moves += e.Turns
	if !counts {
		return nil
	}
	t.Done[key] = true
	if e.Infra != nil {
		t.Infra = append(t.Infra, Unanswered{key, *e.Infra})
	}
	return nil
}
