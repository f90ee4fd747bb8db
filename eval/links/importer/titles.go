package importer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"github.com/wikinav/wikinav/eval/links/game"
	"github.com/wikinav/wikinav/eval/links/reply"
	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/canon"
)

// titlesLine is a line of the generic format: an instance of the release, or a pair, and under a
// ban its category; then the titles from start on, or the steps after it.
type titlesLine struct {
	Instance string           `json:"instance"`
	Start    string           `json:"start"`
	Target   string           `json:"target"`
	Banned   string           `json:"banned_category"`
	Path     []string         `json:"path"`
	Steps    []map[string]any `json:"steps"`
	Model    string           `json:"model"`
	Attempt  int              `json:"attempt"`
	Outcome  *string          `json:"outcome"`
	Usage    *schemas.Usage   `json:"usage"`
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
	case l.Instance != "" && l.Start+l.Target+l.Banned != "":
		return Game{}, errors.New("an instance has its start, target and category already")
	case l.Steps != nil && l.Path != nil:
		return Game{}, errors.New("path and steps say the same twice")
	case l.Steps == nil && len(l.Path) == 0:
		return Game{}, errors.New("path is empty; it starts with the source")
	case l.Attempt < 0:
		return Game{}, fmt.Errorf("attempt is %d, the first is 1", l.Attempt)
	case l.Usage != nil && min(l.Usage.Prompt, l.Usage.Output, l.Usage.Reasoning) < 0:
		return Game{}, errors.New("usage counts tokens from 0")
	}
	g := Game{
		Model: cmp.Or(l.Model, unnamed), Instance: l.Instance, Start: l.Start, Target: l.Target, Banned: l.Banned,
		Outcome: l.Outcome, Attempt: l.Attempt, Usage: l.Usage,
	}
	if l.Steps != nil {
		err := g.addSteps(l.Steps)
		return g, err
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

// addSteps takes a step each: the fields of a structured reply, under either of their names. A step
// that names no page is a reply that could not be read.
func (g *Game) addSteps(steps []map[string]any) error {
	for i, fields := range steps {
		said, err := reply.Fields(fields)
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		if said.Page == nil {
			g.Clicks = append(g.Clicks, Click{Invalid: game.ReasonFormat})
			continue
		}
		g.Clicks = append(g.Clicks, Click{Title: *said.Page, Stated: said.Stated()})
	}
	return nil
}
