package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/wikinav/wikinav/schemas"
)

// llmsFile is the log of the harness wikirace-llms, and session the export of wikirace-arena, as
// far as they matter here. Other fields are theirs.
type llmsFile struct {
	MaxSteps int          `json:"max_steps"`
	Runs     []foreignRun `json:"runs"`
}

type arenaFile struct {
	Version int `json:"schema_version"`
	Session *struct {
		Start  string `json:"start_article"`
		Target string `json:"destination_article"`
		Rules  struct {
			MaxHops int `json:"max_hops"`
		} `json:"rules"`
		Runs []foreignRun `json:"runs"`
	} `json:"session"`
}

type foreignRun struct {
	Kind   string        `json:"kind"`
	Model  string        `json:"model"`
	Start  string        `json:"start_article"`
	Target string        `json:"destination_article"`
	Result string        `json:"result"`
	Status string        `json:"status"`
	Steps  []foreignStep `json:"steps"`
}

type foreignStep struct {
	Type     string          `json:"type"`
	Article  json.RawMessage `json:"article"`
	Metadata struct {
		Tries json.Number `json:"tries"`
	} `json:"metadata"`
}

// ReadLLMs reads logs of the harness that has several models race.
func ReadLLMs(data []byte) (*File, error) {
	var in llmsFile
	if err := decode(data, &in); err != nil {
		return nil, err
	}
	if in.Runs == nil {
		return nil, errors.New("no runs")
	}
	f := &File{Steps: true, Limit: max(0, in.MaxSteps)}
	for i, r := range in.Runs {
		f.Games = append(f.Games, r.game(i))
	}
	return f, nil
}

// ReadArena reads sessions of the arena that shows races of models and people.
func ReadArena(data []byte) (*File, error) {
	var in arenaFile
	if err := decode(data, &in); err != nil {
		return nil, err
	}
	if in.Version != 1 || in.Session == nil || in.Session.Runs == nil {
		return nil, errors.New("no session of version 1 with runs")
	}
	f := &File{Steps: true, Limit: max(0, in.Session.Rules.MaxHops)}
	for i, r := range in.Session.Runs {
		r.Start, r.Target = in.Session.Start, in.Session.Target
		g := r.game(i)
		if r.Kind == "human" {
			g.Reject = RejectHuman
		}
		f.Games = append(f.Games, g)
	}
	return f, nil
}

// decode reads a foreign document: unknown fields are theirs, known ones typed, nothing follows.
func decode(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(v); err != nil {
		return err
	}
	if dec.More() {
		return errors.New("data after the JSON document")
	}
	return nil
}

// game maps a run. Every later step that names an article is a move, but a lost game's last.
func (r foreignRun) game(i int) Game {
	g := Game{Where: fmt.Sprintf("run %d", i+1), Model: cmp.Or(r.Model, unnamed), Start: r.Start, Target: r.Target}
	for j, s := range r.Steps {
		title, isTitle := s.title()
		tries, _ := s.Metadata.Tries.Int64()
		switch {
		case j == 0 && s.Type == "start":
		case s.Type == "lose":
		case !isTitle:
			g.Clicks = append(g.Clicks, Click{Invalid: InvalidTitle})
		default:
			g.Clicks = append(g.Clicks, Click{Title: title, Retries: int(min(max(tries, 0), 1_000_000))})
		}
	}
	g.Outcome = r.outcome()
	if r.Start == "" || r.Target == "" {
		g.Reject = RejectBadText
	}
	return g
}

func (s foreignStep) title() (string, bool) {
	var title string
	err := json.Unmarshal(s.Article, &title)
	return title, err == nil && title != ""
}

// outcome maps the result: a loss without an article named is format; the replay says the rest.
func (r foreignRun) outcome() *string {
	word := map[string]string{
		"win": schemas.OutcomeSuccess, "move": schemas.OutcomeStepLimit, "abandoned": schemas.OutcomeGaveUp,
		"lose": schemas.OutcomeStuck,
	}[cmp.Or(r.Result, r.Status)]
	if n := len(r.Steps); word == schemas.OutcomeStuck && n > 0 && string(r.Steps[n-1].Article) == "-1" {
		word = schemas.OutcomeFormat
	}
	if word == "" {
		return nil
	}
	return &word
}
