package mango

import (
	"errors"

	"github.com/wikinav/wikinav/schemas"
	"github.com/wikinav/wikinav/schemas/fault"
	"github.com/wikinav/wikinav/schemas/rng"
	"github.com/wikinav/wikinav/stages/mango/skeleton"
)

// drawn is a maze with all that its files say.
type drawn struct {
	name     string
	params   Params
	attempt  int
	graph    string // digest
	set      *skeleton.Set
	steps    []schemas.MangoStep
	revisits int
	pages    []schemas.MangoPage
	masked   []string
}

// draw takes walks for maze k until one gives a maze. Without one the maze is nil, and failures tells what happened to all of them.
func (p Params) draw(w *world, k int) (m *drawn, failures map[string]int, err error) {
	if len(w.pages) < p.N {
		return nil, map[string]int{failPages: 1}, nil
	}
	failures = map[string]int{}
	for attempt := range p.MaxAttempts {
		m, reason, err := p.attempt(w, k, attempt)
		if err != nil || m != nil {
			return m, failures, err
		}
		failures[reason]++
	}
	return nil, failures, nil
}

// attempt takes one walk, with a stream of its own, and makes the maze; m is nil where the walk is to be thrown away.
func (p Params) attempt(w *world, k, attempt int) (m *drawn, reason string, err error) {
	stream := rng.New(uint64(p.Seed), "mango", "maze", rng.Part(k), rng.Part(attempt))
	walk, reason := p.take(w, stream)
	if walk == nil {
		return nil, reason, nil
	}
	links := walk.links()
	if !label(links, stream) {
		return nil, failLabels, nil
	}
	set, err := skeleton.Make(nameOf(k), walk.edges(links), skeleton.Bounds{MaxPaths: p.DFCap, MaxLen: p.DFMaxLen})
	if errors.Is(err, skeleton.ErrTooManyPaths) {
		return nil, failPaths, nil
	}
	if err != nil {
		return nil, "", err
	}
	m = &drawn{
		name: nameOf(k), params: p, attempt: attempt, graph: w.SHA256, set: set, steps: walk.observed(links), revisits: walk.revisits(),
		masked: w.texts.masks(),
	}
	for _, u := range walk.pages {
		m.pages = append(m.pages, schemas.MangoPage{Location: w.Title(u), Page: w.PageIDs[u]})
	}
	if step, name, found := namesAnother(m.steps, set.Locations); found {
		return nil, "", fault.New(fault.Failure, "mango: %s: the observation of step %d names %s", m.name, step, fault.Quote(name))
	}
	return m, "", nil
}

// last is T, the number of the last step.
func (m *drawn) last() int { return len(m.steps) - 1 }
