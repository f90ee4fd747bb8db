package play

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wikinav/wikinav/eval/judge"
	"github.com/wikinav/wikinav/eval/trace"
	"github.com/wikinav/wikinav/schemas"
)

// Tally is what a run directory says was played, of whatever family. It says nothing of what a score would be.
type Tally struct {
	Done   map[string]bool // by the names that Plan gives
	Infra  []Unanswered    // in the order of the log
	Moves  int             // replies that became turns
	Usage  schemas.Usage   // of those that tell it, what was played once more included
	Untold int             // games with turns that tell no tokens
	Cost   *string         // of Usage; nil without a price
}

// Unanswered is a game whose player could not be asked.
type Unanswered struct {
	Game   string `json:"game"`
	Reason string `json:"reason"`
}

// entry is what the records of all families have in common.
type entry struct {
	Game     string            `json:"game"`
	ID       string            `json:"id"`
	Instance string            `json:"instance_id"`
	Config   string            `json:"config"`
	Outcome  string            `json:"outcome"`
	Reason   *string           `json:"reason"`
	Infra    *string           `json:"infra"`
	Turns    int               `json:"turns"`
	Steps    []json.RawMessage `json:"steps"`
	Usage    *schemas.Usage    `json:"usage"`
}

func (e entry) name() string {
	switch {
	case e.Instance != "":
		return e.Instance + "/" + e.Config
	case e.Game != "":
		return e.Game
	}
	return e.ID
}

func (e entry) moves() int {
	if e.ID != "" && e.Infra == nil {
		return 1
	}
	return e.Turns + len(e.Steps)
}

// Count tallies a run directory. One that is not there yet is empty.
func Count(dir string, price *schemas.Price) (Tally, error) {
	t := Tally{Done: map[string]bool{}}
	for _, name := range []string{trace.GamesFile, episodesFile, trace.RepliesFile, trace.InfraFile} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return t, err
		}
		whole := data[:bytes.LastIndexByte(data, '\n')+1]
		for line := range bytes.Lines(whole) {
			var e entry
			if err := json.Unmarshal(line, &e); err != nil {
				return t, err
			}
			t.add(e, name != trace.InfraFile)
		}
	}
	t.Cost = judge.Cost(price, &t.Usage)
	return t, nil
}

// add books a record; what was played once more counts with what it used alone.
func (t *Tally) add(e entry, counts bool) {
	if e.Usage != nil {
		t.Usage.Add(*e.Usage)
	} else if e.moves() > 0 {
		t.Untold++
	}
	t.Moves += e.moves()
	if !counts {
		return
	}
	t.Done[e.name()] = true
	if e.Outcome == schemas.OutcomeInfra || e.Infra != nil {
		u := Unanswered{Game: e.name()}
		for _, reason := range []*string{e.Reason, e.Infra} {
			if reason != nil {
				u.Reason = *reason
			}
		}
		t.Infra = append(t.Infra, u)
	}
}

// Plan lists what is to be played, in the order of play.
func (c Config) Plan() []string { return keys(limit(c.items(), c.Limit)) }

// Plan lists what is to be asked, in the order of asking.
func (c ProbeConfig) Plan() []string { return keys(limit(c.items(), c.Limit)) }

// Plan lists what is to be played, in the order of play.
func (c LuminaConfig) Plan() []string {
	items, err := c.items()
	if err != nil {
		return nil // RunLumina says so
	}
	return keys(limit(items, c.Limit))
}
