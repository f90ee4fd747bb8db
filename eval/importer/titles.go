package importer

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// titlesLine is a line of the generic format: an instance of the release, or a pair, and the titles from start on.
type titlesLine struct {
	Instance string         `json:"instance"`
	Start    string         `json:"start"`
	Target   string         `json:"target"`
	Path     []string       `json:"path"`
	Model    string         `json:"model"`
	Attempt  int            `json:"attempt"`
	Outcome  *string        `json:"outcome"`
	Usage    *schemas.Usage `json:"usage"`
}

func readTitles(data []byte) (*File, error) {
	f := &File{Steps: true}
	for n := 1; len(data) > 0; n++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		g, err := titlesGame(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		g.Where = fmt.Sprintf("line %d", n)
		f.Games = append(f.Games, g)
	}
	return f, nil
}

func titlesGame(line []byte) (Game, error) {
	var l titlesLine
	if err := canon.Decode(line, canon.MaxLine, &l); err != nil {
		return Game{}, err
	}
	switch {
	case (l.Instance == "") == (l.Start == "" || l.Target == ""):
		return Game{}, errors.New("name an instance, or start and target")
	case l.Instance != "" && l.Start+l.Target != "":
		return Game{}, errors.New("an instance has its start and target already")
	case len(l.Path) == 0:
		return Game{}, errors.New("path is empty; it starts with the source")
	case l.Attempt < 0:
		return Game{}, fmt.Errorf("attempt is %d, the first is 1", l.Attempt)
	case l.Usage != nil && min(l.Usage.Prompt, l.Usage.Output, l.Usage.Reasoning) < 0:
		return Game{}, errors.New("usage counts tokens from 0")
	}
	g := Game{Model: l.Model, Instance: l.Instance, Start: l.Start, Target: l.Target, Outcome: l.Outcome, Attempt: l.Attempt, Usage: l.Usage}
	if g.Model == "" {
		g.Model = "unnamed"
	}
	if l.Start != "" && l.Path[0] != l.Start {
		return Game{}, errors.New("path does not begin with start")
	}
	g.Start = l.Path[0]
	for _, title := range l.Path[1:] {
		g.Clicks = append(g.Clicks, Click{Title: title})
	}
	return g, nil
}
